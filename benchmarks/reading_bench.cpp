// throng bench reading: large files, GeoJSON and OpenStreetMap's XML, against reading their bytes from disk alone.
//
// The files are made up, a town of houses on a raster with what real files bring along (foreign properties; numbers, dates and names of
// mappers), in a temporary folder that is deleted at the end. The system's copy of a file is dropped before each reading, so that
// both times are the disk's; `x disk` is their ratio, and `cpu s` what the processors worked for it, which other programs do not change. `peak` is beyond what was resident before; `kept` is what the environment
// itself holds. A box of a hundredth of the map shows what is left of the peak when little is kept.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "benchmarks/bench.hpp"
#include "environment/formats/formats.hpp"

namespace throng::bench {
namespace {

using namespace environment;
namespace fs = std::filesystem;

/// Removed with all in it.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("throng-bench-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// Writes through a buffer; the text of a gigabyte is never held.
class Output {
 public:
  explicit Output(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}
  ~Output() { finish(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  template <class... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Values>(values)...);
    if (buffer_.size() > (1 << 20)) flush();
  }
  [[nodiscard]] std::size_t size() const { return written_ + buffer_.size(); }
  bool finish() {
    flush();
    if (file_ != nullptr && (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0 || std::fclose(file_) != 0))
      good_ = false;
    file_ = nullptr;
    return good_;
  }

