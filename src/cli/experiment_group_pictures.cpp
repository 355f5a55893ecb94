// `throng experiment groups-pictures`: what docs/groups.md shows. Three companions in halls of falling width, so that they walk abreast, in a V and
// behind each other; and one that is put far behind, is parted, walks alone and is one of them again.
#include <fmt/format.h>

#include <algorithm>

#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "crowd/crowd.hpp"
#include "crowd/groups.hpp"
#include "crowd/methods.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/picture.hpp"
#include "environment/sketch.hpp"

namespace throng::cli {
namespace {

/// Where everybody was at one time; lines join those who were together.
struct Moment {
  std::vector<Vec2> at;
  std::vector<bool> is_parted;
};

struct Film {
  crowd::WorldPtr world;
  std::string name, title;
  std::vector<Moment> moments;
  std::string shape;
};

constexpr double radius = 0.24;

std::string draw(const Film& film) {
  const environment::CleanEnvironment& environment = film.world->environment;
  const environment::Layout layout = environment::lay_out(environment);
  const auto canvas = environment::make_svg_canvas(layout.width, layout.height, film.title);
  environment::draw_environment(*canvas, environment, layout, film.title);
  canvas->set_view(layout.panels.front().view);
  canvas->begin_group("people");
  const environment::Colour lost{214, 39, 40};
  for (const Moment& moment : film.moments) {
    for (std::size_t i = 1; i < moment.at.size(); ++i)
      canvas->segment(moment.at[i - 1], moment.at[i],
                      environment::Style::line(moment.is_parted[i] ? lost : environment::palette(0), 0.8));
    for (std::size_t i = 0; i < moment.at.size(); ++i)
      canvas->circle(moment.at[i], radius,
                     environment::Style::line(moment.is_parted[i] ? lost : environment::palette(i), 1.2));
  }
  canvas->end_group();
  return canvas->finish();
}

/// Three companions walk along a hall; every so many seconds they are drawn.
Result<Film> walk(std::string name, double length, double width, double every, std::string_view method,
                  bool puts_one_back) {
  environment::Sketch sketch(name);
  sketch.walkable({environment::rectangle({0, 0}, {length, width}), {}});
  Result<environment::CleanEnvironment> clean = environment::clean(sketch.environment());
  if (!clean) return clean.problems();
  Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value());
  if (!world) return world.problems();
  Film film{*world, name, "", {}, ""};
  crowd::Crowd crowd(*world, {.seed = 1, .threads = 1});
  std::vector<crowd::AgentSpec> specs(3);
  const double start = puts_one_back ? 22 : 2;
  for (std::size_t i = 0; i < 3; ++i) {
    specs[i].place = {{start - 0.7 * double(i % 2), width / 2 + (width > 1.9 ? 0.55 * (double(i) - 1) : 0)}, 0};
    if (width <= 1.9) specs[i].place.point.x = start - 0.6 * double(i);
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({{{length - 1, width / 2}, 0}, 0.5, {}, 0});
    specs[i].itinerary = itinerary;
    specs[i].speed = i == 2 ? 1.9 : 1.2;
    specs[i].number = std::uint32_t(i);
  }
  const agents::MethodInfo& info = crowd::built_in_methods()->group.find(method)->info();
  crowd::GroupSpec group{{std::string(method), agents::default_block(info)}};
  if (puts_one_back) group.method.parameters[std::size_t(info.parameter("patience") - info.parameters.data())] = 3;
  const auto ids = crowd.add_group(specs, group);
  if (!ids) return ids.problems();
  double next = 0;
  while (crowd.size() == 3 && crowd.time() < 200) {
    if (puts_one_back && crowd.step_count() == 40)
      if (const auto put = crowd.teleport(ids->back(), {{2, width / 2}, 0}); !put) return put.problems();
    if (const auto stepped = crowd.step(0.1); !stepped) return stepped.problems();
    if (crowd.time() < next) continue;
    next = crowd.time() + every;
    Moment moment;
    for (const crowd::AgentId id : *ids) {
      const crowd::Slot slot = crowd.slot_of(id);
      if (slot == crowd::none) continue;
      moment.at.push_back(crowd.people().position[slot]);
      moment.is_parted.push_back(crowd.companionship_of(slot) == crowd::Companionship::parted);
    }
    film.moments.push_back(std::move(moment));
    if (const auto view = crowd.group(1); view && view->shape)
      film.shape = steering::shape_names[std::size_t(*view->shape)];
  }
  film.title =
      fmt::format("{}: {} m wide, every {} s{}", method, width, every, film.shape.empty() ? "" : ", " + film.shape);
  return film;
}

ExitCode run(const ExperimentOptions& options) {
  ExperimentFigures figures("groups-pictures");
  struct Scene {
    const char* name;
    double length, width, every;
    const char* method;
    bool puts_one_back;
  };
  for (const Scene& scene : {Scene{"abreast", 24, 5, 3, "formation", false}, Scene{"v", 24, 2.1, 3, "formation", false},
                             Scene{"river", 24, 1.2, 3, "formation", false}, Scene{"sgn", 24, 5, 3, "sgn", false},
                             Scene{"parted", 130, 6, 8, "sgn", true}}) {
    const Result<Film> film =
        walk(scene.name, scene.length, scene.width, scene.every, scene.method, scene.puts_one_back);
    if (!film) return refused(film.problems());
    std::size_t parted = 0;
    for (const Moment& moment : film->moments) parted += std::ranges::count(moment.is_parted, true) > 0 ? 1 : 0;
    figures.add({scene.name, scene.method, film->shape, "moments", double(film->moments.size()), {}, 1, {}});
    figures.add({scene.name, scene.method, film->shape, "moments with somebody parted", double(parted), {}, 1, {}});
    if (const Problems problems = write_into(options, fmt::format("groups_{}.svg", scene.name), draw(*film));
        has_errors(problems))
      return refused(problems);
  }
  const Problems problems = figures.finish(options);
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"groups-pictures", "three companions abreast, in a V, behind each other; one parted and found again", run, {}});

}  // namespace
}  // namespace throng::cli
