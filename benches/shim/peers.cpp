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

UNARY(quad_exp, __float128, expq(a))
UNARY(quad_expm1, __float128, expm1q(a))
UNARY(quad_log, __float128, logq(a))
UNARY(quad_log2, __float128, log2q(a))
UNARY(quad_log10, __float128, log10q(a))
UNARY(quad_log1p, __float128, log1pq(a))
UNARY(quad_cbrt, __float128, cbrtq(a))
BINARY(quad_pow, __float128, powq(a, b))
BINARY(quad_hypot, __float128, hypotq(a, b))
