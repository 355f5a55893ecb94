#include "environment/dxf/dxf_layers.hpp"

#include <algorithm>
#include <cstddef>

namespace throng::environment {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

/// Without the name of the drawing it came from.
std::string_view bound_name(std::string_view name) {
  const std::size_t mark = name.find_last_of("|$");
  return mark == std::string_view::npos || mark + 1 == name.size() ? name : name.substr(mark + 1);
}

bool matches_bound(std::string_view name, std::string_view pattern) {
  return matches(name, pattern) || matches(bound_name(name), pattern);
}

DxfLayerRole role_of(std::string_view name, const DxfOptions& options) {
  for (const DxfLayerRule& rule : options.rules)
    if (matches_bound(name, rule.pattern)) return {rule.role, true, true};
  for (const DxfLayerRule& rule : usual_dxf_layers())
    if (matches_bound(name, rule.pattern)) return {rule.role, true, false};
  return {};
}

}  // namespace

bool matches(std::string_view name, std::string_view pattern) {
  // The usual greedy match: on failure the last star takes one letter more.
  std::size_t n = 0, p = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++, resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(name[n]))) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1, n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::span<const DxfLayerRule> usual_dxf_layers() {
  using enum DxfRole;
  static const std::vector<DxfLayerRule> usual = {
      // What is written about walls and doors comes before them: A-WALL-PATT, A-DOOR-IDEN.
      {"*-patt*", ignored},
      {"*-iden*", ignored},
      {"*-dims*", ignored},
      {"*-anno*", ignored},
      {"*anno-*", ignored},
      {"*hatch*", ignored},
      {"*text*", ignored},
      {"*dimension*", ignored},
      {"defpoints", ignored},
      {"*furn*", ignored},
      {"*title*", ignored},
      {"*viewport*", ignored},
      {"*walkable*", walkable},
      {"region*", regions},
      {"area*", areas},
      {"?-area*", areas},
      {"*door*", doors},
      {"*opening*", doors},
      {"*tuer*", doors},
      {"*t\u00fcr*", doors},
      {"*T\u00dcR*", doors},
      {"*porte*", doors},
      {"*puerta*", doors},
      {"*column*", obstacles},
      {"?-cols*", obstacles},
      {"*pillar*", obstacles},
      {"*obstacle*", obstacles},
      {"*stuetze*", obstacles},
      {"*st\u00fctze*", obstacles},
      {"*wall*", walls},
      {"*wand*", walls},
      {"*waende*", walls},
      {"*w\u00e4nde*", walls},
      {"mur*", walls},
      {"*-mur*", walls},
      {"*pared*", walls},
      {"*partition*", walls},
      {"*glaz*", walls},
      {"*window*", walls},
      {"*fenster*", walls},
      {"*facade*", walls},
      {"*fassade*", walls},
      {"*railing*", walls},
      {"*fence*", walls},
  };
  return usual;
}

std::vector<DxfLayerRole> roles_of(std::span<const std::string> names, const DxfOptions& options) {
  std::vector<DxfLayerRole> roles;
  bool bounded = false;
  for (const std::string& name : names) {
    roles.push_back(role_of(name, options));
    bounded |= roles.back().role == DxfRole::walls || roles.back().role == DxfRole::walkable;
  }
  if (!bounded)
    for (DxfLayerRole& role : roles)
      if (!role.known) role.role = DxfRole::walls;
  return roles;
}

std::string name_in_layer(std::string_view layer) {
  std::string_view name = bound_name(layer);
  constexpr std::string_view prefixes[] = {"areas", "area", "regions", "region"};
  for (const std::string_view prefix : prefixes) {
    const bool has = name.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), name.begin(),
                                                                [](char p, char c) { return p == lower(c); });
    if (!has) continue;
    const std::string_view rest = name.substr(prefix.size());
    if (rest.empty()) return {};
    const std::size_t begin = rest.find_first_not_of("-_ .");
    if (begin == 0) continue;  // "AREAL" is a name of its own
    return begin == std::string_view::npos ? std::string() : std::string(rest.substr(begin));
  }
  return {};
}

}  // namespace throng::environment
