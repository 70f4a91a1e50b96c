//! Bessel functions of both kinds.
//!
//! About a zero z a function is y (E(y^2) + y O(y^2)) with y = x - z, to half the way to its neighbours, so that its error is relative
//! there. J has such an expansion about 0 too; Y has a logarithm below, log(x) U(x^2) + T(x^2), and intervals about its
//! first zero. From 25 on J0 = M cos(x - pi/4 + p), Y0 = M sin(x - pi/4 + p), J1 = M sin(x - pi/4 + p), Y1 = -M cos(x - pi/4 + p),
//! where 1 / (x M^2) and x p are polynomials in 1/x^2 for each order (Hankel 1869; Harrison 2009 has the same parts). The error is
//! relative to M there, about sqrt(2 / (pi x)).

use super::exp::magic;
use super::exponent::{canonical_below, frexp};
use super::kernel::{product, quotient, reciprocal, square};
use super::log;
use super::reduce::{Angle, of_angle};
use super::scale::{scale_any, scale_canonical};
use super::tables::{
    BESSEL_J0, BESSEL_J1, BESSEL_Y0, BESSEL_Y1, BesselFirst, BesselSecond, CIRCULAR, LOG, Rows, of, quarter,
};
use super::trig::sine;
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, rsqrt_core, select2, settle};

/// J0(v). Any pair; +0 at infinities. Even to the bit. Measured error 1.11 ulp for pairs of binary32, 1.08 for pairs of binary64,
/// from 25 on in ulp of M. C23 has none; POSIX j0.
#[inline(always)]
pub fn j0<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    first_kind(of::<L, _>(&BESSEL_J0), false, x)
}

/// J1(v), as [`j0`]; odd to the bit: a zero is itself, and infinities give zeros with their signs. Measured
/// error 0.75 and 1.00 ulp. POSIX j1.
#[inline(always)]
pub fn j1<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    first_kind(of::<L, _>(&BESSEL_J1), true, x)
}

/// Y0(v). Any pair; -infinity for zeros, NaN below, +0 at infinity. Measured error 1.04 and 0.97 ulp, as of [`j0`]. POSIX y0.
#[inline(always)]
pub fn y0<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    second_kind(of::<L, _>(&BESSEL_Y0), &of::<L, _>(&BESSEL_J0).far, false, x)
}

/// Y1(v), as [`y0`]. Measured error 1.21 and 0.79 ulp. POSIX y1.
#[inline(always)]
pub fn y1<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    second_kind(of::<L, _>(&BESSEL_Y1), &of::<L, _>(&BESSEL_J1).far, true, x)
}

/// From here on by modulus and phase.
const FAR: f64 = 25.0;

#[inline(always)]
fn first_kind<L: IeeeLimb>(table: &'static BesselFirst, odd: bool, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let v = canonical(x);
    let sign = L::lit(1.0).copysign(v.0);
    let a = (v.0.abs(), v.1 * sign);
    let least = L::lit(exp2(L::MIN_EXP + 2 * L::P as i32 + 2));
    let plain = a.0.lt(L::lit(FAR));
    let plain = if odd { plain & least.le(a.0) } else { plain };
    let (h, l) = L::M::branch(!plain, near_first(table, odd, a), || {
        let r = far(&table.far, odd, false, (x.0 * sign, x.1 * sign));
        if odd { select2(a.0.lt(least), scale_canonical(a, U32::<L>::lit(u64::MAX)), r) } else { r }
    });
    let (h, l) = if odd { (h * sign, l * sign) } else { (h, l) };
    (h, l + L::lit(0.0))
}

/// Below 25.
#[inline(always)]
fn near_first<L: IeeeLimb>(table: &'static BesselFirst, odd: bool, a: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let lit = U32::<L>::lit;
    let select = |m, x, y| <U32<L> as Value>::select(m, x, y);
    let small = a.0.lt(L::lit(table.small));
    let j = nearest_zero(table.offset, a.0);
    let j = select(small, lit(0), select(j.eq(lit(0)), lit(1), j));
    let (y, s) = about_zero(&table.near, j, a);
    let f = if odd { y } else { select2(small, (L::lit(1.0), L::lit(0.0)), y) };
    let (h, l) = product(f, s);
    fast_two_sum(h, l)
}

