// Chunks of recordings of any bytes: refused, or frames that keep the laws and come out the same when they are encoded and decoded
// again. The checksum is made right first, so that the fuzzer gets behind it.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "recording/chunk.hpp"
#include "recording/sink.hpp"

using namespace throng;
using namespace throng::recording;

namespace {

constexpr std::size_t layers = 3;

void require(bool law) {
  if (!law) std::abort();
}

bool same(const Chunk& a, const Chunk& b) {
  return a.times == b.times && a.begin == b.begin && a.serial == b.serial && a.position == b.position &&
         a.layer == b.layer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string blob(reinterpret_cast<const char*>(data), size);
  reseal_chunk(blob);
  const Result<Chunk> chunk = decode_chunk(blob, 7, layers, "fuzz");
  if (!chunk) return 0;
  ChunkEncoder encoder;
  for (std::size_t i = 0; i < chunk->frames(); ++i) {
    const Frame frame = chunk->frame(i);
    require(check_frame("fuzz", frame, 7 + i, layers).empty());
    require(encoder.has_room(frame.serial.size()));
    encoder.add(frame);
  }
  const Result<Chunk> again = decode_chunk(encoder.finish(), 7, layers, "fuzz");
  require(again.ok() && same(*chunk, *again));
  return 0;
}