 private:
  void flush() {
    good_ = good_ && file_ != nullptr && std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size();
    written_ += buffer_.size();
    buffer_.clear();
  }
  std::FILE* file_;
  std::string buffer_;
  std::size_t written_ = 0;
  bool good_ = true;
};

constexpr double pitch = 30;  // metres from house to house

/// Corners of a house of a dozen corners at a place of the raster.
struct House {
  double x[12], y[12];
  House(std::size_t column, std::size_t row) {
    constexpr double corner_x[] = {0, 6, 6, 12, 12, 20, 20, 14, 14, 8, 8, 0};
    constexpr double corner_y[] = {0, 0, 2, 2, 0, 0, 15, 15, 18, 18, 15, 15};
    for (int i = 0; i < 12; ++i) {
      x[i] = double(column) * pitch + corner_x[i] + 0.137 * double((column * 7 + row * 3) % 11);
      y[i] = double(row) * pitch + corner_y[i] + 0.211 * double((column + row * 5) % 13);
    }
  }
};

bool write_geojson(const std::string& path, std::size_t size) {
  const auto columns = std::size_t(std::sqrt(double(size) / 560)) + 1;
  Output out(path);
  out.print("{{\"type\":\"FeatureCollection\",\"features\":[");
  for (std::size_t i = 0; out.size() < size; ++i) {
    const House house(i % columns, i / columns);
    out.print(
        "{}\n{{\"type\":\"Feature\",\"properties\":{{\"kind\":\"obstacle\",\"source\":\"survey\",\"levels\":{},"
        "\"street\":\"Long Street of the "
        "Town\",\"roof\":{{\"shape\":\"gabled\",\"colour\":\"#a03020\"}},\"checked\":true}},"
        "\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":[[",
        i == 0 ? "" : ",", i % 7);
    for (int k = 0; k <= 12; ++k) out.print("{}[{:.3f},{:.3f}]", k == 0 ? "" : ",", house.x[k % 12], house.y[k % 12]);
    out.print("]]}}}}");
  }
  out.print("\n]}}\n");
  return out.finish();
}

bool write_osm(const std::string& path, std::size_t size) {
  constexpr std::size_t bytes_a_house = 12 * 165 + 12 * 24 + 330;
  const std::size_t houses = size / bytes_a_house + 1;
  const auto columns = std::size_t(std::sqrt(double(houses))) + 1;
  constexpr std::string_view meta =
      R"(visible="true" version="3" changeset="48291734" timestamp="2021-06-05T12:00:00Z" user="mapper" uid="4711")";
  Output out(path);
  out.print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm version=\"0.6\">\n");
  for (std::size_t i = 0; i < houses; ++i) {
    const House house(i % columns, i / columns);
    for (std::size_t k = 0; k < 12; ++k)
      out.print(" <node id=\"{}\" {} lat=\"{:.7f}\" lon=\"{:.7f}\"/>\n", 1000000000 + i * 12 + k, meta,
                50 + house.y[k] / 111229.0, 9 + house.x[k] / 71695.7);
  }
  for (std::size_t i = 0; i < houses; ++i) {
    out.print(" <way id=\"{}\" {}>\n", 200000000 + i, meta);
    for (std::size_t k = 0; k <= 12; ++k) out.print("  <nd ref=\"{}\"/>\n", 1000000000 + i * 12 + k % 12);
    out.print(
        "  <tag k=\"building\" v=\"house\"/>\n  <tag k=\"addr:street\" v=\"Long Street\"/>\n"
        "  <tag k=\"addr:housenumber\" v=\"{}\"/>\n </way>\n",
        i % 200 + 1);
  }
  out.print("</osm>\n");
  return out.finish();
}

/// Takes the file out of the system's memory.
void drop_cached(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

template <class Work>
double seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double read_bytes(const std::string& path) {
  drop_cached(path);
  return seconds([&] {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return;
    std::string block(1 << 20, '\0');
    while (std::fread(block.data(), 1, block.size(), file) > 0) keep(block);
    std::fclose(file);
  });
}

/// Processor time of all threads so far, in seconds.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds_of = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

void trim() {
#ifdef __GLIBC__
  malloc_trim(0);  // what the last row let go of
#endif
}

constexpr double mega = 1e6;

bool add_row(Table& table, const std::string& what, const std::string& path, const ReadOptions& options) {
  const double disk = read_bytes(path);
  drop_cached(path);
  trim();
  const std::size_t before = resident_bytes();
  reset_peak_resident();
  std::size_t features = 0, kept = 0;
  bool fine = false;
  const double worked = processor_seconds();
  const double time = seconds([&] {
    const Result<Environment> e = read_environment(path, options);
    fine = e.ok();
    if (!fine) return;
    features = e->features.size();
    trim();
    const std::size_t after = resident_bytes();
    kept = after - std::min(before, after);
  });
  if (!fine) return false;
  const double cpu = processor_seconds() - worked;
  const double peak = double(peak_resident_bytes()) - double(before);
  const auto bytes = double(fs::file_size(path));
  table.add({what, Number{bytes / mega, 0}, static_cast<long long>(features), Number{disk, 2}, Number{time, 2},
             Number{cpu, 2}, Number{time / disk, 1}, Number{bytes / mega / time, 0}, Number{peak / mega, 0},
             Number{double(kept) / mega, 0}, Number{peak / bytes, 2}});
  return true;
}

int run(const Options& options) {
  const Folder folder;
  Table table(
      {"file", "MB", "features", "disk s", "read s", "cpu s", "x disk", "MB/s", "peak MB", "kept MB", "peak/file"});
  bool fine = true;
  for (const std::size_t megabytes :
       options.quick ? std::vector<std::size_t>{1, 2} : std::vector<std::size_t>{100, 1000}) {
    const std::size_t size = megabytes * 1000000;
    const std::string json = folder / "town.geojson", xml = folder / "town.osm";
    fmt::print(stderr, "writing {} MB twice\n", megabytes);
    if (!write_geojson(json, size) || !write_osm(xml, size)) {
      fmt::print(stderr, "the temporary folder {} has no room for it\n", fs::temp_directory_path().string());
      return 1;
    }
    fine = fine && add_row(table, "GeoJSON", json, {});
    fs::remove(json);
    ReadOptions part;
    part.import.osm.box = GeoBox{9, 50, 9.001, 50.0007};
    fine = fine && add_row(table, "OSM XML, all", xml, {}) && add_row(table, "OSM XML, a small box", xml, part);
    fs::remove(xml);
  }
  table.print(options);
  return fine ? 0 : 1;
}

const Registration registration({"reading",
                                 "files of up to a gigabyte: time against the disk's, memory against what is kept",
                                 run});

}  // namespace
}  // namespace throng::bench
