#include "environment/clean/changing_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace throng::environment {

namespace {

using geometry::GridBox;

FeaturesOfLayers features_of_layers(const Environment& plan) {
  FeaturesOfLayers features_of(plan.layers.size());
  for (std::size_t f = 0; f < plan.features.size(); ++f) {
    const Feature& feature = plan.features[f];
    features_of[feature.layer].push_back(f);
    if (feature.kind == Kind::connection && feature.other_layer != feature.layer)
      features_of[feature.other_layer].push_back(f);
  }
  return features_of;
}

/// Whether a point of the box may lie in the ring or near its border. Errs on the safe side.
bool may_meet(const Ring& ring, const geometry::SnapGrid& grid, const GridBox& box) {
  bool inside = false;  // the box's lower corner, even-odd
  const GridPoint p = box.min;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const GridPoint a = grid.snap(ring[i]), b = grid.snap(ring[(i + 1) % ring.size()]);
    const GridBox edge{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
    if (near(edge, box)) return true;
    if ((a.y <= p.y) != (b.y <= p.y) && (geometry::side(a, b, p) > 0) == (b.y > a.y)) inside = !inside;
  }
  return inside;
}

}  // namespace

Result<ChangingPlan> ChangingPlan::make(Environment plan) {
  ChangingPlan first;
  Result<CleanEnvironment> clean = clean_apart(plan, {}, &first.apart_);
  if (!clean) return clean.problems();
  first.plan_ = fixed_plan(std::move(plan), clean->grid);
  first.clean_ = std::move(clean).value();
  first.keys_.resize(first.plan_.features.size());
  std::iota(first.keys_.begin(), first.keys_.end(), std::size_t{0});
  first.next_key_ = first.keys_.size();
  first.pieces_.resize(first.plan_.layers.size());
  first.redone_.whole = true;
  return first;
}

Problems ChangingPlan::warnings() const {
  Problems all = apart_.boundaries;
  for (const Problems& of_layer : apart_.contents) all.insert(all.end(), of_layer.begin(), of_layer.end());
  return all;
}

/// The keys of the changed plan's features, and which of those of this plan are drawn otherwise.
std::vector<std::size_t> ChangingPlan::keys_after(const std::vector<Change>& changes,
                                                  std::vector<bool>& replaced) const {
  std::map<std::string, std::size_t> key_of;
  for (std::size_t f = 0; f < plan_.features.size(); ++f)
    if (plan_.features[f].kind == Kind::obstacle) key_of[plan_.features[f].id] = keys_[f];
  std::vector<std::size_t> keys = keys_;
  std::size_t next = next_key_;
  replaced.assign(next_key_, false);
  for (const Change& change : changes) {
    for (const std::string& id : change.ids) {
      std::erase(keys, key_of.at(id));
      key_of.erase(id);
    }
    for (const Feature& obstacle : change.obstacles) {
      const auto old = key_of.find(obstacle.id);
      if (change.kind == Change::Kind::replace && old != key_of.end()) {
        if (old->second < replaced.size()) replaced[old->second] = true;
      } else {
        keys.push_back(next);
        key_of[obstacle.id] = next++;
      }
    }
  }
  return keys;
}

Result<ChangingPlan> ChangingPlan::after(const std::vector<Change>& changes) const {
  ChangingPlan next;
  std::vector<bool> replaced;
  next.keys_ = keys_after(changes, replaced);
  next.plan_ = plan_;
  for (const Change& change : changes) apply(next.plan_, change);
  next.next_key_ = std::max(next_key_, next.keys_.empty() ? 0 : next.keys_.back() + 1);
  next.clean_ = clean_;
  next.apart_ = apart_;
  next.pieces_ = pieces_;
  if (next.change_in_pieces(*this, replaced)) return next;

  Result<CleanEnvironment> clean = clean_apart(next.plan_, {}, &next.apart_);
  if (!clean) return clean.problems();
  next.clean_ = std::move(clean).value();
  next.pieces_.assign(next.plan_.layers.size(), std::nullopt);
  next.redone_ = {.pieces = 0, .contents = 0, .whole = true};
  return next;
}

