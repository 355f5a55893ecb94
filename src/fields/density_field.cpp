#include "fields/density_field.hpp"

#include <algorithm>
#include <cmath>

namespace throng::fields {

namespace {

std::int16_t in_millimetres(double metres) {
  const double most = 32767;
  return std::isfinite(metres) ? std::int16_t(std::clamp(std::floor(metres * 1000 + 0.5), -most, most))
                               : std::int16_t{0};
}

}  // namespace

Stamp DensityField::stamp_of(const navmesh::Place& place, Vec2 velocity) const {
  return {kernels_.square_of(place), in_millimetres(velocity.x), in_millimetres(velocity.y)};
}

void DensityField::write(const Stamp& stamp, std::int64_t sign) {
  if (!stamp.square) return;
  kernels_.spread(stamp.square, [&](const Square& square, std::int64_t weight) {
    Sums& sums = sums_[square];
    sums.persons += sign * weight;
    sums.moving_x += sign * weight * stamp.velocity_x;
    sums.moving_y += sign * weight * stamp.velocity_y;
    total_ += sign * weight;
  });
}

void DensityField::renew(Stamp& stamp, const Stamp& anew) {
  remove(stamp);
  add(anew);
  stamp = anew;
}

double DensityField::density_of(std::int64_t persons) {
  return double(persons) / (double(one_person) * square_side * square_side);
}

Vec2 DensityField::velocity_of(const Sums& sums) {
  if (sums.persons <= 0) return {};
  return Vec2{double(sums.moving_x), double(sums.moving_y)} / (1000 * double(sums.persons));
}

DensityField::Sums DensityField::Look::sums(const Square& square) {
  Sums sums = squares_.at(square);
  if (!own_.square || sums.persons == 0) return sums;
  const std::int64_t weight = field_.kernels_.share_on(own_.square, square);
  sums.persons -= weight;
  sums.moving_x -= weight * own_.velocity_x;
  sums.moving_y -= weight * own_.velocity_y;
  return sums;
}

double DensityField::density(const Square& square) const { return density_of(sums_.at(square).persons); }
Vec2 DensityField::velocity(const Square& square) const { return velocity_of(sums_.at(square)); }

}  // namespace throng::fields
