#include "crowd/level_use.hpp"

#include <fmt/format.h>

#include <map>

namespace throng::crowd {

using agents::MethodInfo;
using agents::MethodNumber;
using agents::Slot;

LevelUse::LevelUse(agents::ColumnStore& store, Level level, MethodsPtr methods)
    : store_(store), level_(level), methods_(std::move(methods)) {
  users_.resize(methods_->count(level));
  own_.resize(users_.size());
  if (!agents::info_of(level).otherwise.empty()) make_columns();
}

void LevelUse::make_columns() {
  const std::string key(agents::info_of(level_).key);
  method_ = std::make_unique<agents::Column<MethodNumber>>(store_, key + " method", agents::Lives::agent, false, off);
  block_ = std::make_unique<agents::Column<Index>>(store_, key + " numbers", agents::Lives::agent, false);
}

std::string LevelUse::misfit(const Methods& methods, Level level, const MethodChoice& choice) {
  const std::string_view key = agents::info_of(level).key;
  if (choice.name.empty())
    return agents::info_of(level).otherwise.empty() ? "" : fmt::format("a {} method has to be named", key);
  const MethodInfo* info = methods.find(level, choice.name);
  if (info == nullptr) return fmt::format("there is no {} method '{}'", key, choice.name);
  return misfit_of_numbers(*info, choice.parameters);
}

std::string LevelUse::misfit_of_numbers(const MethodInfo& info, const std::vector<double>& numbers) {
  const auto& parameters = info.parameters;
  if (numbers.empty()) return {};
  if (numbers.size() != parameters.size())
    return fmt::format("'{}' takes {} numbers, not {}", info.name, parameters.size(), numbers.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double value = numbers[i];
    if (!(value >= parameters[i].least && value <= parameters[i].most))
      return fmt::format("{} of '{}' must be {} to {}, not {}", parameters[i].name, info.name, parameters[i].least,
                         parameters[i].most, value);
    if (!parameters[i].choices.empty() && value != double(std::size_t(value)))
      return fmt::format("{} of '{}' is one of {} choices, not {}", parameters[i].name, info.name,
                         parameters[i].choices.size(), value);
  }
  return {};
}

void LevelUse::begin(MethodNumber method) {
  ++people_;
  if (users_[method]++ > 0) return;
  const MethodInfo& info = methods_->info(level_, method);
  if (!info.columns.empty())
    own_[method] = std::make_unique<agents::MethodColumns>(store_, agents::info_of(level_).key, info);
}

void LevelUse::end(MethodNumber method) {
  --people_;
  if (--users_[method] == 0) own_[method].reset();
}

void LevelUse::take(Slot slot, const MethodChoice& choice) {
  if (choice.name.empty()) {
    if (method_) (*method_)[slot] = off;
    return;
  }
  if (!method_) make_columns();
  const MethodNumber number = methods_->number_of(level_, choice.name);
  (*method_)[slot] = number;
  (*block_)[slot] =
      pool_.take(choice.parameters.empty() ? agents::default_block(methods_->info(level_, number)) : choice.parameters);
  begin(number);
  if (own_[number]) own_[number]->reset(slot);
}

void LevelUse::drop(Slot slot) {
  const MethodNumber number = method(slot);
  if (number == off) return;
  pool_.give_back(pool_.numbers((*block_)[slot], methods_->info(level_, number).parameters.size()));
  (*method_)[slot] = off;
  end(number);
  if (people_ == 0 && agents::info_of(level_).otherwise.empty()) method_.reset(), block_.reset();
}

MethodChoice LevelUse::choice(Slot slot) const {
  const MethodNumber number = method(slot);
  if (number == off) return {};
  const MethodInfo& info = methods_->info(level_, number);
  return {std::string(info.name), pool_.numbers((*block_)[slot], info.parameters.size())};
}

std::span<const agents::OwnColumns> LevelUse::own_columns() {
  views_.resize(own_.size());
  for (std::size_t i = 0; i < own_.size(); ++i) {
    views_[i].numbers.clear(), views_[i].vectors.clear();
    if (own_[i]) own_[i]->show(views_[i]);
  }
  return views_;
}

void LevelUse::save(geometry::ArchiveWriter& out, std::span<const Slot> people) {
  std::map<std::pair<MethodNumber, Index>, std::uint32_t> numbers;
  std::vector<Slot> first;
  std::vector<std::uint32_t> uses;
  for (const Slot slot : people) {
    if (method(slot) == off) {
      uses.push_back(0);
      continue;
    }
    const auto [entry, is_new] = numbers.try_emplace({method(slot), block(slot)}, std::uint32_t(first.size() + 1));
    if (is_new) first.push_back(slot);
    uses.push_back(entry->second);
  }
  out.put_list(first, [&](Slot slot) {
    const MethodChoice used = choice(slot);
    out.put(std::string_view(used.name));
    out.put_list(used.parameters);
  });
  out.put_list(uses);
}

std::string LevelUse::load(geometry::ArchiveReader& in, std::span<const Slot> people) {
  std::vector<MethodChoice> choices;
  in.get_list(choices, 16, [&] {
    MethodChoice one;
    in.get(one.name);
    in.get_list(one.parameters);
    return one;
  });
  std::vector<std::uint32_t> uses;
  in.get_list(uses);
  if (in.failed()) return "it ends early";
  for (const MethodChoice& one : choices) {
    if (std::string why = misfit(*methods_, level_, one); !why.empty()) return why;
    if (one.name.empty() || one.parameters.size() != methods_->find(level_, one.name)->parameters.size())
      return fmt::format("numbers of '{}' are missing", one.name);
  }
  if (uses.size() != people.size()) return "methods of somebody are missing";
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (uses[i] > choices.size()) return "a method is out of its range";
    if (uses[i] == 0 && !agents::info_of(level_).otherwise.empty()) return "somebody has no method";
    take(people[i], uses[i] == 0 ? MethodChoice{} : choices[uses[i] - 1]);
  }
  return {};
}

}  // namespace throng::crowd
