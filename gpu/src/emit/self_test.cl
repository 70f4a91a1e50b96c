
/// Whether this build computes as it must: false where options that no macro shows change results.
static bool vernier_self_test(void)
{
    bool sound = true;
    {
        volatile float v[5] = {1.0f, 3.0f, 0x1p-40f, as_float(1u), INFINITY};
        const float one = v[0], three = v[1], t = v[2], tiny = v[3], infinity = v[4];
        const float s = one + t, b = s - one, rest = (one - (s - b)) + (t - b);
        const float third = one / three, product = third * three, apart = product - one, fused = fma(third, three, -one);
        const float nan = infinity - infinity, kept = tiny * one, sum = tiny + tiny;
        sound = sound && s == one && rest == t && apart == 0 && fused != 0 && infinity + one == infinity && nan != nan;
        sound = sound && !(fabs(infinity) < infinity) && !(nan < one) && !(one <= nan);
        sound = sound && as_uint(kept) == 1 && as_uint(sum) == 2 && 0 < tiny && tiny < sum;
    }
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
    {
        volatile double v[5] = {1.0, 3.0, 0x1p-80, as_double(1ul), as_double(0x7ff0000000000000ul)};
        const double one = v[0], three = v[1], t = v[2], tiny = v[3], infinity = v[4];
        const double s = one + t, b = s - one, rest = (one - (s - b)) + (t - b);
        const double third = one / three, product = third * three, apart = product - one, fused = fma(third, three, -one);
        const double nan = infinity - infinity, kept = tiny * one, sum = tiny + tiny;
        sound = sound && s == one && rest == t && apart == 0 && fused != 0 && infinity + one == infinity && nan != nan;
        sound = sound && !(fabs(infinity) < infinity) && !(nan < one) && !(one <= nan);
        sound = sound && as_ulong(kept) == 1 && as_ulong(sum) == 2 && 0 < tiny && tiny < sum;
    }
#endif
    return sound;
}

#endif
