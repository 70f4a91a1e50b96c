// QD's double-double and libquadmath's binary128 in loops over arrays, for benches. A pair is two doubles, hi first.
#include <cmath>
#include <cstddef>
#include <qd/dd_real.h>
#include <quadmath.h>

extern "C" void peers_to_quad(const double *x, void *r, std::size_t n)
{
    for (std::size_t i = 0; i < n; i++) ((__float128 *)r)[i] = (__float128)x[2 * i] + x[2 * i + 1];
}

#define UNARY(name, type, call)                                                                                        \
    extern "C" void name(const void *x, const void *, void *r, std::size_t n)                                          \
    {                                                                                                                  \
        for (std::size_t i = 0; i < n; i++) {                                                                          \
            const type a = ((const type *)x)[i];                                                                       \
            ((type *)r)[i] = call;                                                                                     \
        }                                                                                                              \
    }
#define BINARY(name, type, call)                                                                                       \
    extern "C" void name(const void *x, const void *y, void *r, std::size_t n)                                         \
    {                                                                                                                  \
        for (std::size_t i = 0; i < n; i++) {                                                                          \
            const type a = ((const type *)x)[i], b = ((const type *)y)[i];                                             \
            ((type *)r)[i] = call;                                                                                     \
        }                                                                                                              \
    }

UNARY(qd_exp, dd_real, exp(a))
UNARY(qd_log, dd_real, log(a))
UNARY(qd_log10, dd_real, log10(a))
UNARY(qd_cbrt, dd_real, nroot(a, 3))
BINARY(qd_pow, dd_real, pow(a, b))
UNARY(qd_sin, dd_real, sin(a))
UNARY(qd_cos, dd_real, cos(a))
UNARY(qd_tan, dd_real, tan(a))
UNARY(qd_asin, dd_real, asin(a))
UNARY(qd_acos, dd_real, acos(a))
UNARY(qd_atan, dd_real, atan(a))
BINARY(qd_atan2, dd_real, atan2(a, b))
UNARY(qd_sinh, dd_real, sinh(a))
UNARY(qd_cosh, dd_real, cosh(a))
UNARY(qd_tanh, dd_real, tanh(a))
UNARY(qd_asinh, dd_real, asinh(a))
UNARY(qd_acosh, dd_real, acosh(a))
UNARY(qd_atanh, dd_real, atanh(a))
BINARY(qd_fmod, dd_real, fmod(a, b))

UNARY(quad_exp, __float128, expq(a))
UNARY(quad_expm1, __float128, expm1q(a))
UNARY(quad_log, __float128, logq(a))
UNARY(quad_log2, __float128, log2q(a))
UNARY(quad_log10, __float128, log10q(a))
UNARY(quad_log1p, __float128, log1pq(a))
UNARY(quad_erf, __float128, erfq(a))
UNARY(quad_erfc, __float128, erfcq(a))
UNARY(quad_tgamma, __float128, tgammaq(a))
UNARY(quad_lgamma, __float128, lgammaq(a))
UNARY(quad_j0, __float128, j0q(a))
UNARY(quad_y0, __float128, y0q(a))
UNARY(quad_cbrt, __float128, cbrtq(a))
BINARY(quad_pow, __float128, powq(a, b))
BINARY(quad_hypot, __float128, hypotq(a, b))
UNARY(quad_sin, __float128, sinq(a))
UNARY(quad_cos, __float128, cosq(a))
UNARY(quad_tan, __float128, tanq(a))
UNARY(quad_asin, __float128, asinq(a))
UNARY(quad_acos, __float128, acosq(a))
UNARY(quad_atan, __float128, atanq(a))
BINARY(quad_atan2, __float128, atan2q(a, b))
UNARY(quad_sinh, __float128, sinhq(a))
UNARY(quad_cosh, __float128, coshq(a))
UNARY(quad_tanh, __float128, tanhq(a))
UNARY(quad_asinh, __float128, asinhq(a))
UNARY(quad_acosh, __float128, acoshq(a))
UNARY(quad_atanh, __float128, atanhq(a))
BINARY(quad_fmod, __float128, fmodq(a, b))
BINARY(quad_remainder, __float128, remainderq(a, b))
