#include "validation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace throng::validation {

double normal_below(double x, double mean, double deviation) {
  return 0.5 * std::erfc(-(x - mean) / (deviation * std::sqrt(2.0)));
}

double gamma_below(double x, double shape, double scale) {
  if (x <= 0) return 0;
  const double z = x / scale;
  // The power series (Abramowitz, Stegun 6.5.29); all terms are positive, so that nothing cancels.
  double term = 1 / shape, sum = term;
  for (int n = 1; n < 10000 && term > sum * 1e-16; ++n) {
    term *= z / (shape + n);
    sum += term;
  }
  return std::min(1.0, sum * std::exp(-z + shape * std::log(z) - std::lgamma(shape)));
}

double weibull_below(double x, double shape, double scale) {
  return x <= 0 ? 0 : 1 - std::exp(-std::pow(x / scale, shape));
}

double lognormal_below(double x, double mean, double deviation) {
  return x <= 0 ? 0 : normal_below(std::log(x), mean, deviation);
}

double kolmogorov_smirnov(std::vector<double> values) {
  std::ranges::sort(values);
  const double n = double(values.size());
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    most = std::max({most, double(i + 1) / n - values[i], values[i] - double(i) / n});
  return most * std::sqrt(n) / 1.36;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / double(values.size() - 1));
}

std::vector<Bin> bins_of(std::vector<Vec2> points, double width, std::size_t least) {
  std::map<long, std::vector<Vec2>> gathered;
  for (const Vec2 point : points) gathered[std::lround(std::floor(point.x / width))].push_back(point);
  std::vector<Bin> bins;
  for (auto& [number, members] : gathered) {
    if (members.size() < least) continue;
    std::ranges::sort(members, {}, &Vec2::y);
    const auto at = [&](double part) { return members[std::size_t(part * double(members.size() - 1) + 0.5)].y; };
    Bin bin;
    bin.samples = members.size();
    for (const Vec2 member : members) bin.x += member.x, bin.mean += member.y;
    bin.x /= double(members.size()), bin.mean /= double(members.size());
    bin.low = at(0.1), bin.middle = at(0.5), bin.high = at(0.9);
    bins.push_back(bin);
  }
  return bins;
}

std::optional<double> read_off(const std::vector<Bin>& bins, double x) {
  for (std::size_t i = 0; i + 1 < bins.size(); ++i)
    if (x >= bins[i].x && x <= bins[i + 1].x)
      return bins[i].mean + (bins[i + 1].mean - bins[i].mean) * (x - bins[i].x) / (bins[i + 1].x - bins[i].x);
  return std::nullopt;
}

double explained_by_line(const std::vector<Vec2>& points) {
  const double n = double(points.size());
  Vec2 mean;
  for (const Vec2 p : points) mean = mean + p / n;
  double xx = 0, xy = 0, yy = 0;
  for (const Vec2 p : points) {
    const Vec2 d = p - mean;
    xx += d.x * d.x, xy += d.x * d.y, yy += d.y * d.y;
  }
  return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
}

}  // namespace throng::validation
