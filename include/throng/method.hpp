// Methods of a user's own, for the levels `follow` (a way in, a preferred velocity out) and `avoid` (a preferred velocity and what is around
// in, a chosen one out). Added to Methods, they are named in profiles like those of the library, beside them in one crowd:
//
//   throng::Methods methods;
//   methods.add(std::make_shared<MyAvoidance>());
//   throng::Crowd crowd(world, {.methods = methods});
//   crowd.add({.position = {{2, 3}, 0}, .profile = {.levels = {{"avoid", {.name = "mine", .numbers = {{"range", 3}}}}}}});
//
// Laws
// 1. run() writes the velocities and the own columns of the rows it was given and nothing else, and answers the same whatever the rows of one
//    call are: crowds call it for parts of their people, from several threads at once.
// 2. Numbers and columns are declared in info(). Numbers are checked against their bounds before anybody gets them. Columns are there while
//    anybody in the crowd uses the method, follow people when they change rows, and are part of snapshots.
// 3. Velocities are finite. Walls and bodies hold people up whatever a method says.
// Units: metres, seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/result.hpp"
#include "throng/vec2.hpp"
#include "throng/world.hpp"

namespace throng {

namespace crowd {
struct Methods;
}

/// A number of a method.
struct MethodNumber {
  std::string name;                                       ///< as profiles name it
  double value = 0;                                       ///< default
  double least = 0;                                       ///< bound
  double most = std::numeric_limits<double>::infinity();  ///< bound
  std::string unit = {};                                  ///< "m", "s", "" for plain numbers
  std::string help = {};                                  ///< one line
  std::optional<double> published = {};                   ///< what the paper says, where that is not the default
};

/// A number that a method remembers of each of its people.
struct MethodColumn {
  std::string name;       ///< distinct within the method
  double initial = 0;     ///< of people who begin to use the method
  std::string help = {};  ///< one line
};

/// What a method says of itself.
struct MethodInfo {
  std::string name;                        ///< distinct within its level
  std::string help = {};                   ///< one line, with the paper
  std::vector<MethodNumber> numbers = {};  ///< in the order in which run() gets them
  std::vector<MethodColumn> columns = {};  ///< the same
  bool steers_standing = false;  ///< runs for those of its people, too, who wait or have arrived: they prefer to stand
};

/// Everybody, as they were at the start of the step, by row. Rows are good for one call only.
struct PeopleView {
  const World* world = nullptr;                 ///< for questions about walls, sight, ways
  double time_step = 0;                         ///< seconds
  std::span<const Vec2> positions = {};         ///< of everybody
  std::span<const std::uint32_t> layers = {};   ///< of everybody
  std::span<const Vec2> velocities = {};        ///< of everybody
  std::span<const Vec2> headings = {};          ///< unit vectors
  std::span<const double> radii = {};           ///< of bodies
  std::span<const double> speeds = {};          ///< preferred, here and now
  std::span<const std::uint64_t> serials = {};  ///< of persons: never used again, the same in every run
};

/// What both kinds of methods get of a row that is theirs.
class OwnNumbers {
 public:
  /// The person's number, by its place in info().numbers.
  [[nodiscard]] double number(std::uint32_t row, std::size_t which) const { return pool_[first_[row] + which]; }
  /// What the method remembers of the person, by its place in info().columns.
  [[nodiscard]] double& column(std::uint32_t row, std::size_t which) const { return columns_[which][row]; }

  OwnNumbers(const double* pool, std::span<const std::uint32_t> first, std::span<const std::span<double>> columns)
      : pool_(pool), first_(first), columns_(columns) {}  ///< for Throng itself

 private:
  const double* pool_;
  std::span<const std::uint32_t> first_;
  std::span<const std::span<double>> columns_;
};

/// A way as a follower sees it: metres along it.
class WayAhead {
 public:
  virtual ~WayAhead() = default;                                                 ///< nothing is owned
  [[nodiscard]] virtual double length(std::uint32_t row) const = 0;              ///< of the whole way
  [[nodiscard]] virtual Position at(std::uint32_t row, double along) const = 0;  ///< a point of it
  [[nodiscard]] virtual double nearest(std::uint32_t row, double from,
                                       double to) const = 0;  ///< where in a stretch it is nearest to the person
  [[nodiscard]] virtual double progress(std::uint32_t row) const = 0;  ///< as set_progress() left it; 0 on a new way
  virtual void set_progress(std::uint32_t row, double along) = 0;      ///< how far the person has come
};

/// Level 3.
class FollowMethod {
 public:
  virtual ~FollowMethod() = default;                         ///< methods are shared
  [[nodiscard]] virtual const MethodInfo& info() const = 0;  ///< the same in every call
  /// The preferred velocity of these rows, at most their speeds.
  virtual void run(const PeopleView& people, const OwnNumbers& own, WayAhead& way, std::span<const std::uint32_t> rows,
                   std::span<Vec2> preferred) const = 0;
};

/// What an avoidance method wants to be told of a person's surroundings.
struct Surroundings {
  std::uint32_t people = 10;  ///< the nearest so many, at most 16
  double range = 5;           ///< metres, between centres
  double half_view = 180;     ///< degrees around the heading
  double wall_range = 3;      ///< metres; 0: no walls
};

/// A wall: free space lies to the left of from -> to.
struct Wall {
  Vec2 from;  ///< metres
  Vec2 to;    ///< metres
};

/// Who and what is around.
class AroundView {
 public:
  virtual ~AroundView() = default;  ///< nothing is owned
  [[nodiscard]] virtual std::span<const std::uint32_t> people(
      std::uint32_t row) const = 0;  ///< rows, nearest first, seen in a straight line
  [[nodiscard]] virtual std::span<const Wall> walls(
      std::uint32_t row) const = 0;  ///< nearest first; valid until the next call
};

/// Level 2.
class AvoidMethod {
 public:
  virtual ~AvoidMethod() = default;                          ///< methods are shared
  [[nodiscard]] virtual const MethodInfo& info() const = 0;  ///< the same in every call
  /// What people with these numbers look at.
  [[nodiscard]] virtual Surroundings looks_at(const double* numbers) const { return (void)numbers, Surroundings(); }
  /// The chosen velocity of these rows; `preferred` is by row, too.
  virtual void run(const PeopleView& people, const OwnNumbers& own, const AroundView& around,
                   std::span<const Vec2> preferred, std::span<const std::uint32_t> rows,
                   std::span<Vec2> chosen) const = 0;
};

/// The methods a crowd can use. A value: copies share what was added before they were made.
class Methods {
 public:
  Methods();  ///< those of the library
  /// Refused where the name is taken or a number's default lies outside its bounds.
  Result<bool> add(std::shared_ptr<const FollowMethod> method);
  Result<bool> add(std::shared_ptr<const AvoidMethod> method);  ///< as above
  /// Names of the methods of a level, by the keys of scenario files; empty for levels there are none of.
  [[nodiscard]] std::vector<std::string> names(const std::string& level) const;

  [[nodiscard]] const std::shared_ptr<const crowd::Methods>& inside() const { return inside_; }  ///< for Throng itself

 private:
  std::shared_ptr<const crowd::Methods> inside_;
};

}  // namespace throng
