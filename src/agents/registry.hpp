// The methods of one level, by name. A value: who wants methods of their own adds them to a copy.
//
// Laws
// 1. Names are distinct; a name is never used for another method.
// 2. The number of a method is its place; methods are only ever added, so that numbers stay.
// Thread-safety: read-only once filled.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/method.hpp"

namespace throng::agents {

/// Methods of a level fit into this many bits of a person.
using MethodNumber = std::uint8_t;

template <class Method>
class Registry {
 public:
  /// What is wrong with it, or empty: it is there now.
  [[nodiscard]] std::string add(std::shared_ptr<const Method> method) {
    const std::string name(method->info().name);
    if (name.empty()) return "a method needs a name";
    if (find(name) != nullptr) return "there is a method '" + name + "' already";
    if (methods_.size() >= std::size_t{1} << (8 * sizeof(MethodNumber))) return "there are too many methods";
    methods_.push_back(std::move(method));
    return {};
  }
  /// One that lives as long as the program.
  void add_built_in(const Method& method) {
    (void)add(std::shared_ptr<const Method>(&method, [](const Method*) {}));
  }

  [[nodiscard]] std::size_t size() const { return methods_.size(); }
  [[nodiscard]] const Method& operator[](std::size_t number) const { return *methods_[number]; }
  /// Null where there is none.
  [[nodiscard]] const Method* find(std::string_view name) const {
    for (const auto& method : methods_)
      if (method->info().name == name) return method.get();
    return nullptr;
  }
  /// Of a method that is there.
  [[nodiscard]] MethodNumber number_of(std::string_view name) const {
    std::size_t number = 0;
    while (number + 1 < methods_.size() && methods_[number]->info().name != name) ++number;
    return MethodNumber(number);
  }
  [[nodiscard]] std::vector<MethodInfo> infos() const {
    std::vector<MethodInfo> list;
    for (const auto& method : methods_) list.push_back(method->info());
    return list;
  }

 private:
  std::vector<std::shared_ptr<const Method>> methods_;
};

}  // namespace throng::agents
