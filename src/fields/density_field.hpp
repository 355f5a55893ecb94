// How dense and how fast a crowd is at every place: the density field DF and the velocity field VF (Zwerver 2018, 3.3.1, 3.4.1), on squares of 0.3 m.
//
// Everybody leaves a stamp: one person spread around the square it was in, with the velocity it had. Stamps are renewed when their owner says so,
// and taken off when it leaves; who looks takes the own stamp off, as it was left. The sums are whole numbers.
//
// Laws
// 1. density(s) is the sum over all stamps of their share on s, a square metre; velocity(s) their velocities' mean by these shares, 0 where
//    nobody is.
// 2. With the kernel `walls` all shares sum to one_person times the stamps: total().
// 3. The same stamps give the same bits, in whatever order they were added, renewed and taken off.
// 4. What is left by people in one part of the world that is closed off is zero in all others (kernel `walls`).
// Units: metres, seconds. Complexity: a stamp touches the squares of its circle, 197 at most in one layer. Thread-safety: one writer, or any number of
// readers.
#pragma once

#include <cstdint>

#include "fields/kernels.hpp"

namespace throng::fields {

/// What somebody left: all that a snapshot needs to know to make the field anew.
struct Stamp {
  Square square;                                ///< none: nothing was left
  std::int16_t velocity_x = 0, velocity_y = 0;  ///< millimetres a second
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

class DensityField {
  struct Sums {
    std::int64_t persons = 0;                 ///< shares
    std::int64_t moving_x = 0, moving_y = 0;  ///< shares times millimetres a second
  };

 public:
  /// Reads squares one after the other, without what oneself left; near ones in little time. Until the field is written again.
  class Look {
   public:
    Look(const DensityField& field, const Stamp& own) : field_(field), own_(own), squares_(field.sums_) {}
    [[nodiscard]] double density(const Square& square) { return density_of(sums(square).persons); }
    [[nodiscard]] Vec2 velocity(const Square& square) { return velocity_of(sums(square)); }
    struct Seen {
      double density = 0;
      Vec2 velocity;
    };
    [[nodiscard]] Seen at(const Square& square) {
      const Sums found = sums(square);
      return {density_of(found.persons), velocity_of(found)};
    }

   private:
    [[nodiscard]] Sums sums(const Square& square);

    const DensityField& field_;
    Stamp own_;
    SparseSquares<Sums>::Reader squares_;
  };

  explicit DensityField(navmesh::MeshPtr mesh, KernelKind kind = KernelKind::walls) : kernels_(std::move(mesh), kind) {}

  /// The stamp of somebody who walks; velocities beyond 32 m/s are cut there.
  [[nodiscard]] Stamp stamp_of(const navmesh::Place& place, Vec2 velocity) const;
  void add(const Stamp& stamp) { write(stamp, 1); }
  void remove(const Stamp& stamp) { write(stamp, -1); }
  /// Takes an old stamp off and leaves a new one.
  void renew(Stamp& stamp, const Stamp& anew);

  /// The square where a place's density is looked up.
  [[nodiscard]] Square square_of(const navmesh::Place& place) const { return kernels_.square_of(place); }
  /// Persons a square metre.
  [[nodiscard]] double density(const Square& square) const;
  /// The same without what oneself left: a stamp that is in the field.
  [[nodiscard]] double density_without(const Square& square, const Stamp& own) const {
    return Look(*this, own).density(square);
  }
  /// Metres a second.
  [[nodiscard]] Vec2 velocity(const Square& square) const;
  [[nodiscard]] Vec2 velocity_without(const Square& square, const Stamp& own) const {
    return Look(*this, own).velocity(square);
  }

  /// Of all squares: people times one_person, with the kernel `walls`.
  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] KernelKind kind() const { return kernels_.kind(); }
  /// Calls visit(square, persons a square metre) for all squares that are not empty.
  template <class Visit>
  void for_each(Visit&& visit) const {
    sums_.for_each([&](const Square& square, const Sums& sums) {
      if (sums.persons != 0) visit(square, density_of(sums.persons));
    });
  }
  [[nodiscard]] std::size_t bytes() const { return sums_.bytes() + kernels_.bytes(); }

 private:
  void write(const Stamp& stamp, std::int64_t sign);
  [[nodiscard]] static double density_of(std::int64_t persons);
  [[nodiscard]] static Vec2 velocity_of(const Sums& sums);

  Kernels kernels_;
  SparseSquares<Sums> sums_;
  std::int64_t total_ = 0;
};

}  // namespace throng::fields
