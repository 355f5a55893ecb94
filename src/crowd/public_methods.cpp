// Methods from outside (include/throng/method.hpp) as the crowd's own interfaces.
#include <fmt/format.h>

#include <algorithm>

#include "crowd/methods.hpp"
#include "following/route_window.hpp"
#include "steering/field_of_view.hpp"
#include "throng/method.hpp"

namespace throng {
namespace {

Problem refused(std::string what) { return {Severity::error, ProblemCode::value, "method", std::move(what)}; }

/// The description as the crowd keeps it, with the texts it refers to.
class Described {
 public:
  explicit Described(const MethodInfo& info) : of_user_(info) {
    info_.name = of_user_.name;
    info_.help = of_user_.help;
    info_.steers_standing = of_user_.steers_standing;
    for (const MethodNumber& n : of_user_.numbers)
      info_.parameters.push_back({.name = n.name,
                                  .value = n.value,
                                  .least = n.least,
                                  .most = n.most,
                                  .unit = n.unit,
                                  .help = n.help,
                                  .published = n.published});
    for (const MethodColumn& c : of_user_.columns)
      info_.columns.push_back({.name = c.name, .initial = c.initial, .help = c.help});
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  [[nodiscard]] const agents::MethodInfo& info() const { return info_; }

 private:
  MethodInfo of_user_;
  agents::MethodInfo info_;
};

std::string misfit(const MethodInfo& info) {
  if (info.name.empty()) return "a method needs a name";
  for (std::size_t i = 0; i < info.numbers.size(); ++i) {
    const MethodNumber& n = info.numbers[i];
    const auto fits = [&](double value) { return value >= n.least && value <= n.most; };
    if (!fits(n.value) || !fits(n.published.value_or(n.value)))
      return fmt::format("{} of '{}' is not within its own bounds", n.name, info.name);
    for (std::size_t k = 0; k < i; ++k)
      if (info.numbers[k].name == n.name) return fmt::format("'{}' has two numbers '{}'", info.name, n.name);
  }
  for (std::size_t i = 0; i < info.columns.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (info.columns[k].name == info.columns[i].name)
        return fmt::format("'{}' has two columns '{}'", info.name, info.columns[i].name);
  return {};
}

PeopleView view_of(const agents::People& people) {
  return {static_cast<const World*>(people.host),
          people.time_step,
          people.position,
          people.layer,
          people.velocity,
          people.heading,
          people.radius,
          people.speed,
          people.serial};
}

OwnNumbers own_of(const agents::Blocks& blocks, const agents::OwnColumns* own) {
  return {blocks.pool, blocks.first,
          own != nullptr ? std::span<const std::span<double>>(own->numbers) : std::span<const std::span<double>>()};
}

class Ways final : public WayAhead {
 public:
  Ways(const following::FollowView& view, const following::FollowOutput& out) : view_(view), out_(out) {}
  [[nodiscard]] double length(std::uint32_t row) const override { return view_.way(row).length(); }
  [[nodiscard]] Position at(std::uint32_t row, double along) const override {
    const routes::RoutePoint point = open(row, along, along).at(along);
    return {point.point, point.layer};
  }
  [[nodiscard]] double nearest(std::uint32_t row, double from, double to) const override {
    return open(row, from, to).closest(view_.people.position[row], from, std::min(to, length(row))).along;
  }
  [[nodiscard]] double progress(std::uint32_t row) const override { return out_.memory[row].reference; }
  void set_progress(std::uint32_t row, double along) override {
    out_.memory[row] = {std::clamp(along, 0.0, length(row)), std::clamp(along, 0.0, length(row))};
  }

 private:
  [[nodiscard]] const routes::Route& open(std::uint32_t row, double from, double to) const {
    thread_local following::RouteWindow window;
    window.open(view_.way(row), std::clamp(from, 0.0, length(row)));
    window.reach(std::clamp(to, 0.0, length(row)));
    return window.pieces();
  }
  const following::FollowView& view_;
  const following::FollowOutput& out_;
};

class OutsideFollower final : public following::Follower {
 public:
  explicit OutsideFollower(std::shared_ptr<const FollowMethod> method)
      : method_(std::move(method)), said_(method_->info()) {}
  [[nodiscard]] const agents::MethodInfo& info() const override { return said_.info(); }
  void run(const following::FollowView& view, std::span<const agents::Slot> who,
           const following::FollowOutput& out) const override {
    Ways ways(view, out);
    method_->run(view_of(view.people), own_of(view.parameters, out.own), ways, who, out.preferred_velocity);
  }

 private:
  std::shared_ptr<const FollowMethod> method_;
  Described said_;
};

class Surrounds final : public AroundView {
 public:
  explicit Surrounds(const steering::AvoidView& view) : view_(view) {}
  [[nodiscard]] std::span<const std::uint32_t> people(std::uint32_t row) const override {
    return view_.perception->neighbours(row);
  }
  [[nodiscard]] std::span<const Wall> walls(std::uint32_t row) const override {
    walls_.clear();
    for (const agents::Index site : view_.perception->walls(row)) {
      const navmesh::Site& wall = view_.people.mesh->site(site);
      walls_.push_back({wall.a, wall.b});
    }
    return walls_;
  }

 private:
  const steering::AvoidView& view_;
  mutable std::vector<Wall> walls_;
};

class OutsideAvoider final : public steering::Avoider {
 public:
  explicit OutsideAvoider(std::shared_ptr<const AvoidMethod> method)
      : method_(std::move(method)), said_(method_->info()) {}
  [[nodiscard]] const agents::MethodInfo& info() const override { return said_.info(); }
  [[nodiscard]] steering::Needs needs(const double* numbers) const override {
    const Surroundings wanted = method_->looks_at(numbers);
    return {.most = std::min(wanted.people, steering::Perception::capacity),
            .range = wanted.range,
            .view_cosine = wanted.half_view >= 180 ? -1 : steering::half_view_cosine(wanted.half_view),
            .wall_range = wanted.wall_range};
  }
  [[nodiscard]] double relaxation(const double*) const override { return 0; }
  [[nodiscard]] double speed_limit(const double*) const override { return steering::speed_limit_factor; }
  void run(const steering::AvoidView& view, std::span<const agents::Slot> who,
           std::span<Vec2> new_velocity) const override {
    const Surrounds around(view);
    method_->run(view_of(view.people), own_of(view.parameters, view.own), around, view.preferred_velocity, who,
                 new_velocity);
  }

 private:
  std::shared_ptr<const AvoidMethod> method_;
  Described said_;
};

/// The registries with one more method, in a copy of their own.
template <class Add>
Result<bool> added(std::shared_ptr<const crowd::Methods>& to, const MethodInfo& info, const Add& add) {
  if (std::string why = misfit(info); !why.empty()) return refused(std::move(why));
  auto more = std::make_shared<crowd::Methods>(*to);
  if (std::string why = add(*more); !why.empty()) return refused(std::move(why));
  to = std::move(more);
  return true;
}

}  // namespace

Methods::Methods() : inside_(crowd::built_in_methods()) {}

Result<bool> Methods::add(std::shared_ptr<const FollowMethod> method) {
  if (!method) return refused("there is no method");
  return added(inside_, method->info(),
               [&](crowd::Methods& to) { return to.follow.add(std::make_shared<OutsideFollower>(method)); });
}

Result<bool> Methods::add(std::shared_ptr<const AvoidMethod> method) {
  if (!method) return refused("there is no method");
  return added(inside_, method->info(),
               [&](crowd::Methods& to) { return to.avoid.add(std::make_shared<OutsideAvoider>(method)); });
}

std::vector<std::string> Methods::names(const std::string& level) const {
  std::vector<std::string> names;
  const agents::Catalogue catalogue = inside_->catalogue();
  if (const std::optional<agents::Level> which = agents::level_of(level))
    for (const agents::MethodInfo& info : catalogue[*which]) names.emplace_back(info.name);
  return names;
}

}  // namespace throng
