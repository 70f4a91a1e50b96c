// Prices of European calls (Black and Scholes 1973), strike 1 and rate 2%: s, v and t are prices, volatilities and years to expiry.
template <class T> struct BlackScholes {
    // The normal distribution function: the continued fraction of Laplace far out, the series of the error function elsewhere.
    static __device__ __host__ T cumulative(T x)
    {
        const T one(1), zero(0), square = x * x;
        const T density = exp(T(-0.5f) * square) * T(0.398942280401432677939946059934);
        if (square > T(25)) {
            const T a = x < zero ? -x : x;
            T fraction = a;
            for (int k = 24; k > 0; k--) fraction = a + T(k) / fraction;
            return x < zero ? density / fraction : one - density / fraction;
        }
        T term = x, sum = x;
        for (int k = 1; k < 72; k++) {
            term = term * square / T(2 * k + 1);
            sum = sum + term;
        }
        return T(0.5f) + density * sum;
    }

    static __device__ __host__ T item(const double *s, const double *v, const double *t, long, long i)
    {
        const T price(s[i]), volatility(v[i]), years(t[i]), rate(0.02);
        const T spread = volatility * sqrt(years), half(0.5f);
        const T d = (log(price) + (rate + half * volatility * volatility) * years) / spread;
        return price * cumulative(d) - exp(-rate * years) * cumulative(d - spread);
    }
};
