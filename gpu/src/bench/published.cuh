// Division and roots of double-word numbers as published, which start from approximations of the hardware: low (Karp and
// Markstein 1997), mid (Nagai, Yoshida, Kuroda and Kanada 2008) and high (mid on scaled operands) division, square root
// and reciprocal root (Karp and Markstein 1997).
#define PUBLISHED static __device__ __forceinline__

PUBLISHED float published_rcp(float a) { float r; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); return r; }
PUBLISHED double published_rcp(double a) { return __drcp_rn(a); }
PUBLISHED float published_rsqrt(float a) { float r; asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); return r; }
PUBLISHED double published_rsqrt(double a) { return rsqrt(a); }

template <class P> PUBLISHED P published_div_low(P a, P b)
{
    const auto r = published_rcp(b.hi);
    const auto q = vernier_mul(a.hi, r);
    auto e = vernier_fma(b.hi, -q, a.hi);
    e = vernier_add(a.lo, e);
    e = vernier_fma(b.lo, -q, e);
    return {q, vernier_mul(r, e)};
}

template <class P> PUBLISHED P published_div_mid(P a, P b)
{
    const auto r = published_rcp(b.hi);
    auto h = vernier_mul(a.hi, r);
    auto e = vernier_fma(b.hi, -h, a.hi);
    h = vernier_fma(r, e, h);
    auto l = vernier_fma(b.hi, -h, a.hi);
    l = vernier_add(a.lo, l);
    l = vernier_fma(b.lo, -h, l);
    e = vernier_mul(r, l);
    l = vernier_fma(b.hi, -e, l);
    l = vernier_fma(r, l, e);
    const auto hi = vernier_add(h, l);
    return {hi, vernier_add(vernier_sub(h, hi), l)};
}

// Scale and its inverse by the biased exponent.
PUBLISHED void published_scale(float a, float &s, float &inverse)
{
    const unsigned e = __float_as_uint(a) >> 23 & 0xff;
    s = e < 32 ? 0x1p64f : e > 222 ? 0x1p-64f : 1.0f;
    inverse = e < 32 ? 0x1p-64f : e > 222 ? 0x1p64f : 1.0f;
}
PUBLISHED void published_scale(double a, double &s, double &inverse)
{
    const unsigned e = (unsigned)__double2hiint(a) >> 20 & 0x7ff;
    s = e < 64 ? 0x1p512 : e > 1982 ? 0x1p-512 : 1.0;
    inverse = e < 64 ? 0x1p-512 : e > 1982 ? 0x1p512 : 1.0;
}

template <class P> PUBLISHED P published_div_high(P a, P b)
{
    decltype(a.hi) sa, ia, sb, ib;
    published_scale(a.hi, sa, ia);
    published_scale(b.hi, sb, ib);
    const P r = published_div_mid(P{vernier_mul(a.hi, sa), vernier_mul(a.lo, sa)}, P{vernier_mul(b.hi, sb), vernier_mul(b.lo, sb)});
    const auto f = vernier_mul(ia, sb);
    const auto h = vernier_mul(r.hi, f), l = vernier_mul(r.lo, f);
    const auto s = vernier_add(h, l);
    return {s, vernier_sub(l, vernier_sub(s, h))};
}

template <class P> PUBLISHED P published_sqrt(P a)
{
    auto r = published_rsqrt(a.hi);
    if (a.hi == 0) r = 0;
    const auto y = vernier_mul(a.hi, r);
    auto s = vernier_fma(y, -y, a.hi);
    r = vernier_mul(r, decltype(r)(0.5));
    const auto e = vernier_add(s, a.lo);
    const auto k = vernier_add(vernier_sub(s, e), a.lo);
    const auto h = vernier_mul(r, e);
    auto l = vernier_fma(r, e, -h);
    l = vernier_fma(r, k, l);
    r = vernier_add(y, h);
    s = vernier_add(vernier_sub(y, r), h);
    s = vernier_add(s, l);
    const auto hi = vernier_add(r, s);
    return {hi, vernier_add(vernier_sub(r, hi), s)};
}

template <class P> PUBLISHED P published_rsqrt_pair(P a)
{
    auto r = published_rsqrt(a.hi);
    auto e = vernier_mul(a.hi, r);
    auto s = vernier_fma(e, -r, decltype(r)(1));
    e = vernier_fma(a.hi, r, -e);
    s = vernier_fma(e, -r, s);
    e = vernier_mul(a.lo, r);
    s = vernier_fma(e, -r, s);
    e = vernier_mul(r, decltype(r)(0.5));
    const auto zh = vernier_mul(e, s);
    const auto zl = vernier_fma(e, s, -zh);
    s = vernier_add(r, zh);
    r = vernier_add(r, -s);
    r = vernier_add(r, zh);
    r = vernier_add(r, zl);
    const auto hi = vernier_add(s, r);
    return {hi, vernier_add(vernier_sub(s, hi), r)};
}

#define PUBLISHED_TYPE(name, P)                                                                                        \
    PUBLISHED P published_##name##_low_div(P a, P b) { return published_div_low(a, b); }                               \
    PUBLISHED P published_##name##_mid_div(P a, P b) { return published_div_mid(a, b); }                               \
    PUBLISHED P published_##name##_high_div(P a, P b) { return published_div_high(a, b); }                             \
    PUBLISHED P published_##name##_mid_sqrt(P a) { return published_sqrt(a); }                                         \
    PUBLISHED P published_##name##_mid_rsqrt(P a) { return published_rsqrt_pair(a); }
PUBLISHED_TYPE(fp32mp2, vernier_pair32)
PUBLISHED_TYPE(fp64mp2, vernier_pair64)
#undef PUBLISHED_TYPE