/// a / pi + offset, rounded.
#[inline(always)]
fn nearest_zero<L: IeeeLimb>(offset: f64, a: L) -> U32<L>
where
    L::M: WordMachine,
{
    let t = a.fma(L::lit(core::f64::consts::FRAC_1_PI), L::lit(offset)) + magic();
    t.bits().to_u32() & U32::<L>::lit(15)
}

/// y, the distance to zero `j`, and the function over it.
#[inline(always)]
fn about_zero<L: IeeeLimb>(rows: &'static Rows, j: U32<L>, a: (L, L)) -> ((L, L), (L, L))
where
    L::M: WordMachine,
{
    let twice = j + j;
    let (even, odd) = (rows.row::<L>(twice), rows.row::<L>(twice + U32::<L>::lit(1)));
    let y = even.distance(a);
    let w = square(y);
    let (e, o) = (even.at(w), odd.at(w));
    let e = fast_two_sum(e.0, e.1);
    let p = product(y, fast_two_sum(o.0, o.1));
    // The odd part is the smaller one.
    let (h, t) = fast_two_sum(e.0, p.0);
    (y, fast_two_sum(h, t + (e.1 + p.1)))
}

#[inline(always)]
fn second_kind<L: IeeeLimb>(table: &'static BesselSecond, rows: &'static Rows, odd: bool, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let v = canonical(x);
    let end = L::lit(FAR);
    let plain = L::lit(table.start).le(v.0) & v.0.lt(end);
    let (y, s) = about_zero(&table.near, nearest_zero(table.offset, v.0), v);
    let (h, l) = product(y, s);
    let (h, l) = L::M::branch(!plain, fast_two_sum(h, l), || {
        let middle = L::lit(table.from).le(v.0) & v.0.lt(end);
        L::M::branch(!middle, about_first(table, v), || {
            let least = L::lit(exp2(-2 * L::P as i32 - 8));
            let low = least.le(v.0) & v.0.lt(end);
            L::M::branch(!low, below(table, odd, v), || {
                let tiny = if odd { of_pole(table, v) } else { of_logarithm(table, v) };
                select2(end.le(v.0) | !v.0.eq(v.0), far(rows, odd, true, x), tiny)
            })
        })
    });
    (h, l + L::lit(0.0))
}

/// On intervals about the first zero.
#[inline(always)]
fn about_first<L: IeeeLimb>(table: &'static BesselSecond, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let row = table.middle.row(quarter(x.0, table.from));
    let s = row.at(row.beyond(4, x));
    let (h, l) = product(row.distance(x), fast_two_sum(s.0, s.1));
    fast_two_sum(h, l)
}

/// log(x / 2) + gamma from log x.
#[inline(always)]
fn with_constant<L: Limb>(table: &'static BesselSecond, log: (L, L)) -> (L, L) {
    let (s, e) = two_sum(log.0, L::lit(table.constant[0]));
    fast_two_sum(s, e + (log.1 + L::lit(table.constant[1])))
}

/// Below the first zero's intervals: the logarithm's term, and another.
#[inline(always)]
fn below<L: IeeeLimb>(table: &'static BesselSecond, odd: bool, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let row = |j: u64, w| {
        let s = table.series.row::<L>(U32::<L>::lit(j)).at(w);
        fast_two_sum(s.0, s.1)
    };
    let w = square(x);
    let log = with_constant(table, log::Parts::new(of::<L, _>(&LOG), x, None).value());
    let (p, t) = (product(log, row(0, w)), row(1, w));
    let t = if odd { t } else { product(w, t) };
    let (h, e) = two_sum(p.0, t.0);
    let (h, l) = fast_two_sum(h, e + (p.1 + t.1));
    if !odd {
        return (h, l);
    }
    let (p, slope) = (product(x, (h, l)), table.slope.map(L::lit));
    let q = quotient((-slope[0], -slope[1]), x, x.0.rcp_moderate());
    let (h, e) = fast_two_sum(q.0, p.0);
    fast_two_sum(h, e + (q.1 + p.1))
}

