#include "crowd/congestion_methods.hpp"

#include <fmt/format.h>

#include "fields/kernels.hpp"
#include "geometry/elementary.hpp"

namespace throng::crowd {
namespace {

agents::Parameter patience() {
  return {.name = "patience",
          .value = 4,
          .least = 0,
          .most = 3600,
          .unit = "s",
          .help =
              "who gets on less than a tenth as far as walking freely for so long, and stands in no queue that moves, "
              "is stuck; 0: nobody is",
          .published = 0,
          .source = "ours"};
}

agents::Parameter every(double value, std::optional<double> published) {
  return {.name = "every",
          .value = value,
          .least = 0,
          .most = 3600,
          .unit = "s",
          .help = "how often the way is looked at again; 0: only when setting out",
          .published = published,
          .source = "Karamouzas, Bakker, Overmars 2009"};
}

constexpr std::string_view zwerver = "Zwerver 2018, table 1";

agents::Parameter of_zwerver(std::string_view name, double value, double least, double most, std::string_view unit,
                             std::string_view help) {
  return {.name = name, .value = value, .least = least, .most = most, .unit = unit, .help = help, .source = zwerver};
}
/// What the paper does not have, or has otherwise.
agents::Parameter ours(std::string_view name, double value, double most, double published, std::string_view unit,
                       std::string_view help) {
  return {.name = name,
          .value = value,
          .least = 0,
          .most = most,
          .unit = unit,
          .help = help,
          .published = published,
          .source = "ours"};
}

std::vector<agents::Parameter> of_both() {
  return {of_zwerver("threshold", 1.4, 0.01, 20, "1/m2", "density that nobody walks into (rho_t)"),
          of_zwerver("scale", 5, 0, 1000, "m2", "weight of density beside length (rho_s)"),
          of_zwerver("reject", 0.6, 1e-3, 1, "", "more than this part of the looks ahead ends in jams: a detour"),
          ours("search_every", 2, 3600, 0, "s", "between two searches, at least; 0: none"),
          ours("rest", 1, 1, 0, "", "1: after fruitless searches one rests 2, 4, 8, ... 30 s; 0: one does not"),
          ours("no_return", 1, 1, 0, "", "1: no way left in the last 10 s is taken again; 0: any"),
          ours("plain", 0, 1, 1, "", "1: people are spread over walls, too, if all want it so"),
          ours("at_once", 0, 1, 1, "", "1: fields are renewed all at once every 2 s, if all want it so"),
          ours("seen_only", 0, 1, 0, "", "1: what was not seen in the last minute counts as free")};
}

agents::MethodInfo miranda_info() {
  agents::MethodInfo info{
      .name = "miranda",
      .help =
          "weighs where to head for by density, and searches a detour where most of it is blocked (Zwerver 2018, 3.3)",
      .parameters = {
          patience(), of_zwerver("local_area", 25, 1, 1e4, "m", "how far ahead a detour ends at the latest"),
          of_zwerver("anchoring", 1.05, 1, 100, "", "how much dearer a detour may be that rejoins earlier")}};
  for (agents::Parameter& parameter : of_both()) info.parameters.push_back(parameter);
  return info;
}

agents::MethodInfo id3_info() {
  agents::MethodInfo info{
      .name = "id3",
      .help = "sees jams on the way that stand or come against it, and goes round them, near or far (Zwerver 2018, 4)",
      .parameters = {
          patience(),
          {.name = "every",
           .value = 2,
           .least = 0,
           .most = 3600,
           .unit = "s",
           .help = "between two looks along the visible way",
           .source = zwerver},
          of_zwerver("angle_degrees", 45, 0, 180, "degrees", "a stream that goes so far off the way is against it"),
          of_zwerver("speed_part", 0.5, 1e-3, 1, "", "a stream slower than this part of one's speed is a jam"),
          of_zwerver("goal_density", 0.7, 0, 20, "1/m2", "a detour ends where it is less dense (rho_d)"),
          of_zwerver("deadlock_length", 0.3, 0, 100, "m", "of the way: shorter jams are walked through (l_d)"),
          ours("predicted", 0, 1, 0, "", "1: by how dense it will be in up to 8 s, where people's ways take them"),
          ours("gates", 0, 1, 1, "", "1: detours are compared and repaired by gates and chords, as published"),
          ours("memory", 60, 1e6, 0, "s", "for which jams are remembered; 0: without end"),
          ours("memories", 4, 1000, 0, "", "jams remembered at most; 0: all"),
          ours("commitment", 30, 1e6, 0, "s", "for which a decision binds at most; 0: up to its place"),
          ours("back", 1, 1, 0, "", "1: goes back to the way it left where that is free and quicker again")}};
  for (agents::Parameter& parameter : of_both()) info.parameters.push_back(parameter);
  return info;
}

/// In the order above.
enum : std::size_t { local_area_at = 1, anchoring_at, miranda_both };
enum : std::size_t {
  every_at = 1,
  angle_at,
  speed_part_at,
  goal_density_at,
  deadlock_at,
  predicted_at,
  gates_at,
  memory_at,
  memories_at,
  commitment_at,
  back_at,
  id3_both
};

}  // namespace

DetourNumbers CongestionMethod::detour_numbers(const double* numbers) const {
  DetourNumbers own;
  own.is_id3 = kind_ == CongestionKind::id3;
  const double* both = numbers + (own.is_id3 ? std::size_t(id3_both) : std::size_t(miranda_both));
  own.threshold = both[0], own.scale = both[1], own.reject = both[2], own.search_every = both[3];
  own.rest = both[4] != 0, own.no_return = both[5] != 0;
  own.plain = both[6] != 0, own.at_once = both[7] != 0, own.seen_only = both[8] != 0;
  if (!own.is_id3) {
    own.local_area = numbers[local_area_at], own.anchoring = numbers[anchoring_at];
    own.deadlock_length = fields::square_side;
    return own;
  }
  own.every = numbers[every_at];
  own.least_cosine = geometry::unit_direction(numbers[angle_at] / 360).x;
  own.speed_part = numbers[speed_part_at];
  own.goal_density = numbers[goal_density_at], own.deadlock_length = numbers[deadlock_at];
  own.predicted = numbers[predicted_at] != 0, own.gates = numbers[gates_at] != 0;
  own.memory = numbers[memory_at], own.memories = std::size_t(numbers[memories_at]);
  own.commitment = numbers[commitment_at], own.back = numbers[back_at] != 0;
  return own;
}

std::string CongestionMethod::misfit_of(std::span<const double> numbers) const {
  if (kind_ != CongestionKind::id3 || numbers.size() < info_.parameters.size()) return {};
  const DetourNumbers own = detour_numbers(numbers.data());
  if (own.goal_density < own.threshold) return {};
  return fmt::format("'goal_density' must be below 'threshold', {:g} is not below {:g}", own.goal_density,
                     own.threshold);
}

const std::vector<const CongestionMethod*>& congestion_methods() {
  static const CongestionMethod detector(CongestionKind::detector,
                                         {.name = "none",
                                          .help = "no jam is foreseen; who is stuck looks for a gap and for other ways",
                                          .parameters = {patience()}});
  static const CongestionMethod density(
      CongestionKind::density,
      {.name = "density",
       .help = "the way that takes least time in the crowd as dense as it is now (Zwerver 2018, 2.4; formula ours)",
       .parameters = {patience(), every(5, 0)}});
  static const CongestionMethod quickest(
      CongestionKind::quickest,
      {.name = "quickest",
       .help = "everybody's way is announced, queues are foreseen, ways and exits are chosen by time (ours)",
       .parameters = {patience(),
                      every(2, std::nullopt),
                      {.name = "seen_only",
                       .value = 0,
                       .least = 0,
                       .most = 1,
                       .help = "1: only queues at passages seen in the last minute count, the rest is taken as free",
                       .source = "ours"}}});
  static const CongestionMethod miranda(CongestionKind::miranda, miranda_info());
  static const CongestionMethod id3(CongestionKind::id3, id3_info());
  static const std::vector<const CongestionMethod*> all = {&detector, &density, &quickest, &miranda, &id3};
  return all;
}

}  // namespace throng::crowd