/// Cut on the plan as it is. Nothing is decided by pieces that do not give the boundary that cleaning gave.
ChangingPlan::LayerPieces ChangingPlan::cut_into_pieces(std::size_t layer) const {
  Problems none;
  const FeaturesOfLayers features_of = features_of_layers(plan_);
  const CleanContext context{plan_, clean_.grid, features_of, none};
  std::optional<Pieces> pieces = pieces_of({context, keys_, layer, apart_.neighbours[layer]});
  if (!pieces) return std::shared_ptr<const Pieces>();
  const std::optional<PieceBoundary> boundary = boundary_of(*pieces);
  const CleanLayer& clean = clean_.layers[layer];
  if (!boundary || boundary->polygons != clean.free || boundary->walls != clean.walls)
    return std::shared_ptr<const Pieces>();
  return std::make_shared<const Pieces>(std::move(*pieces));
}

/// This plan is the changed one, with all else as it was before. False where the whole has to be cleaned.
bool ChangingPlan::change_in_pieces(const ChangingPlan& before, const std::vector<bool>& replaced) {
  std::map<std::size_t, Redrawn> of_layer;
  const auto is_same = [&](std::size_t key, const std::vector<std::size_t>& keys) {
    return std::binary_search(keys.begin(), keys.end(), key) && (key >= replaced.size() || !replaced[key]);
  };
  const auto add = [&](const Feature& feature, std::size_t key, bool comes) {
    Redrawn& drawn = of_layer[feature.layer];
    const std::vector<Shape> shapes = shapes_of(clean_.grid, feature, key);
    for (const Shape& shape : shapes) drawn.touched.push_back(shape.box);
    if (comes)
      drawn.come.insert(drawn.come.end(), shapes.begin(), shapes.end());
    else
      drawn.gone.insert(key);
  };
  for (std::size_t f = 0; f < before.plan_.features.size(); ++f)
    if (!is_same(before.keys_[f], keys_)) add(before.plan_.features[f], before.keys_[f], false);
  for (std::size_t f = 0; f < plan_.features.size(); ++f)
    if (!is_same(keys_[f], before.keys_)) add(plan_.features[f], keys_[f], true);
  for (const auto& [layer, drawn] : of_layer)
    if (!change_layer(before, layer, drawn)) return false;
  return true;
}

bool ChangingPlan::change_layer(const ChangingPlan& before, std::size_t layer, const Redrawn& drawn) {
  LayerPieces& kept = pieces_[layer];
  if (!kept) kept = before.cut_into_pieces(layer);
  if (*kept == nullptr || clean_.layers[layer].free.empty()) return false;
  Pieces pieces = **kept;
  Problems none;
  const FeaturesOfLayers features_of = features_of_layers(plan_);
  const CleanContext context{plan_, clean_.grid, features_of, none};
  const std::optional<Exchanged> done =
      exchange(pieces, {context, keys_, layer, apart_.neighbours[layer]}, drawn.gone, drawn.come);
  if (!done) return false;
  redone_.pieces += done->pieces;
  std::optional<PieceBoundary> boundary = boundary_of(pieces);
  if (!boundary || boundary->polygons.empty()) return false;  // cleaning has something to say of that
  clean_.layers[layer].free = std::move(boundary->polygons);
  clean_.layers[layer].walls = std::move(boundary->walls);
  kept = std::make_shared<const Pieces>(std::move(pieces));
  std::vector<GridBox> touched = drawn.touched;
  touched.insert(touched.end(), done->moved.begin(), done->moved.end());
  return !touches_contents(layer, touched) || cut_contents(layer, context);
}

/// Whether a region or an area lies where the boundary changed, or near.
bool ChangingPlan::touches_contents(std::size_t layer, const std::vector<GridBox>& touched) const {
  const auto is_met = [&](const Ring& ring) {
    return std::any_of(touched.begin(), touched.end(),
                       [&](const GridBox& box) { return may_meet(ring, clean_.grid, box); });
  };
  return std::any_of(plan_.features.begin(), plan_.features.end(), [&](const Feature& feature) {
    const bool lies_on = feature.layer == layer && (feature.kind == Kind::region || feature.kind == Kind::area);
    return lies_on && std::any_of(feature.polygons.begin(), feature.polygons.end(),
                                  [&](const Polygon& polygon) { return is_met(polygon.outer); });
  });
}

bool ChangingPlan::cut_contents(std::size_t layer, const CleanContext& context) {
  CleanLayer& clean = clean_.layers[layer];
  clean.regions.clear();
  clean.areas.clear();
  apart_.contents[layer].clear();
  clean_contents({context.environment, context.grid, context.features_of, apart_.contents[layer]}, layer, clean);
  ++redone_.contents;
  return !has_errors(apart_.contents[layer]);
}

}  // namespace throng::environment
