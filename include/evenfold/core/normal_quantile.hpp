#pragma once
// The quantile function of the normal distribution, with the same bits on every processor.
//
// All operations are fused multiply-adds, divisions, square roots and multiplications without an
// addition. IEEE 754 defines these to the last bit, so no compiler can round differently. For the
// same reason there is a logarithm of its own here.
//
// Source: Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied
// Statistics 37 (1988), routine PPND16.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// c[0] + c[1] x + ... + c[N - 1] x^(N - 1).
template <std::size_t N>
EF_HD inline double polynomial(const double (&c)[N], double x) {
  double value = c[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) value = std::fma(value, x, c[i]);
  return value;
}

/// The natural logarithm of a positive normal number, to 2^-51 relative: x = m 2^e with m around 1,
/// log m = 2 artanh s, s = (m - 1) / (m + 1).
EF_HD inline double portable_log(double x) {
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t bits = bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = bit_cast<double>((bits & fraction) | std::uint64_t{1023} << 52);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double artanh_over_s[] = {1.,      1. / 3,  1. / 5,  1. / 7,  1. / 9,  1. / 11,
                                  1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23};
  return std::fma(static_cast<double>(exponent), 0.69314718055994530942,
                  2 * s * polynomial(artanh_over_s, s * s));
}

/// The x with P(X < x) = p for a standard normal X, 0 < p < 1; relative error about 1e-15.
EF_HD inline double normal_quantile(double p) {
  const double from_middle = p - 0.5;
  if (std::fabs(from_middle) <= 0.425) {
    const double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                        1.9715909503065514427e+3, 1.3731693765509461125e+4,
                        4.5921953931549871457e+4, 6.7265770927008700853e+4,
                        3.3430575583588128105e+4, 2.5090809287301226727e+3};
    const double b[] = {1.,
                        4.2313330701600911252e+1,
                        6.8718700749205790830e+2,
                        5.3941960214247511077e+3,
                        2.1213794301586595867e+4,
                        3.9307895800092710610e+4,
                        2.8729085735721942674e+4,
                        5.2264952788528545610e+3};
    const double r = std::fma(-from_middle, from_middle, 0.180625);
    return from_middle * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-portable_log(from_middle < 0 ? p : 1 - p));
  double size;
  if (r <= 5) {
    const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                        5.76949722146069140550e0,  3.64784832476320460504e0,
                        1.27045825245236838258e0,  2.41780725177450611770e-1,
                        2.27238449892691845833e-2, 7.74545014278341407640e-4};
    const double d[] = {1.,
                        2.05319162663775882187e0,
                        1.67638483018380384940e0,
                        6.89767334985100004550e-1,
                        1.48103976427480074590e-1,
                        1.51986665636164571966e-2,
                        5.47593808499534494600e-4,
                        1.05075007164441684324e-9};
    size = polynomial(c, r - 1.6) / polynomial(d, r - 1.6);
  } else {
    const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                        1.78482653991729133580e0,  2.96560571828504891230e-1,
                        2.65321895265761230930e-2, 1.24266094738807843860e-3,
                        2.71155556874348757815e-5, 2.01033439929228813265e-7};
    const double f[] = {1.,
                        5.99832206555887937690e-1,
                        1.36929880922735805310e-1,
                        1.48753612908506148525e-2,
                        7.86869131145613259100e-4,
                        1.84631831751005468180e-5,
                        1.42151175831644588870e-7,
                        2.04426310338993978564e-15};
    size = polynomial(e, r - 5) / polynomial(f, r - 5);
  }
  return from_middle < 0 ? -size : size;
}

}  // namespace evenfold::detail
