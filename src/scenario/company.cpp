#include "scenario/company.hpp"

#include <algorithm>
#include <map>

#include "scenario/populate.hpp"

namespace throng::scenario {

Company::Company(const PopulationSpec& population, std::uint64_t seed)
    : population_(&population), seed_(seed), firsts_{0} {
  const auto* positions = std::get_if<Positions>(&population.who);
  if (!population.groups || positions == nullptr || positions->rows.empty() || positions->rows.front().group.empty())
    return;
  struct Known {
    std::uint32_t number = 0, first = 0, size = 0;
  };
  std::map<std::string, Known> known;
  for (std::uint32_t row = 0; row < positions->rows.size(); ++row) {
    const auto [entry, is_new] =
        known.try_emplace(positions->rows[row].group, Known{std::uint32_t(known.size()), row, 0});
    const Known& group = entry->second;
    rows_.push_back({group.number, group.first, entry->second.size++, 0});
  }
  for (std::uint32_t row = 0; row < rows_.size(); ++row) rows_[row].size = known[positions->rows[row].group].size;
}

std::uint32_t Company::size_of(std::uint32_t group) const {
  return std::uint32_t(population_->groups->draw_size(stream_for(seed_, *population_, Purpose::group_size, group)));
}

void Company::grow_to(std::uint32_t number) const {
  while (firsts_.back() <= number) firsts_.push_back(firsts_.back() + size_of(std::uint32_t(firsts_.size() - 1)));
}

Company::Place Company::of(std::uint32_t number) const {
  if (!any() || number >= no_population) return {number, number, 0, 1};
  if (!rows_.empty()) return number < rows_.size() ? rows_[number] : Place{number, number, 0, 1};
  grow_to(number);
  const auto next = std::ranges::upper_bound(firsts_, number);
  const std::uint32_t first = *(next - 1);
  std::uint32_t end = *next;
  if (const auto* count = std::get_if<Count>(&population_->who)) end = std::min(end, std::uint32_t(count->people));
  if (const auto* rows = std::get_if<Positions>(&population_->who))
    end = std::min(end, std::uint32_t(rows->rows.size()));
  end = std::max(end, number + 1);
  return {std::uint32_t(next - firsts_.begin() - 1), first, number - first, end - first};
}

}  // namespace throng::scenario
