// How a flow field is computed; only flow_field*.cpp use this.
#pragma once

#include <vector>

#include "routes/flow_field.hpp"

namespace throng::routes {

class FlowFieldBuilder {
 public:
  explicit FlowFieldBuilder(FlowField& field);
  void run(std::span<const FlowGoal> goals);

 private:
  struct Pushed {
    WindowSpread::Entry entry;
    Index serial;
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
  std::vector<Pushed> open_;
  std::vector<WindowSpread::Entry> entries_;
  std::vector<Kept> kept_;
  Index serial_ = 0;
};

}  // namespace throng::routes
