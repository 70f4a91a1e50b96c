namespace vernier {
namespace detail {

template <class T, accuracy A> struct arithmetic;
#define VERNIER_LEVEL(T, pair, family, level)                                                                          \
    template <> struct arithmetic<T, accuracy::level> {                                                                \
        VERNIER_HD static pair add(pair x, pair y) { return family##_##level##_add(x, y); }                            \
        VERNIER_HD static pair sub(pair x, pair y) { return family##_##level##_sub(x, y); }                            \
        VERNIER_HD static pair mul(pair x, pair y) { return family##_##level##_mul(x, y); }                            \
        VERNIER_HD static pair div(pair x, pair y) { return family##_##level##_div(x, y); }                            \
        VERNIER_HD static pair acc(pair x, T c) { return family##_##level##_acc(x, c); }                               \
        VERNIER_HD static pair fma(pair x, pair y, pair z) { return family##_##level##_fma(x, y, z); }                 \
        VERNIER_HD static pair mad(pair x, pair y, pair z) { return family##_##level##_mad(x, y, z); }                 \
        VERNIER_HD static pair renormalize(pair x) { return family##_##level##_renormalize(x); }                       \
    };
VERNIER_LEVEL(float, vernier_pair32, fp32mp2, low)
VERNIER_LEVEL(float, vernier_pair32, fp32mp2, mid)
VERNIER_LEVEL(float, vernier_pair32, fp32mp2, high)
VERNIER_LEVEL(double, vernier_pair64, fp64mp2, low)
VERNIER_LEVEL(double, vernier_pair64, fp64mp2, mid)
VERNIER_LEVEL(double, vernier_pair64, fp64mp2, high)
#undef VERNIER_LEVEL

} // namespace detail
} // namespace vernier

