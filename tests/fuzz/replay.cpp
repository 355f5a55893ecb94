// Gives every file of a folder to one of the fuzzers, in place of libFuzzer's driver. A fuzzer tells of a fault by ending the program.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

struct Fuzzer {
  std::string_view name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};
#include "fuzzers.inc"

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  const auto known = argc == 3 ? std::find_if(std::begin(fuzzers), std::end(fuzzers),
                                              [&](const Fuzzer& f) { return f.name == argv[1]; })
                               : std::end(fuzzers);
  if (known == std::end(fuzzers) || !fs::is_directory(argv[2])) {
    std::fputs("usage: replay_seeds FUZZER FOLDER (a fuzzer needs at least one seed in fuzz/corpus/NAME)\n", stderr);
    return 2;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(argv[2])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    known->run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%zu seeds, no fault\n", files.size());
  return files.empty() ? 1 : 0;
}
