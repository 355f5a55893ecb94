#include "crowd/congestion_methods.hpp"

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

}  // namespace

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
  static const std::vector<const CongestionMethod*> all = {&detector, &density, &quickest};
  return all;
}

}  // namespace throng::crowd
