// Profiles that ship: populations of the guidelines, by name, as a user could write them.
//
//   rimea-standard      RiMEA 4.1.1, 3.2.4 (DIN 18009-2): half women, age normal(50, 20) within 10 to 85, speed by age, men 10.9 % faster
//   rimea-adults        RiMEA, tests 7 and 9 to 11: speed by age after Weidmann, 20 to 80 years
//   imo-passengers      MSC.1/Circ.1533: ten groups by their shares
//   imo-crew            half women, as under 30
//   imo-women-under-30, imo-men-30-50, imo-women-over-50-impaired-2, ...   each of the groups alone
//
// A population names one as its profile; a profile of one's own begins with one by `"like"`.
#pragma once

#include <string_view>
#include <vector>

namespace throng::scenario {

/// The JSON of a profile; empty where there is none of that name.
[[nodiscard]] std::string_view shipped_profile(std::string_view name);
[[nodiscard]] std::vector<std::string_view> shipped_profile_names();

}  // namespace throng::scenario
