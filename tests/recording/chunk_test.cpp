#include "recording/chunk.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "recording/crowd.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::recording;
using namespace throng::test;

namespace {

std::string encode(const std::vector<OwnedFrame>& frames) {
  ChunkEncoder encoder;
  for (const OwnedFrame& frame : frames) encoder.add(frame.view());
  return encoder.finish();
}

void check_decodes_to(const std::string& blob, const std::vector<OwnedFrame>& frames) {
  const Result<Chunk> chunk = decode_chunk(blob, frames.front().number, crowd_layers, "test");
  REQUIRE_MESSAGE(chunk, said(chunk));
  REQUIRE(chunk->frames() == frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) REQUIRE(copy_of(chunk->frame(i)) == rounded(frames[i]));
}

/// Law 3: what came out of strange bytes is still a recording's.
void check_laws(const Chunk& chunk) {
  for (std::size_t f = 0; f < chunk.frames(); ++f) {
    const Frame frame = chunk.frame(f);
    CHECK(std::isfinite(frame.time));
    CHECK(frame.position.size() == frame.serial.size());
    CHECK(frame.layer.size() == frame.serial.size());
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      CHECK((i == 0 || frame.serial[i - 1] < frame.serial[i]));
      CHECK(frame.layer[i] < crowd_layers);
      CHECK(std::abs(frame.position[i].x) <= 1e9);
      CHECK(std::abs(frame.position[i].y) <= 1e9);
    }
  }
}

}  // namespace

TEST_CASE("millimetres are the nearest, halves go to the even one") {
  CHECK(millimetres(0.0124) == 12);
  CHECK(millimetres(0.0126) == 13);
  CHECK(millimetres(0.0125) == 12);
  CHECK(millimetres(0.0135) == 14);
  CHECK(millimetres(-0.0125) == -12);
  CHECK(millimetres(-1e9) == -1'000'000'000'000);
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (int i = 0; i < 100000; ++i) {
    const double metres = random.uniform(-1, 1) * std::pow(10, random.uniform(-4, 9));
    CHECK(millimetres(metres) == std::int64_t(std::rint(metres * 1000.0)));
  }
}

TEST_CASE("a chunk gives its frames back, to the millimetre, whoever comes, goes, jumps or changes layers") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (int i = 0; i < 150; ++i) {
    const std::vector<OwnedFrame> frames =
        random_crowd(seed + std::uint64_t(i), random.below(60), 1 + random.below(25));
    check_decodes_to(encode(frames), frames);
  }
}

TEST_CASE("empty frames and a single one are chunks too") {
  for (const std::size_t count : {1, 2, 10}) {
    std::vector<OwnedFrame> frames = random_crowd(1, 0, count);
    check_decodes_to(encode(frames), frames);
    frames = random_crowd(1, 1, count, false);
    check_decodes_to(encode(frames), frames);
  }
}

TEST_CASE("an encoder that was used before gives the bytes of a new one, and every chunk stands alone") {
  const std::vector<OwnedFrame> frames = random_crowd(7, 40, 30);
  ChunkEncoder encoder;
  for (std::size_t first = 0; first < frames.size(); first += 10) {
    const std::vector<OwnedFrame> part(frames.begin() + std::ptrdiff_t(first),
                                       frames.begin() + std::ptrdiff_t(first + 10));
    for (const OwnedFrame& frame : part) encoder.add(frame.view());
    const std::string blob = encoder.finish();
    CHECK(blob == encode(part));
    CHECK(encoder.frames() == 0);
    check_decodes_to(blob, part);
  }
}

TEST_CASE("smooth walking takes about one and a half bytes an agent and frame") {
  Random random(3);
  const std::size_t people = 3000, count = 10;
  std::vector<OwnedFrame> frames(count);
  for (std::size_t i = 0; i < people; ++i) {
    Vec2 at{random.uniform(0, 1000), random.uniform(0, 1000)};
    const double direction = random.uniform(0, 6.3), speed = random.uniform(0.9, 1.7);
    Vec2 step = Vec2{std::cos(direction), std::sin(direction)} * (speed * 0.1);
    const Vec2 bend{random.uniform(-0.004, 0.004), random.uniform(-0.004, 0.004)};
    for (OwnedFrame& frame : frames) {
      frame.serial.push_back(i);
      frame.position.push_back(at);
      frame.layer.push_back(0);
      at += step += bend;
    }
  }
  const double bytes = double(encode(frames).size()) / double(people * count);
  CHECK(bytes < 1.5);
  CHECK(bytes > 0.8);  // below what the positions alone hold of information: something was left out
}

TEST_CASE("a chunk that was cut or changed anywhere is refused") {
  const std::vector<OwnedFrame> frames = random_crowd(5, 20, 10);
  const std::string blob = encode(frames);
  for (std::size_t size = 0; size < blob.size(); ++size)
    CHECK(!decode_chunk(std::string_view(blob).substr(0, size), 0, crowd_layers, "test"));
  CHECK(!decode_chunk(blob + "x", 0, crowd_layers, "test"));
  for (std::size_t i = 0; i < blob.size(); ++i) {
    std::string changed = blob;
    changed[i] = char(changed[i] ^ 0x10);
    CHECK(!decode_chunk(changed, 0, crowd_layers, "test"));
  }
  CHECK_MESSAGE(!decode_chunk(blob, 0, 1, "test"), "there are agents in layers that this recording does not have");
}

TEST_CASE("a chunk that lies behind a right checksum is refused, or keeps the laws") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string blob = encode(random_crowd(seed + random.below(5), 12, 10));
    for (std::uint64_t k = 0; k <= random.below(3); ++k) {
      const std::size_t at = 9 + random.below(blob.size() - 9);
      blob[at] = random.chance(0.5) ? char(random.below(256)) : char(blob[at] ^ (1 << random.below(8)));
    }
    reseal_chunk(blob);
    const Result<Chunk> chunk = decode_chunk(blob, 0, crowd_layers, "test");
    ++(chunk ? accepted : refused);
    if (chunk) check_laws(*chunk);
  }
  CHECK(accepted > 0);
  CHECK(refused > 0);
}

TEST_CASE("absurd counts are refused before room is made for them") {
  for (const std::uint64_t frames : {std::uint64_t(0), std::uint64_t(5000), std::uint64_t(1) << 60})
    for (const std::uint64_t positions : {std::uint64_t(1), std::uint64_t(1) << 40, ~std::uint64_t(0)}) {
      ColumnWriter writer;
      writer.number(frames);
      writer.number(positions);
      writer.number(positions);
      std::string blob = std::string(9, 0) + writer.take();
      reseal_chunk(blob);
      CHECK(!decode_chunk(blob, 0, 1, "test"));
    }
}

TEST_CASE("what is wrong with a chunk is said, with its place") {
  std::string blob = encode(random_crowd(5, 3, 2));
  CHECK(said(decode_chunk("x", 0, 1, "a.throng: chunk 7")).find("a.throng: chunk 7") != std::string::npos);
  blob[12] = char(blob[12] ^ 1);
  CHECK(said(decode_chunk(blob, 0, 1, "x")).find("checksum") != std::string::npos);
  blob[0] = 9;
  CHECK(said(decode_chunk(blob, 0, 1, "x")).find("format 9") != std::string::npos);
}
