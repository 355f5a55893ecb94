// Nodes of OpenStreetMap files and their numbers, in few bytes: what osm_file.cpp holds until it knows what is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <osmium/osm/location.hpp>
#include <osmium/osm/way.hpp>
#include <utility>
#include <vector>

namespace throng::environment {

using NodeId = std::int64_t;

/// Whole numbers in few bytes, where each is near the one before: differences, seven bits a byte.
class PackedNumbers {
 public:
  void put(std::int64_t number, std::int64_t before) {
    const std::uint64_t step = std::uint64_t(number) - std::uint64_t(before);
    std::uint64_t word = (step << 1) ^ (0 - (step >> 63));
    for (; word >= 0x80; word >>= 7) bytes_.push_back(std::uint8_t(word | 0x80));
    bytes_.push_back(std::uint8_t(word));
  }

  /// The number at this place, and on to the next.
  [[nodiscard]] std::int64_t get(std::size_t& at, std::int64_t before) const {
    std::uint64_t word = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t byte = bytes_[at++];
      word |= std::uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return std::int64_t(std::uint64_t(before) + ((word >> 1) ^ (0 - (word & 1))));
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  void clear() { bytes_ = {}; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Node numbers of many ways.
class NodeLists {
 public:
  struct Place {
    std::size_t begin = 0;
    std::uint32_t count = 0;
  };

  Place add(const osmium::WayNodeList& nodes) {
    const Place place{packed_.size(), std::uint32_t(nodes.size())};
    NodeId before = 0;
    for (const osmium::NodeRef& node : nodes) packed_.put(node.ref(), std::exchange(before, node.ref()));
    return place;
  }

  template <class Visit>
  void visit(Place place, Visit&& visit) const {
    std::size_t at = place.begin;
    NodeId id = 0;
    for (std::uint32_t i = 0; i < place.count; ++i) visit(id = packed_.get(at, id));
  }

  void clear() { packed_.clear(); }

 private:
  PackedNumbers packed_;
};

/// All nodes of a file with their places, until it is known which are needed: some nine bytes each.
class AllNodes {
 public:
  void add(NodeId id, osmium::Location place) {
    sorted_ &= count_ == 0 || id > last_.id;
    if (count_++ % stride == 0) anchors_.push_back({packed_.size(), last_});
    packed_.put(id, last_.id);
    packed_.put(place.x(), last_.x);
    packed_.put(place.y(), last_.y);
    last_ = {id, place.x(), place.y()};
  }

  template <class Visit>
  void visit(Visit&& visit) const {
    Node node;
    for (std::size_t at = 0; at < packed_.size();) {
      node = next(at, node);
      visit(node.id, node.place());
    }
  }

  /// A node among those so far, quickest near the last that was asked for; undefined where it is not there, or the file not sorted.
  [[nodiscard]] osmium::Location find(NodeId id) {
    if (!sorted_ || count_ == 0 || id > last_.id) return osmium::Location();
    constexpr std::size_t near = 4 * stride;
    if (at_ > 0 && id == found_.id) return found_.place();
    if (id <= found_.id || id > found_.id + NodeId(near)) {
      // The last anchor whose nodes follow a smaller one: the anchor holds the node before its own.
      auto anchor =
          std::partition_point(anchors_.begin() + 1, anchors_.end(), [&](const Anchor& a) { return a.before.id < id; });
      --anchor;
      at_ = anchor->at, found_ = anchor->before;
    }
    while (at_ < packed_.size()) {
      const Node before = found_;
      const std::size_t here = at_;
      found_ = next(at_, before);
      if (found_.id == id) return found_.place();
      if (found_.id < id) continue;
      at_ = here, found_ = before;
      break;
    }
    return osmium::Location();
  }

  void clear() { packed_.clear(), anchors_ = {}; }

 private:
  static constexpr std::size_t stride = 32;
  struct Node {
    NodeId id = 0;
    std::int64_t x = 0, y = 0;
    [[nodiscard]] osmium::Location place() const { return osmium::Location(std::int32_t(x), std::int32_t(y)); }
  };
  struct Anchor {
    std::size_t at = 0;
    Node before;
  };

  Node next(std::size_t& at, const Node& before) const {
    const NodeId id = packed_.get(at, before.id);
    const std::int64_t x = packed_.get(at, before.x);
    return {id, x, packed_.get(at, before.y)};
  }

  PackedNumbers packed_;
  std::vector<Anchor> anchors_;
  Node last_;
  std::size_t count_ = 0;
  bool sorted_ = true;
  std::size_t at_ = 0;  ///< behind found_
  Node found_;
};

/// Places of the nodes that are needed, by number.
class NodePlaces {
 public:
  void need(NodeId id) {
    if (ids_.empty() || ids_.back() != id) ids_.push_back(id);
    if (ids_.size() >= next_tidying_) tidy();
  }

  void start() {
    tidy();
    ids_.shrink_to_fit();
    places_.resize(ids_.size());
  }

  /// Files are mostly sorted: the next one asked about is mostly the next one in the list.
  void offer(NodeId id, osmium::Location location) {
    if (cursor_ >= ids_.size() || ids_[cursor_] != id) {
      if (cursor_ < ids_.size() && id < ids_[cursor_] && (cursor_ == 0 || id > ids_[cursor_ - 1])) return;
      cursor_ = std::size_t(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
    }
    if (cursor_ < ids_.size() && ids_[cursor_] == id) places_[cursor_++] = location;
  }

  /// Neighbours on a way are mostly neighbours in the list.
  [[nodiscard]] osmium::Location find(NodeId id) {
    const auto is_at = [&](std::size_t at) { return at < ids_.size() && ids_[at] == id; };
    if (is_at(cursor_ + 1))
      ++cursor_;
    else if (!is_at(cursor_))
      cursor_ = std::size_t(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
    return is_at(cursor_) ? places_[cursor_] : osmium::Location();
  }

 private:
  /// Shared nodes would otherwise be listed once a way.
  void tidy() {
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    next_tidying_ = std::max<std::size_t>(2 * ids_.size(), 1 << 20);
  }

  std::vector<NodeId> ids_;
  std::vector<osmium::Location> places_;
  std::size_t cursor_ = 0;
  std::size_t next_tidying_ = 1 << 20;
};

}  // namespace throng::environment
