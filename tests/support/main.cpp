#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "support/random.hpp"

namespace throng::test {
namespace {

constexpr std::uint64_t fixed_seed = 20260101;

std::uint64_t choose_seed() {
  const char* text = std::getenv("THRONG_TEST_SEED");
  if (text == nullptr || *text == '\0') return fixed_seed;
  if (std::strcmp(text, "random") == 0) return std::random_device()();
  std::uint64_t seed = 0;
  const char* end = text + std::strlen(text);
  if (std::from_chars(text, end, seed).ptr != end) seed = fixed_seed;
  return seed;
}

}  // namespace

std::uint64_t test_seed() {
  static const std::uint64_t seed = choose_seed();
  return seed;
}

}  // namespace throng::test

int main(int argc, char** argv) {
  // Paths to the sources and to the program under test are relative to here.
  std::filesystem::current_path(std::filesystem::read_symlink("/proc/self/exe").parent_path());
  return doctest::Context(argc, argv).run();
}
