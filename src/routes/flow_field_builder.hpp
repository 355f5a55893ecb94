// How a flow field is computed; only flow_field*.cpp use this.
#pragma once

#include <vector>

#include "routes/flow_field.hpp"
#include "routes/open_list.hpp"

namespace throng::routes {

class FlowFieldBuilder {
 public:
  explicit FlowFieldBuilder(FlowField& field);
  void run(std::span<const FlowGoal> goals);

 private:
  struct Pushed {
    WindowSpread::Entry entry;
    Index serial;
    [[nodiscard]] bool comes_before(const Pushed& other) const {
      return entry.bound != other.entry.bound ? entry.bound < other.entry.bound : serial < other.serial;
    }
  };
  struct Kept {
    Index tile;
    TangentWindow window;
  };

  void start_at(const FlowGoal& goal);
  void push(const WindowSpread::Entry& entry);
  void store();

  FlowField& field_;
  TileMeasures measures_;
  WindowSpread spread_;
  Heap<Pushed> open_;
  std::vector<WindowSpread::Entry> entries_;
  std::vector<Kept> kept_;
  Index serial_ = 0;
};

}  // namespace throng::routes
