#pragma once
// Sine, cosine and arcsine with the same bits on every processor.
//
// IEEE 754 defines the results of +, -, *, / and sqrt to the last bit, but not those of sin, cos
// and asin: the C libraries of hosts and CUDA round them differently. Here they consist of the
// former alone, and a product and a sum are two operations (docs/design.md, "The order of a fold").
//
// Source: Sun Microsystems, fdlibm 5.3 (k_sin.c, k_cos.c, e_asin.c), whose coefficients these are.

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// sin x for |x| <= pi / 4; the error is below 1 unit in the last place.
EF_HD inline double portable_sin(double x) {
  const double z = x * x;
  const double rest = 8.33333333332248946124e-03 +
                      z * (-1.98412698298579493134e-04 +
                           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 +
                                                                  z * 1.58969099521155010221e-10)));
  return x + z * x * (-1.66666666666666324348e-01 + z * rest);
}

/// cos x for |x| <= pi / 4; the error is below 1 unit in the last place.
EF_HD inline double portable_cos(double x) {
  const double z = x * x;
  const double rest =
      z * (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 +
                z * (2.48015872894767294178e-05 +
                     z * (-2.75573143513906633035e-07 +
                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z;
  const double one_less = 1 - half;
  return one_less + ((1 - one_less - half) + z * rest);
}

/// asin x for |x| <= 0.5; the error is below 1 unit in the last place.
EF_HD inline double portable_asin(double x) {
  const double z = x * x;
  const double p =
      z * (1.66666666666666657415e-01 +
           z * (-3.25565818622400915405e-01 +
                z * (2.01212532134862925881e-01 +
                     z * (-4.00555345006794114027e-02 +
                          z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
  const double q =
      1 + z * (-2.40339491173441421878e+00 +
               z * (2.02094576023350569471e+00 +
                    z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02)));
  return x + x * (p / q);
}

}  // namespace evenfold::detail
