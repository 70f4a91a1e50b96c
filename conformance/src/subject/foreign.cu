typedef unsigned long long vernier_u64;
typedef $type vernier_foreign;

namespace vernier_subject {

struct rank0 {};
struct rank1 : rank0 {};
struct rank2 : rank1 {};

template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
template <bool> struct enable {};
template <> struct enable<true> { typedef int type; };
template <class V> __device__ const V &some();

// The limbs: methods hi() and lo(), members hi and lo, or members x and y.
template <class V> __device__ auto hi(const V &v, rank2) -> decltype(v.hi() + v.hi()) { return v.hi(); }
template <class V> __device__ auto hi(const V &v, rank1) -> decltype(v.hi + v.hi) { return v.hi; }
template <class V> __device__ auto hi(const V &v, rank0) -> decltype(v.x + v.x) { return v.x; }
template <class V> __device__ auto lo(const V &v, rank2) -> decltype(v.lo() + v.lo()) { return v.lo(); }
template <class V> __device__ auto lo(const V &v, rank1) -> decltype(v.lo + v.lo) { return v.lo; }
template <class V> __device__ auto lo(const V &v, rank0) -> decltype(v.y + v.y) { return v.y; }

typedef decltype(hi(some<vernier_foreign>(), rank2())) limb;
static_assert(same<limb, float>::value || same<limb, double>::value, "a pair of floats or of doubles");

__device__ inline float of_bits(vernier_u64 bits, float) { return __uint_as_float((unsigned)bits); }
__device__ inline double of_bits(vernier_u64 bits, double) { return __longlong_as_double((long long)bits); }
__device__ inline vernier_u64 bits_of(float x) { return __float_as_uint(x); }
__device__ inline vernier_u64 bits_of(double x) { return (vernier_u64)__double_as_longlong(x); }

// Functions that a type need not have; a result of another type is a conversion's.
template <class V, typename enable<same<decltype(fma(some<V>(), some<V>(), some<V>())), V>::value>::type = 0>
__device__ V fused(const V &x, const V &y, const V &z, int)
{
    return fma(x, y, z);
}
template <class V> __device__ V fused(const V &x, const V &, const V &, long) { return x; }
template <class V, typename enable<same<decltype(sqrt(some<V>())), V>::value>::type = 0>
__device__ V root(const V &x, int)
{
    return sqrt(x);
}
template <class V> __device__ V root(const V &x, long) { return x; }
template <class V, typename enable<same<decltype(fma(some<V>(), some<V>(), some<V>())), V>::value>::type = 0>
__device__ bool has_fma(int) { return true; }
template <class V> __device__ bool has_fma(long) { return false; }
template <class V, typename enable<same<decltype(sqrt(some<V>())), V>::value>::type = 0>
__device__ bool has_sqrt(int) { return true; }
template <class V> __device__ bool has_sqrt(long) { return false; }

__device__ inline vernier_foreign load(const vernier_u64 *args, vernier_u64 n, vernier_u64 i, int k)
{
    return vernier_foreign{of_bits(args[2 * k * n + i], limb()), of_bits(args[(2 * k + 1) * n + i], limb())};
}

} // namespace vernier_subject

extern "C" __global__ void foreign_about(vernier_u64 *about)
{
    about[0] = sizeof(vernier_subject::limb);
    about[1] = vernier_subject::has_fma<vernier_foreign>(0);
    about[2] = vernier_subject::has_sqrt<vernier_foreign>(0);
}

#define VERNIER_FOREIGN(name, result)                                                                                  \
    extern "C" __global__ void foreign_##name(vernier_u64 n, const vernier_u64 *args, vernier_u64 *results)            \
    {                                                                                                                  \
        using namespace vernier_subject;                                                                               \
        for (vernier_u64 i = blockIdx.x * (vernier_u64)blockDim.x + threadIdx.x; i < n;                                \
             i += (vernier_u64)gridDim.x * blockDim.x) {                                                               \
            const vernier_foreign x = load(args, n, i, 0), y = load(args, n, i, 1), z = load(args, n, i, 2);           \
            (void)y, (void)z;                                                                                          \
            const vernier_foreign r = result;                                                                          \
            results[i] = bits_of(hi(r, rank2()));                                                                      \
            results[n + i] = bits_of(lo(r, rank2()));                                                                  \
        }                                                                                                              \
    }
VERNIER_FOREIGN(add, x + y)
VERNIER_FOREIGN(sub, x - y)
VERNIER_FOREIGN(mul, x * y)
VERNIER_FOREIGN(div, x / y)
VERNIER_FOREIGN(fma, fused(x, y, z, 0))
VERNIER_FOREIGN(sqrt, root(x, 0))
