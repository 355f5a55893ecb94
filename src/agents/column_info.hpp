// What a column of numbers a person holds is called, and how long its values live. The store that keeps them is columns.hpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace throng::agents {

/// When a value goes back to its default.
enum class Lives : std::uint8_t {
  agent,  ///< never: as long as the person is there
  goal,   ///< when the person sets out for another goal
  route,  ///< when it gets another route
  mesh,   ///< when the world changes
  step,   ///< written anew in every step
};

/// A number, or two, that a method remembers of each of its people.
enum class ColumnType : std::uint8_t { number, vector };

struct ColumnInfo {
  std::string_view name;
  ColumnType type = ColumnType::number;
  double initial = 0;  ///< of a vector: both of its parts
  Lives lives = Lives::agent;
  bool saved = true;           ///< false: it saves work and changes no answer
  std::string_view help = {};  ///< one line
};

}  // namespace throng::agents
