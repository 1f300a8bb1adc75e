#pragma once
// Great-circle distance: the haversine formula, and a quick bound for it.
//
// The haversine h of the angle between two places grows with their distance and needs two sines.
// The squared chord, the square of the straight line between the two places, is 4 h and needs only
// three subtractions and three products of coordinates that are computed once. It rules out most
// pairs before the formula is needed.
//
// Differences are taken in degrees, where the inputs are exact: places one degree to the west and
// to the east are equally far, to the last bit. Every processor gives the same bits
// (geo/trigonometry.hpp).

#include <cmath>

#include "evenfold/core/config.hpp"
#include "evenfold/geo/trigonometry.hpp"

namespace evenfold {

inline constexpr double earth_radius_miles = 3958.76;
inline constexpr double earth_radius_kilometres = 6371.01;

/// A point of the unit sphere: x towards (0, 0), y towards (0, 90 east), z towards the north pole.
struct sphere_point {
  double x, y, z;
};

/// Sine and cosine of an angle in degrees, exact at multiples of 90: the north pole is one point
/// whatever its longitude, and 180 east is 180 west. Accurate to 2 units in the last place for
/// |degrees| up to 2^40.
EF_HD inline void sincos_degrees(double degrees, double& sine, double& cosine) {
  const double quarters = std::floor(degrees / 90 + 0.5);
  // At most 45 degrees remain; the subtraction is exact.
  const double radians = (degrees - 90 * quarters) * (3.14159265358979323846 / 180);
  const double s = detail::portable_sin(radians);
  const double c = detail::portable_cos(radians);
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

/// |a - b|^2, from 0 for equal points to 4 for antipodes. It grows with the great-circle distance.
EF_HD inline double squared_chord(sphere_point a, sphere_point b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return x * x + y * y + z * z;
}

namespace detail {

/// sin^2(degrees / 2) for 0 <= degrees <= 180.
EF_HD inline double squared_sine_of_half(double degrees) {
  constexpr double half_radian = 3.14159265358979323846 / 360;
  const double sine = degrees <= 90 ? portable_sin(degrees * half_radian)
                                    : portable_cos((180 - degrees) * half_radian);
  return sine * sine;
}

/// 2 asin(sqrt(h)) for 0 <= h <= 0.5. Beyond an angle of 60 degrees it is a quarter turn less
/// asin(1 - 2 h), where 1 - 2 h is exact.
EF_HD inline double angle_of_haversine(double h) {
  if (h <= 0.25) return 2 * portable_asin(std::sqrt(h));
  return 3.14159265358979323846 / 2 - portable_asin(1 - 2 * h);
}

}  // namespace detail

/// h = sin^2((lat_b - lat_a) / 2) + cos lat_a cos lat_b sin^2((lon_b - lon_a) / 2), from 0 for
/// equal places to 1 for antipodes. Latitudes and longitudes in degrees, longitudes from -180 to
/// 180; symmetric to the last bit.
EF_HD inline double haversine(double latitude_a, double longitude_a, double cos_latitude_a,
                              double latitude_b, double longitude_b, double cos_latitude_b) {
  const double north = std::fabs(latitude_b - latitude_a);
  const double east = std::fabs(longitude_b - longitude_a);
  return detail::squared_sine_of_half(north) +
         cos_latitude_a * cos_latitude_b *
             detail::squared_sine_of_half(east > 180 ? 360 - east : east);
}

/// The angle between two places in radians, 2 asin(sqrt(h)). Beyond a quarter turn it is measured
/// from the antipode, where h is small and the arcsine is accurate. The absolute error is below
/// 2e-15 everywhere.
EF_HD inline double great_circle_angle(double latitude_a, double longitude_a, double cos_latitude_a,
                                       double latitude_b, double longitude_b,
                                       double cos_latitude_b) {
  const double h =
      haversine(latitude_a, longitude_a, cos_latitude_a, latitude_b, longitude_b, cos_latitude_b);
  if (h <= 0.5) return detail::angle_of_haversine(h);
  const double opposite = longitude_b > 0 ? longitude_b - 180 : longitude_b + 180;
  const double rest =
      haversine(latitude_a, longitude_a, cos_latitude_a, -latitude_b, opposite, cos_latitude_b);
  return 3.14159265358979323846 - detail::angle_of_haversine(rest);
}

/// The same, from the coordinates in degrees alone.
EF_HD inline double great_circle_angle(double latitude_a, double longitude_a, double latitude_b,
                                       double longitude_b) {
  double sine, cosine_a, cosine_b;
  sincos_degrees(latitude_a, sine, cosine_a);
  sincos_degrees(latitude_b, sine, cosine_b);
  return great_circle_angle(latitude_a, longitude_a, cosine_a, latitude_b, longitude_b, cosine_b);
}

}  // namespace evenfold
