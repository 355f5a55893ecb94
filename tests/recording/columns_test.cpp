#include "recording/columns.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "support/random.hpp"

using namespace throng;
using namespace throng::recording;
using throng::test::Random;

namespace {

std::vector<std::uint64_t> random_column(Random& random) {
  const std::uint64_t bits = random.below(65);
  std::vector<std::uint64_t> values(random.below(3000));
  for (std::uint64_t& value : values) {
    value = bits == 0 ? 0 : random.next() >> (64 - bits);
    if (random.chance(0.7)) value &= 3;
  }
  return values;
}

}  // namespace

TEST_CASE("zigzag makes small numbers of either sign small, and goes back") {
  CHECK(zigzag(0) == 0);
  CHECK(zigzag(-1) == 1);
  CHECK(zigzag(1) == 2);
  CHECK(zigzag(-2) == 3);
  for (const std::int64_t value : {std::int64_t(0), std::int64_t(-1), std::int64_t(77), std::int64_t(-123456789012),
                                   std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
    CHECK(unzigzag(zigzag(value)) == value);
}

TEST_CASE("numbers and columns are read back as they were written") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  ColumnWriter writer;
  for (int i = 0; i < 50; ++i) {
    const std::vector<std::uint64_t> a = random_column(random), b = random_column(random);
    const std::uint64_t number = random.next() >> random.below(64);
    writer.column(a);
    writer.number(number);
    writer.column(b);
    const std::string bytes = writer.take();
    ColumnReader reader(bytes);
    CHECK(reader.column(a.size()) == a);
    CHECK(!reader.complete());
    CHECK(reader.number() == number);
    CHECK(reader.column(b.size()) == b);
    CHECK(reader.complete());
  }
}

TEST_CASE("a column takes as many bytes as its values need") {
  ColumnWriter writer;
  writer.column(std::vector<std::uint64_t>(100000, 0));
  CHECK(writer.take().size() == 1);
  writer.column(std::vector<std::uint64_t>(100000, 70000));
  CHECK(writer.take().size() < 100);
}

TEST_CASE("bytes that are cut, changed or too many are noticed or stay within bounds") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  ColumnWriter writer;
  std::vector<std::uint64_t> values(500);
  for (std::uint64_t& value : values) value = random.below(5) + (random.chance(0.01) ? 1000 : 0);
  writer.column(values);
  const std::string bytes = writer.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ColumnReader reader(std::string_view(bytes).substr(0, size));
    CHECK(reader.column(values.size()).empty());
    CHECK(reader.failed());
  }
  for (int i = 0; i < 2000; ++i) {
    std::string changed = bytes;
    changed[random.below(bytes.size())] = char(random.below(256));
    ColumnReader reader(changed);
    const std::vector<std::uint64_t> read = reader.column(values.size());
    CHECK(read.size() == (reader.failed() ? 0 : values.size()));
  }
  ColumnReader other_count(bytes);
  CHECK(other_count.column(values.size() - 1).empty());
}

TEST_CASE("a number of more than 64 bits is refused") {
  const std::string most = std::string(9, char(0xff)) + char(1);
  ColumnReader fine(most);
  CHECK(fine.number() == std::numeric_limits<std::uint64_t>::max());
  CHECK(fine.complete());
  for (const std::string& wrong : {std::string(9, char(0xff)) + char(2), std::string(20, char(0x80)), std::string()}) {
    ColumnReader reader(wrong);
    CHECK(reader.number() == 0);
    CHECK(reader.failed());
  }
  ColumnReader limited(most);
  CHECK(limited.number_up_to(1000) == 0);
  CHECK(limited.failed());
}
