#include "text/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "text/utf8.hpp"

namespace throng::environment {
namespace {

constexpr std::size_t longest_word = 40;

char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view cut = word.substr(0, longest_word);
  std::string_view best;
  std::size_t best_distance = ~std::size_t{0};
  for (const std::string_view name : known) {
    const std::size_t distance = edit_distance(cut, name.substr(0, longest_word));
    if (distance < best_distance) best = name, best_distance = distance;
  }
  // A guess that shares hardly a letter with what was written is no help.
  const std::size_t longer = std::max(cut.size(), std::min(best.size(), longest_word));
  return best_distance <= std::max<std::size_t>(1, longer / 3) ? best : std::string_view{};
}

std::string suggest(std::string_view word, std::span<const std::string_view> known) {
  std::string text = in_quotes(word);
  const std::string_view nearest = nearest_name(word, known);
  if (!nearest.empty()) text += fmt::format("; did you mean '{}'?", nearest);
  if (known.size() < 2) return text;
  text += nearest.empty() ? ". Known are " : " Known are ";
  for (std::size_t i = 0; i < known.size(); ++i) text += fmt::format("{}{}", i > 0 ? ", " : "", known[i]);
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t size = std::min(text.size(), longest);
  // UTF-8 continuation bytes are 10xxxxxx: never cut in front of one.
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return fmt::format("'{}{}'", printable(text.substr(0, size)), size < text.size() ? "…" : "");
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t good = std::min(find_bad_utf8(text).value_or(text.size()), text.size());
    for (std::size_t i = 0; i < good; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      const bool is_c1 = byte == 0xc2 && i + 1 < good && static_cast<unsigned char>(text[i + 1]) < 0xa0;
      if (is_c1) ++i;
      out += is_c1 || byte < 0x20 || byte == 0x7f ? '?' : text[i];
    }
    if (good < text.size()) out += '?';
    text.remove_prefix(std::min(good + 1, text.size()));
  }
  return out;
}

}  // namespace throng::environment
