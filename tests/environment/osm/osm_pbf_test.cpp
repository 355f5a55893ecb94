// Files as OpenStreetMap hands them out: PBF and compressed XML, written here by libosmium.
#include <doctest/doctest.h>

#include <osmium/io/bzip2_compression.hpp>
#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_output.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/writer.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/io/xml_output.hpp>

#include "environment/formats/formats.hpp"
#include "environment/same_environment.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

const std::string town = THRONG_SOURCE_DIR "/examples/town_square.osm";

void rewrite(const std::string& to) {
  osmium::io::Reader reader(town);
  osmium::io::Writer writer(to, reader.header());
  while (osmium::memory::Buffer buffer = reader.read()) writer(std::move(buffer));
  writer.close();
  reader.close();
}

}  // namespace

TEST_CASE("PBF and compressed files hold the same map as XML") {
  const TempDir folder;
  const Result<Environment> plain = read_environment(town);
  REQUIRE(plain.ok());
  for (const char* name : {"town.osm.pbf", "town.osm.bz2", "town.osm.gz"}) {
    CAPTURE(name);
    const std::string path = folder / name;
    rewrite(path);
    const Result<Environment> other = read_environment(path);
    REQUIRE(other.ok());
    CHECK(other.problems().empty());
    check_same(*plain, *other);
    const Result<Environment> piped = parse_environment("osm", test::read_file(path), "piped");
    REQUIRE(piped.ok());
    check_same(*plain, *piped);
  }
}

TEST_CASE("cut and damaged PBF files are refused, not believed") {
  const TempDir folder;
  rewrite(folder / "town.osm.pbf");
  const std::string whole = test::read_file(folder / "town.osm.pbf");
  for (std::size_t size : {std::size_t(30), whole.size() / 2, whole.size() - 1}) {
    const Result<Environment> cut = parse_environment("osm", whole.substr(0, size), "cut.pbf");
    CAPTURE(size);
    REQUIRE(!cut.ok());
    CHECK(cut.problems().back().place == "cut.pbf");
  }
  std::string damaged = whole;
  for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 8; ++i) damaged[i] = char(~damaged[i]);
  CHECK(!parse_environment("osm", damaged, "damaged.pbf").ok());
}

TEST_CASE("a PBF blob that does not say its type is refused, in memory and as a file") {
  const TempDir folder;
  rewrite(folder / "town.osm.pbf");
  std::string without = test::read_file(folder / "town.osm.pbf");
  // The field "type" of the second header becomes a field that nobody knows: tag 1 becomes tag 15, both length-delimited.
  const std::size_t type = without.find("OSMData");
  REQUIRE(type != std::string::npos);
  REQUIRE(without[type - 2] == char(0x0a));
  without[type - 2] = char(0x7a);
  write_file(folder / "without.osm.pbf", without);
  const Result<Environment> memory = parse_environment("osm", without, "without.pbf");
  const Result<Environment> file = read_environment(folder / "without.osm.pbf");
  for (const Result<Environment>* result : {&memory, &file}) {
    REQUIRE(!result->ok());
    CHECK(result->problems().back().message.find("does not say its type") != std::string::npos);
  }
}