/// Y0 of numbers so small that their squares are nothing; of zeros and what is below too.
fn of_logarithm<L: IeeeLimb>(table: &'static BesselSecond, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let log = log::any(of::<L, _>(&LOG), x, None);
    let slope = table.slope.map(L::lit);
    let (h, l) = product(with_constant(table, log), (slope[0], slope[1]));
    // Of an infinity or NaN the logarithm alone.
    let (h, l) = fast_two_sum(h, l);
    settle(select2(L::lit(0.0).lt(x.0), (h, l), log))
}

/// Y1, likewise.
fn of_pole<L: IeeeLimb>(table: &'static BesselSecond, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, slope) = (L::lit(0.0), table.slope.map(L::lit));
    let (m, n) = frexp(x);
    let r = scale_any(quotient((-slope[0], -slope[1]), m, m.0.rcp_moderate()), U32::<L>::lit(0) - n);
    let special = L::select(x.0.eq(zero), L::lit(f64::NEG_INFINITY), L::lit(f64::NAN));
    settle(select2(zero.lt(x.0), r, (special, zero)))
}

/// From 25 on, of any pair; +0 at infinity.
#[inline(always)]
fn far<L: IeeeLimb>(rows: &'static Rows, order_one: bool, second: bool, a: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one, lit) = (L::lit(0.0), L::lit(1.0), U32::<L>::lit);
    let (c, over) = canonical_below(a);
    // Beyond, 1 / x is nothing to an angle.
    let k = 1 - L::MIN_EXP / 2;
    let large = over | L::lit(exp2(k)).le(c.0);
    let down = L::select(over, L::lit(exp2(4 - k)), L::select(large, L::lit(exp2(-k)), one));
    let b = (c.0 * down, c.1 * down);
    let v = select2(large, (zero, zero), reciprocal(b));
    let q = square(v);
    let row = |j: u64| {
        let s = rows.row::<L>(lit(j)).at(q);
        fast_two_sum(s.0, s.1)
    };
    let (h, l) = product(b, row(0));
    let m = rsqrt_core(fast_two_sum(h, l));
    let up = L::select(large, L::lit(exp2(-k / 2)), one);
    let m = (m.0 * up, m.1 * up);
    let p = product(v, row(1));
    // A cosine, a sine, or a cosine with the other sign.
    let turns = match (order_one, second) {
        (false, false) => 1,
        (true, true) => 3,
        _ => 0,
    };
    let r = of_angle(a, false, |angle| {
        let angle = with_phase(angle, p);
        let (h, l) = product(m, sine(Angle { n: angle.n + lit(turns), ..angle }));
        fast_two_sum(h, l)
    });
    select2(c.0.eq(L::lit(f64::INFINITY)), (zero, zero), r)
}

/// The angle and p, less half a right one.
#[inline(always)]
fn with_phase<L: IeeeLimb>(angle: Angle<L>, p: (L, L)) -> Angle<L>
where
    L::M: WordMachine,
{
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let (r, a) = two_sum(angle.r.0, p.0);
    // Half a right angle more than one less.
    let below = r.lt(zero);
    let sign = L::select(below, one, -one);
    let [first, second, third] = of::<L, _>(&CIRCULAR).quarter.map(|c| L::lit(0.5 * c) * sign);
    let (r, b) = two_sum(r, first);
    let (s, d) = two_sum(b, second);
    let (s, e) = two_sum(s, angle.r.1);
    let (s, f) = two_sum(s, a);
    let (r, s) = two_sum(r, s);
    let r = fast_two_sum(r, s + ((d + e) + (f + (p.1 + third))));
    let lit = U32::<L>::lit;
    Angle { n: angle.n - <U32<L> as Value>::select(below, lit(1), lit(0)), r }
}
