// The known name that a misspelt one probably means, for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace throng::environment {

/// The name with the fewest letters to insert, remove, change or swap (Damerau 1964); the first of those where several are
/// equally near; empty where none is near: more than a third of the letters would have to change. Cost: product of the lengths; long words are cut.
[[nodiscard]] std::string_view nearest_name(std::string_view word, std::span<const std::string_view> known);

/// "'wakable'; did you mean 'walkable'? Known are walkable, obstacle, ..."
[[nodiscard]] std::string suggest(std::string_view word, std::span<const std::string_view> known);

/// A text from a file, in quotes, cut to a readable length at a character's border, as printable() has it.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// A text as a terminal may get it: a question mark for each control character (those of C1 too) and for each byte that is no UTF-8.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace throng::environment
