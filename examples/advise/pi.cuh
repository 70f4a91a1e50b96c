// The pi benchmark: the midpoint rule for 4 / (1 + x x) over [0, 1]. Each item sums 512 terms, n apart; the sum of all items is pi 512 n.
template <class T> struct Pi {
    static __device__ __host__ T item(long n, long i)
    {
        const double h = 1.0 / (512.0 * n);
        const T one(1), four(4), step(n * h);
        T x((i + 0.5) * h), sum(0);
        for (int k = 0; k < 512; k++) {
            sum = sum + four / (one + x * x);
            x = x + step;
        }
        return sum;
    }
};
