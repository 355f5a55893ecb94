#include "analysis/run_snapshot.hpp"

#include "text/archive.hpp"
#include "text/files.hpp"
#include "text/fnv1a.hpp"
#include "text/output_file.hpp"

namespace throng::analysis {

namespace {

constexpr std::string_view first_line = "throng snapshot 5\n";

std::uint64_t checksum(std::string_view bytes) { return geometry::Fnv1a().add(bytes).value(); }

}  // namespace

Problems write_snapshot(const std::string& path, const scenario::Simulation& simulation, const Metrics& metrics) {
  geometry::ArchiveWriter inside;
  simulation.save(inside);
  metrics.save(inside);
  geometry::ArchiveWriter file;
  file.put(checksum(inside.bytes()));
  return environment::replace_file(path, std::string(first_line) + file.bytes() + inside.bytes());
}

Result<std::string> read_snapshot(const std::string& path) {
  Result<std::string> read = environment::read_file(path);
  if (!read) return read.problems();
  const auto refused = [&](std::string what) {
    return Problem{Severity::error, ProblemCode::syntax, path, std::move(what)};
  };
  const std::string_view text = *read;
  if (!text.starts_with("throng snapshot ")) return refused("is no snapshot");
  if (!text.starts_with(first_line)) return refused("is a snapshot of another version");
  geometry::ArchiveReader head(text.substr(first_line.size()));
  const auto expected = head.get<std::uint64_t>();
  if (head.failed()) return refused("ends early");
  const std::string_view inside = text.substr(first_line.size() + sizeof expected);
  if (checksum(inside) != expected) return refused("is damaged: its checksum does not fit");
  return std::string(inside);
}

}  // namespace throng::analysis
