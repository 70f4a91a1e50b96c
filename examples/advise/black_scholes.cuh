// Prices of European calls (Black and Scholes 1973), strike 1 and rate 2%: s, v and t are prices, volatilities and years to expiry.
template <class T> struct BlackScholes {
    static __device__ __host__ T item(const double *s, const double *v, const double *t, long, long i)
    {
        const T price(s[i]), volatility(v[i]), years(t[i]), rate(0.02), half(0.5f);
        const T spread = volatility * sqrt(years), root = sqrt(half);
        const T d = (log(price) + (rate + half * volatility * volatility) * years) / spread;
        // The normal distribution function of x is erfc(-x / sqrt(2)) / 2.
        const T bought = half * erfc(-d * root), paid = half * erfc((spread - d) * root);
        return price * bought - exp(-rate * years) * paid;
    }
};
