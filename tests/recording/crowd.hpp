// People to record: they walk, stand, jump, change layers, leave and come back, so that every way of a chunk is taken.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "recording/recorder.hpp"
#include "recording/recording.hpp"
#include "support/random.hpp"

namespace throng::test {

struct OwnedFrame {
  std::uint64_t number = 0;
  double time = 0;
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position;
  std::vector<std::uint32_t> layer;

  [[nodiscard]] recording::Frame view() const { return {number, time, serial, position, layer}; }
  friend bool operator==(const OwnedFrame&, const OwnedFrame&) = default;
};

inline OwnedFrame copy_of(const recording::Frame& frame) {
  return {frame.number,
          frame.time,
          {frame.serial.begin(), frame.serial.end()},
          {frame.position.begin(), frame.position.end()},
          {frame.layer.begin(), frame.layer.end()}};
}

/// As it is to be read back: every coordinate rounded to the nearest millimetre, found here without the code under test.
inline OwnedFrame rounded(OwnedFrame frame) {
  for (Vec2& p : frame.position) p = {std::rint(p.x * 1000.0) / 1000.0, std::rint(p.y * 1000.0) / 1000.0};
  return frame;
}

constexpr std::uint32_t crowd_layers = 3;

inline std::vector<OwnedFrame> random_crowd(std::uint64_t seed, std::size_t people, std::size_t frames,
                                            bool restless = true) {
  struct Person {
    std::uint64_t serial;
    Vec2 at, step;
    std::uint32_t layer;
    bool there;
  };
  Random random(seed);
  std::vector<Person> all;
  for (std::size_t i = 0; i < people; ++i)
    all.push_back({i * (1 + random.below(3)) + (i > 0 ? all.back().serial + 1 : 0),
                   {random.uniform(-500, 500), random.uniform(-500, 500)},
                   {random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15)},
                   std::uint32_t(random.below(crowd_layers)),
                   !restless || random.chance(0.8)});
  std::vector<OwnedFrame> result(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    result[f].number = f;
    result[f].time = double(f) * 0.1;
    for (Person& p : all) {
      if (restless && random.chance(0.03)) p.there = !p.there;
      if (restless && random.chance(0.02)) p.layer = std::uint32_t(random.below(crowd_layers));
      if (restless && random.chance(0.003)) p.at = {random.uniform(-1e9, 1e9), random.uniform(-1e9, 1e9)};
      if (restless && random.chance(0.1)) p.step = {};
      p.step += Vec2{random.uniform(-0.003, 0.003), random.uniform(-0.003, 0.003)};
      p.at += p.step;
      if (std::abs(p.at.x) > 1e9 || std::abs(p.at.y) > 1e9) p.at = {1e9, -1e9};
      if (!p.there) continue;
      result[f].serial.push_back(p.serial);
      result[f].position.push_back(p.at);
      result[f].layer.push_back(p.layer);
    }
  }
  return result;
}

inline recording::Meta sample_meta() {
  recording::Meta meta;
  meta.program = "throng 9.9";
  meta.environment_json = R"({"type": "FeatureCollection", "features": []})";
  meta.scenario_json = R"({"throng": 1})";
  meta.parameters_json = R"({"radius": 0.24})";
  meta.seed = 0xfedcba9876543210;
  meta.time_step = 0.05;
  meta.every = 2;
  meta.unit = 0.001;
  meta.layers = {"ground", "upper deck", "stairs/1"};
  meta.populations = {"commuters", "visitors"};
  meta.profiles = {"adult"};
  return meta;
}

/// Hands everything to a recorder as a simulation would: a row when somebody is first seen.
inline void feed(recording::Recorder& recorder, const std::vector<OwnedFrame>& frames) {
  std::set<std::uint64_t> seen;
  for (const OwnedFrame& frame : frames) {
    for (const std::uint64_t serial : frame.serial)
      if (seen.insert(serial).second)
        recorder.agent({.serial = serial,
                        .population = std::uint32_t(serial % 2),
                        .group = std::int64_t(serial % 5) - 1,
                        .radius = 0.2 + 0.01 * double(serial % 7),
                        .appears = frame.time});
    recorder.frame(frame.view());
  }
}

inline std::string said(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += to_string(problem) + '\n';
  return text;
}

template <class T>
std::string said(const Result<T>& result) {
  return said(result.problems());
}

/// Every frame that can be read; `wrong` gets what was wrong.
inline std::vector<OwnedFrame> all_frames(recording::Recording& recording, Problems* wrong = nullptr) {
  std::vector<OwnedFrame> result;
  const Problems problems = recording.each_frame([&](const recording::Frame& frame) {
    result.push_back(copy_of(frame));
    return true;
  });
  if (wrong != nullptr)
    *wrong = problems;
  else
    CHECK_MESSAGE(problems.empty(), said(problems));
  return result;
}

inline std::size_t files_in(const std::filesystem::path& folder) {
  const auto begin = std::filesystem::directory_iterator(folder);
  return std::size_t(std::distance(begin, std::filesystem::directory_iterator()));
}

}  // namespace throng::test
