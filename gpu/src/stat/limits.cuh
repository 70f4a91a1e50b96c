
#if !defined(__CUDACC_RTC__)
namespace std {
template <vernier::accuracy A>
struct numeric_limits<vernier::basic_@family@_stat<A>> : vernier::numeric_limits<vernier::basic_@family@_stat<A>> {
    static constexpr float_denorm_style has_denorm = denorm_present;
    static constexpr float_round_style round_style = round_to_nearest;
};
} // namespace std
#endif
