#include "agents/columns.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <numeric>

#include "support/random.hpp"

using namespace throng;
using namespace throng::agents;

namespace {

struct Sample {
  ColumnStore store;
  Column<std::uint32_t> id{store, "id", Lives::agent, true};
  Column<double> mood{store, "mood", Lives::goal, true, 0.5};
  Column<Vec2> place{store, "place", Lives::route, true};
  Column<float> hint{store, "hint", Lives::step, false, 1.0F};

  explicit Sample(std::size_t people) {
    store.grow_to(people);
    for (std::uint32_t i = 0; i < people; ++i) {
      id[i] = i, mood[i] = i + 0.25, place[i] = {double(i), -double(i)}, hint[i] = 7;
    }
  }
  [[nodiscard]] std::vector<Slot> everybody() const {
    std::vector<Slot> slots(store.slots());
    std::iota(slots.begin(), slots.end(), Slot{0});
    return slots;
  }
};

}  // namespace

TEST_CASE("columns: a new slot has first values in every column") {
  Sample sample(2);
  sample.store.grow_to(3);
  CHECK(sample.mood[2] == 0.5);
  CHECK(sample.hint[2] == 1.0F);
  CHECK(sample.place[2] == Vec2{});
  sample.store.reset(0);
  CHECK(sample.mood[0] == 0.5);
  CHECK(sample.id[1] == 1);
}

TEST_CASE("columns: a permutation moves everything of a person") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  constexpr Slot people = 100;
  Sample sample(people);
  std::vector<Slot> from(people);
  std::iota(from.begin(), from.end(), Slot{0});
  for (Slot i = people - 1; i > 0; --i) std::swap(from[i], from[random.below(i + 1)]);
  Cycles cycles;
  std::vector<bool> done(people);
  for (Slot first = 0; first < people; ++first) {
    if (done[first] || from[first] == first) continue;
    Slot at = first;
    do {
      cycles.slots.push_back(at);
      done[at] = true;
      at = from[at];
    } while (at != first);
    cycles.slots.back() |= Cycles::end_of_cycle;
  }
  for (AnyColumn* column : sample.store.columns()) column->permute(cycles);
  for (Slot slot = 0; slot < people; ++slot) {
    CHECK(sample.id[slot] == from[slot]);
    CHECK(sample.mood[slot] == from[slot] + 0.25);
    CHECK(sample.place[slot] == Vec2{double(from[slot]), -double(from[slot])});
  }
}

TEST_CASE("columns: values end with what they belong to") {
  Sample sample(2);
  sample.store.reset(1, Lives::route);
  CHECK(sample.place[1] == Vec2{});
  CHECK(sample.mood[1] == 1.25);
  sample.store.reset(1, Lives::goal);
  CHECK(sample.mood[1] == 0.5);
  CHECK(sample.id[1] == 1);
  CHECK(sample.place[0] == Vec2{0, 0});
}

TEST_CASE("columns: saved and loaded by name; what is missing or unknown is refused by its name") {
  Sample sample(5);
  geometry::ArchiveWriter out;
  sample.store.save(out, sample.everybody());
  {
    Sample other(5);
    for (Slot slot = 0; slot < 5; ++slot) other.store.reset(slot);
    geometry::ArchiveReader in(out.bytes());
    CHECK(other.store.load(in, other.everybody()) == "");
    CHECK(in.at_end());
    CHECK(other.mood[3] == 3.25);
    CHECK(other.place[4] == Vec2{4, -4});
    CHECK(other.hint[3] == 1.0F);  // not saved
  }
  {
    Sample other(5);
    const Column<double> more(other.store, "more", Lives::agent, true);
    geometry::ArchiveReader in(out.bytes());
    CHECK(other.store.load(in, other.everybody()) == "column 'more' is missing");
  }
  {
    auto more = std::make_unique<Column<double>>(sample.store, "more", Lives::agent, true);
    geometry::ArchiveWriter with_more;
    sample.store.save(with_more, sample.everybody());
    more.reset();  // and the column is gone
    CHECK(sample.store.find("more") == nullptr);
    geometry::ArchiveReader in(with_more.bytes());
    CHECK(sample.store.load(in, sample.everybody()) == "column 'more' is not known here");
  }
  for (std::size_t cut = 0; cut < out.bytes().size(); cut += 3) {
    Sample other(5);
    geometry::ArchiveReader in(std::string_view(out.bytes()).substr(0, cut));
    CHECK(other.store.load(in, other.everybody()) != "");
  }
}
