#pragma once
// Great-circle distance through unit vectors.
//
// Idea: a place is a point of the unit sphere. The straight line between two such points, the
// chord, grows with the arc between them, so its square -- three subtractions, three products --
// puts distances in order without any trigonometry; one arc tangent gives the arc itself.

#include <cmath>

#include "evenfold/core/config.hpp"

namespace evenfold {

inline constexpr double earth_radius_miles = 3958.76;
inline constexpr double earth_radius_kilometres = 6371.01;

/// A point of the unit sphere: x towards (0, 0), y towards (0, 90 east), z towards the north pole.
struct sphere_point {
  double x, y, z;
};

/// Sine and cosine of an angle in degrees, exact at multiples of 90: there is one north pole,
/// whatever its longitude, and 180 east is 180 west. Accurate to 2 units in the last place for
/// |degrees| up to 2^40.
EF_HD inline void sincos_degrees(double degrees, double& sine, double& cosine) {
  const double quarters = std::floor(degrees / 90 + 0.5);
  // At most 45 degrees remain; the subtraction is exact.
  const double radians = (degrees - 90 * quarters) * (3.14159265358979323846 / 180);
  const double s = std::sin(radians);
  const double c = std::cos(radians);
  const auto quarter = static_cast<long long>(quarters) & 3;
  sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

/// The point at a latitude and a longitude in degrees, north and east positive.
EF_HD inline sphere_point to_sphere(double latitude, double longitude) {
  double sin_latitude, cos_latitude, sin_longitude, cos_longitude;
  sincos_degrees(latitude, sin_latitude, cos_latitude);
  sincos_degrees(longitude, sin_longitude, cos_longitude);
  return {cos_latitude * cos_longitude, cos_latitude * sin_longitude, sin_latitude};
}

/// |a - b|^2: from 0 for one place to 4 for its antipode; grows with the great-circle distance.
EF_HD inline double squared_chord(sphere_point a, sphere_point b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return x * x + y * y + z * z;
}

/// The angle between two points in radians, 2 atan2(|a - b|, |a + b|). Absolute error a few 2^-53,
/// also near 0 and near the antipode, where the haversine formula's arc sine loses half of the
/// digits.
EF_HD inline double great_circle_angle(sphere_point a, sphere_point b) {
  return 2 * std::atan2(std::sqrt(squared_chord(a, b)),
                        std::sqrt(squared_chord(a, sphere_point{-b.x, -b.y, -b.z})));
}

}  // namespace evenfold
