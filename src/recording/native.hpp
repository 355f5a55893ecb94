// The native recording format, `.throng`: an SQLite file. What its writer and its reader share.
//
//   meta(key, value)                   version, program, seed (as text), time_step, every, unit, parameters (JSON)
//   environment(json), scenario(json)  one row each
//   layer(number, name), population(number, name), profile(number, name)
//   agent(serial, population, profile, "group", radius, appears, leaves)   no group, not left: NULL
//   chunk(first_frame, frames, blob)   about a second each (chunk.hpp)
//   event(number, time, kind, json)    in the order they were recorded
//   metric(name, json)
//
// The header's application_id is `application_id`, its user_version the format's version. A chunk and the rows of agents and events
// that came before its last frame are one transaction.
#pragma once

#include <cstdint>

namespace throng::recording {

constexpr std::int32_t application_id = 0x54687267;  // "Thrg"
constexpr std::int32_t native_version = 1;

}  // namespace throng::recording
