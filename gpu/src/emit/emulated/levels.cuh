namespace vernier {

template <class W, accuracy A> class emulated_double;
/// Packed: the word is the bits of a double.
template <accuracy A> using basic_fp64emu = emulated_double<vernier_u64, A>;
/// Unpacked: sign, exponent and a significand of 62 digits.
template <accuracy A> using basic_fp64emu_unpacked = emulated_double<vernier_unpacked, A>;

namespace detail {

/// The class among types of which all others are scalars or that same class: what an operation on n such operands gives.
template <class... S> struct emulated_first { using type = void; };
template <class T, class... S> struct emulated_first<T, S...> : emulated_first<S...> {};
template <class W, accuracy A, class... S> struct emulated_first<emulated_double<W, A>, S...> {
    using type = emulated_double<W, A>;
};
template <class T, class... S> struct emulated_operands {
    static constexpr bool value = ((is_same<S, T>::value || scalar<S>::value) && ...);
};
template <class... S> struct emulated_operands<void, S...> { static constexpr bool value = false; };
template <int n, class T, class... S>
struct emulated_result : enable_if<sizeof...(S) == n && emulated_operands<T, S...>::value, T> {};
template <int n, class... S>
using emulated_of = typename emulated_result<n, typename emulated_first<S...>::type, S...>::type;

template <class S> VERNIER_HD constexpr bool is_signed() { return S(-1) < S(1); }

// Conversions in constant expressions; at run time the recorded functions run.
VERNIER_HD constexpr vernier_unpacked unpacked_constant(bool negative, int exponent, vernier_u64 significand)
{
    vernier_u64 top = significand;
    for (; top != 0 && top >> 63 == 0; top <<= 1) exponent--;
    return top == 0 ? vernier_unpacked{negative, 0u - (1u << 29), 0}
                    : vernier_unpacked{negative, (vernier_u32)exponent + 2, top >> 2 | ((top & 3) != 0)};
}
template <class S> VERNIER_HD constexpr void constant_words(S x, vernier_unpacked &words)
{
    if constexpr (is_same<S, float>::value || is_same<S, double>::value) {
        const vernier_u64 bits = __builtin_bit_cast(vernier_u64, double(x));
        const vernier_u64 fraction = bits & 0xfffffffffffffull;
        const int field = (int)(bits >> 52 & 0x7ff);
        const bool negative = bits >> 63 != 0;
        if (field != 0x7ff) {
            words = unpacked_constant(negative, field ? field : 1, (field ? fraction | 1ull << 52 : fraction) << 9);
        } else {
            words = {0, 3u << 28, 3ull << 60};
            if (fraction == 0) words = {negative, 1u << 28, 1ull << 61};
        }
    } else {
        // Not `x < 0`, which compilers remark on where S is unsigned.
        const bool negative = x < S(1) && x != S(0);
        words = unpacked_constant(negative, 1084, negative ? 0 - (vernier_u64)x : (vernier_u64)x);
    }
}
template <class S> VERNIER_HD constexpr void constant_words(S x, vernier_u64 &words)
{
    const double d = double(x);
    words = d == d || is_same<S, double>::value ? __builtin_bit_cast(vernier_u64, d) : 0x7ff8000000000000ull;
}

// Moves between doubles and their images, opaque to compilers, which would turn what is done to an image into operations
// on doubles.
#if defined(__CUDA_ARCH__)
VERNIER_INLINE vernier_u64 image_of(double x)
{
    vernier_u64 image;
    asm("mov.b64 %0, %1;" : "=l"(image) : "d"(x));
    return image;
}
VERNIER_INLINE double double_of(vernier_u64 image)
{
    double x;
    asm("mov.b64 %0, %1;" : "=d"(x) : "l"(image));
    return x;
}
#else
VERNIER_INLINE vernier_u64 image_of(double x) { return vernier_bits(x); }
VERNIER_INLINE double double_of(vernier_u64 image) { return vernier_f64(image); }
#endif

VERNIER_HD inline vernier_u64 image(vernier_u64 x) { return x; }
VERNIER_HD constexpr bool is_nonzero(vernier_u64 x) { return x << 1 != 0; }
VERNIER_HD inline bool is_nonzero(vernier_unpacked x) { return fp64emu_unpacked_to_bool(x); }
VERNIER_HD constexpr vernier_u64 negated(vernier_u64 x) { return x ^ 1ull << 63; }
VERNIER_HD constexpr vernier_unpacked negated(vernier_unpacked x) { return {x.sign ^ 1, x.exponent, x.significand}; }
VERNIER_HD constexpr bool has_sign(vernier_u64 x) { return x >> 63 != 0; }
VERNIER_HD constexpr bool has_sign(vernier_unpacked x) { return x.sign != 0; }
template <class W> VERNIER_HD constexpr W without_sign(W x) { return has_sign(x) ? negated(x) : x; }
VERNIER_HD inline void complex_parts(vernier_u128 x, vernier_u64 &re, vernier_u64 &im) { re = x.hi, im = x.lo; }
VERNIER_HD inline void complex_parts(vernier_unpacked2 x, vernier_unpacked &re, vernier_unpacked &im)
{
    re = x.re, im = x.im;
}

/// What the levels share, on words.
template <class W> struct emulated_shared;
/// The functions of a level, on words.
template <class W, accuracy A> struct emulated;

#define VERNIER_IS(op, function)                                                                                       \
    template <class... S> VERNIER_HD static auto op(S... x) { return function(x...); }
#define VERNIER_SHARED(W, family, from_image, into_image)                                                              \
    template <> struct emulated_shared<W> {                                                                            \
        VERNIER_IS(fma, family##_fma)                                                                                  \
        VERNIER_IS(of_image, from_image)                                                                               \
        VERNIER_IS(to_image, into_image)                                                                               \
        VERNIER_IS(eq, family##_eq)                                                                                    \
        VERNIER_IS(ne, family##_ne)                                                                                    \
        VERNIER_IS(lt, family##_lt)                                                                                    \
        VERNIER_IS(le, family##_le)                                                                                    \
        VERNIER_IS(gt, family##_gt)                                                                                    \
        VERNIER_IS(ge, family##_ge)                                                                                    \
        VERNIER_IS(from_f32, family##_from_f32)                                                                        \
        VERNIER_IS(from_i32, family##_from_i32)                                                                        \
        VERNIER_IS(from_i64, family##_from_i64)                                                                        \
        VERNIER_IS(from_u32, family##_from_u32)                                                                        \
        VERNIER_IS(from_u64, family##_from_u64)                                                                        \
        VERNIER_IS(to_f32, family##_to_f32)                                                                            \
        VERNIER_IS(to_i8, family##_to_i8)                                                                              \
        VERNIER_IS(to_i16, family##_to_i16)                                                                            \
        VERNIER_IS(to_i32, family##_to_i32)                                                                            \
        VERNIER_IS(to_i64, family##_to_i64)                                                                            \
        VERNIER_IS(to_u8, family##_to_u8)                                                                              \
        VERNIER_IS(to_u16, family##_to_u16)                                                                            \
        VERNIER_IS(to_u32, family##_to_u32)                                                                            \
        VERNIER_IS(to_u64, family##_to_u64)                                                                            \
    };
VERNIER_SHARED(vernier_u64, fp64emu, image, image)
VERNIER_SHARED(vernier_unpacked, fp64emu_unpacked, fp64emu_unpacked_from_fp64emu, fp64emu_unpacked_to_fp64emu)
#undef VERNIER_SHARED

#define VERNIER_LEVEL(W, family, level)                                                                                \
    template <> struct emulated<W, accuracy::level> : emulated_shared<W> {                                             \
        VERNIER_IS(add, family##_##level##_add)                                                                        \
        VERNIER_IS(sub, family##_##level##_sub)                                                                        \
        VERNIER_IS(mul, family##_##level##_mul)                                                                        \
        VERNIER_IS(div, family##_##level##_div)                                                                        \
        VERNIER_IS(sqrt, family##_##level##_sqrt)                                                                      \
        VERNIER_IS(mad, family##_##level##_mad)                                                                        \
        VERNIER_IS(dot, family##_##level##_dot)                                                                        \
        VERNIER_IS(cmul, family##_##level##_cmul)                                                                      \
    };
VERNIER_LEVEL(vernier_u64, fp64emu, low)
VERNIER_LEVEL(vernier_u64, fp64emu, mid)
VERNIER_LEVEL(vernier_u64, fp64emu, high)
VERNIER_LEVEL(vernier_unpacked, fp64emu_unpacked, low)
VERNIER_LEVEL(vernier_unpacked, fp64emu_unpacked, mid)
VERNIER_LEVEL(vernier_unpacked, fp64emu_unpacked, high)
#undef VERNIER_LEVEL
#undef VERNIER_IS

template <class W, class S> VERNIER_HD constexpr W emulated_from(S x)
{
    using family = emulated_shared<W>;
    if (__builtin_is_constant_evaluated()) {
        W words{};
        constant_words(x, words);
        return words;
    }
    if constexpr (is_same<S, double>::value) return family::of_image(image_of(x));
    else if constexpr (is_same<S, float>::value) return family::from_f32(x);
    else if constexpr (sizeof(S) == 8 && is_signed<S>()) return family::from_i64((vernier_u64)x);
    else if constexpr (sizeof(S) == 8) return family::from_u64((vernier_u64)x);
    else if constexpr (is_signed<S>()) return family::from_i32((vernier_u32)(int)x);
    else return family::from_u32((vernier_u32)x);
}

template <class S, class W> VERNIER_HD constexpr S emulated_to(W x)
{
    using family = emulated_shared<W>;
    if constexpr (is_same<S, double>::value && is_same<W, vernier_u64>::value) {
        return __builtin_is_constant_evaluated() ? __builtin_bit_cast(double, x) : double_of(x);
    } else if constexpr (is_same<S, double>::value) return double_of(family::to_image(x));
    else if constexpr (is_same<S, float>::value) return family::to_f32(x);
    else if constexpr (is_same<S, bool>::value) return is_nonzero(x);
    else if constexpr (sizeof(S) == 8) return (S)(is_signed<S>() ? family::to_i64(x) : family::to_u64(x));
    else if constexpr (sizeof(S) == 4) return (S)(is_signed<S>() ? family::to_i32(x) : family::to_u32(x));
    else if constexpr (sizeof(S) == 2) return (S)(is_signed<S>() ? family::to_i16(x) : family::to_u16(x));
    else return (S)(is_signed<S>() ? family::to_i8(x) : family::to_u8(x));
}

} // namespace detail
