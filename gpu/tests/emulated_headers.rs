//! The header's classes of emulated doubles: accepted by the compilers that are found, with the host's bits and without an
//! instruction of the FP64 pipe.

mod tools;

use std::path::Path;
use tools::{STRICT, counted, nvcc, run};
use vernier::emu::{Level, Rd, Rn, Rounding, Ru, Rz};
use vernier::{Fp64Emu, Fp64EmuUnpacked, High, Low, Mid, RoundFrom, TruncateFrom};
use vernier_gpu::device::{Api, Device, Source};
use vernier_gpu::emit;
use vernier_gpu::print::{Cuda, Rare};
use vernier_gpu::sass::listing;

const HOST: &str = include_str!("headers/emulated.cpp");
const ALL: &str = include_str!("headers/emulated.h");
const DEVICE: &str = include_str!("headers/emulated.cu");

fn header() -> String {
    emit::cuda(&Cuda::default(), Rare::Automatic)
}

fn folder(header: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("vernier.cuh", header);
    write("emulated.h", ALL);
    write("emulated.cpp", HOST);
    write("host.cu", HOST);
    write("device.cu", DEVICE);
    dir
}

fn succeeds(program: &Path, dir: &Path, options: &[&str]) -> String {
    let (ok, text) = run(program, dir, options);
    assert!(ok, "{options:?}: {text}");
    text
}

/// Words that results are written as.
trait Put {
    fn put(self, to: &mut Vec<u64>);
}

macro_rules! put {
    ($($t:ty: |$x:ident| $word:expr;)*) => {$(
        impl Put for $t {
            fn put(self, to: &mut Vec<u64>) {
                let $x = self;
                to.push($word as u64);
            }
        }
    )*};
}

put! {
    bool: |x| x;
    i8: |x| x;
    i16: |x| x;
    i32: |x| x;
    i64: |x| x;
    u8: |x| x;
    u16: |x| x;
    u32: |x| x;
    u64: |x| x;
    f32: |x| x.to_bits();
    f64: |x| x.to_bits();
}

impl<A: Level> Put for Fp64Emu<A> {
    fn put(self, to: &mut Vec<u64>) {
        to.push(self.to_bits());
    }
}

impl<A: Level> Put for Fp64EmuUnpacked<A> {
    fn put(self, to: &mut Vec<u64>) {
        let (sign, exponent, significand) = self.to_parts();
        to.extend([sign.into(), (exponent as u32).into(), significand]);
    }
}

macro_rules! all {
    ($to:ident: $($x:expr),* $(,)?) => {
        $(Put::put($x, $to);)*
    };
}

/// The same results as the function of this name in the C++ code.
macro_rules! common {
    ($to:ident, $t:ty, $low:ident, $a:ident, $b:ident, $c:ident, $d:ident, $w:expr) => {{
        let (a, b, c, d, w) = ($a, $b, $c, $d, $w);
        let one = <$t>::from_f64(1.0);
        let (re, im) = <$t>::cmul((a, b), (c, d));
        all!($to: a + b, a - b, a * b, a / b, a.sqrt(), a.fma(b, c), a.mad(b, c), a.dot(b, c, d), re, im, -a, a);
        all!($to: a == b, a != b, a < b, a <= b, a > b, a >= b, a.partial_cmp(&a).is_some());

        // x++ gives a, x-- what it was by then.
        let up = a + one;
        let down = up - one;
        all!($to: a, up, down + one, down + one - one);
        all!($to: a + b, a + b - c, (a + b - c) * d, (a + b - c) * d / b);

        let low = [a, b, c, d].map(|x| x.to_level::<Low>());
        let mid = [a, b, c].map(|x| x.to_level::<Mid>());
        let high = [a, b, c].map(|x| x.to_level::<High>());
        all!($to: low[0] + low[1], mid[0] - mid[1], high[0] * high[1], low[0] / low[1], mid[0].fma(mid[1], mid[2]));
        all!($to: high[0].mad(high[1], high[2]), low[0].dot(low[1], low[2], low[3]), mid[0].sqrt());
        let (re, im) = $low::cmul((low[0], low[1]), (low[2], low[3]));
        all!($to: re, im);

        all!($to: a + b, a - b, a * b, a / b, a.sqrt(), a.fma(b, c), a.mad(b, c));

        let smaller = |a: $t, b: $t| if a < b || b.is_nan() { a } else { b };
        let larger = |a: $t, b: $t| if a > b || b.is_nan() { a } else { b };
        all!($to: b.abs(), a.copysign(b), a.is_sign_negative(), a.is_nan(), a.is_infinite(), b.is_finite());
        all!($to: smaller(a, b), larger(a, b));

        let (y, f) = (f64::from_bits(w), f32::from_bits(w as u32));
        let (of_y, of_f) = (<$t>::round_from(y), <$t>::round_from(f));
        all!($to: a + y, y - a, a * f, f / a, a - w as i32, w as u32 * a, a + w as i64, w / a);
        all!($to: smaller(a, of_y), larger(<$t>::from_f64(2.0), a));
        all!($to: a < y, of_y < a, <$t>::round_from(w as i32) >= a, a != w as u16, a.fma(of_y, of_f));
        all!($to: <$t>::round_from(w as i32).mad(a, of_y));
        let (s, u) = (w as i16, w as u32);
        all!($to: a + y, a + y - f, (a + y - f) * s, (a + y - f) * s / u);
        all!($to: of_y, of_f, <$t>::round_from(w & 1 != 0), <$t>::round_from(w as i8), <$t>::round_from(w as i8));
        all!($to: <$t>::round_from(w as u8), <$t>::round_from(w as i16), <$t>::round_from(w as u16));
        all!($to: <$t>::round_from(w as i32), <$t>::round_from(w as u32), <$t>::round_from(w as i64), <$t>::round_from(w));
        all!($to: <$t>::round_from(w as i64), <$t>::round_from(w));

        all!($to: a.to_f64(), a.to_f32(), a.to_bool(), i8::truncate_from(a), i8::truncate_from(a), u8::truncate_from(a));
        all!($to: i16::truncate_from(a), u16::truncate_from(a), i32::truncate_from(a), u32::truncate_from(a));
        all!($to: i64::truncate_from(a), u64::truncate_from(a), i64::truncate_from(a), u64::truncate_from(a));
    }};
}

fn packed<A: Level>(w: [u64; 4], to: &mut Vec<u64>) {
    type T<A> = Fp64Emu<A>;
    let [a, b, c, d] = w.map(T::<A>::from_bits);
    common!(to, T<A>, T, a, b, c, d, w[3]);
    let (one, two) = (T::from_f64(1.0), T::from_f64(2.0));
    macro_rules! directed {
        ($add:ident $sub:ident $mul:ident $div:ident $sqrt:ident $fma:ident) => {
            all!(to: a.$add(b), a.$sub(b), a.$mul(b), a.$div(b), a.$sqrt(), a.$fma(b, c), a.$add(one), two.$fma(b, c));
        };
    }
    directed!(add_rz sub_rz mul_rz div_rz sqrt_rz fma_rz);
    directed!(add_ru sub_ru mul_ru div_ru sqrt_ru fma_ru);
    directed!(add_rd sub_rd mul_rd div_rd sqrt_rd fma_rd);
    conversions::<A, Rn>(w, to);
    conversions::<A, Rz>(w, to);
    conversions::<A, Ru>(w, to);
    conversions::<A, Rd>(w, to);
    all!(to: a, Fp64EmuUnpacked::<Mid>::unpack(a), Fp64EmuUnpacked::<A>::unpack(a).pack::<A>());
}

fn conversions<A: Level, R: Rounding>(w: [u64; 4], to: &mut Vec<u64>) {
    let [a, b, ..] = w.map(Fp64Emu::<A>::from_bits);
    all!(to: a.to_f32_in::<R>(), a.to_integer_in::<i32, R>(), a.to_integer_in::<u32, R>());
    all!(to: a.to_integer_in::<i64, R>(), a.to_integer_in::<u64, R>());
    all!(to: Fp64Emu::<A>::from_i64_in::<R>(w[3] as i64), Fp64Emu::<A>::from_u64_in::<R>(w[3]));
    let product = Fp64EmuUnpacked::<A>::unpack(a) * Fp64EmuUnpacked::unpack(b);
    all!(to: product.pack_in::<A, R>());
}

fn unpacked<A: Level>(w: [u64; 4], to: &mut Vec<u64>) {
    type T<A> = Fp64EmuUnpacked<A>;
    let third = T::<A>::from_f64(1.0) / 3;
    let [a, b, c, d] = w.map(|w| T::<A>::unpack(Fp64Emu::<A>::from_bits(w)));
    let (a, b, c) = (a * third, b * third, c * third);
    common!(to, T<A>, T, a, b, c, d, w[3]);
    all!(to: a, a.pack::<Mid>(), a.pack::<A>(), T::<A>::from_parts(w[0] as u32, w[1] as i32, w[2]));
}

/// Special values with each other, and random ones with what may be close to them.
fn operands() -> Vec<[u64; 4]> {
    let special = [
        0.0,
        f64::from_bits(1),
        f64::from_bits((1 << 52) - 1),
        f64::MIN_POSITIVE,
        0.3,
        1.0,
        1.0 + f64::EPSILON,
        1.0 - f64::EPSILON / 2.0,
        2.5,
        3.0,
        255.75,
        2147483647.5,
        4294967296.0,
        9.3e18,
        1.8446744073709552e19,
        f64::from(f32::MAX),
        1e-45,
        1e-160,
        1.7e154,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        f64::from_bits(0x7ff4_0000_0000_0001),
    ];
    let special: Vec<u64> = special.iter().flat_map(|x| [x.to_bits(), x.to_bits() | 1 << 63]).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut cases = Vec::new();
    for &a in &special {
        for &b in &special {
            let mut any = || special[(random() >> 40) as usize % special.len()];
            cases.push([a, b, any(), any()]);
        }
    }
    for i in 0..4000 {
        let a = random();
        // Exponents at most 64 apart, digits mostly alike, or anything.
        let mut near = || {
            let x = random();
            match i % 4 {
                0 => x,
                1 => a ^ (x >> 40) ^ (x << 63),
                2 => (x & !(0x7ff << 52)) | ((960 + (x >> 3) % 126) << 52),
                _ => ((x >> (x % 53)) & ((1 << 52) - 1)) | ((((a >> 52) + x % 4) % 4096) << 52),
            }
        };
        let rest = [near(), near(), near()];
        cases.push([if i % 4 == 2 { near() } else { a }, rest[0], rest[1], rest[2]]);
    }
    cases
}

/// Appends all results of four words to a list.
type Evaluate = fn([u64; 4], &mut Vec<u64>);

/// The forms at their levels, in the order of the C++ code.
const PARTS: [Evaluate; 6] =
    [packed::<Low>, packed::<Mid>, packed::<High>, unpacked::<Low>, unpacked::<Mid>, unpacked::<High>];

/// The first result of the classes that is not the host's: which expression, of which operands.
fn first_difference(header: &str) -> Option<String> {
    let dir = folder(header);
    let options =
        ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-march=native", "emulated.cpp", "-o", "program"];
    succeeds(Path::new("g++"), dir.path(), &options);
    let cases = operands();
    let bytes: Vec<u8> = cases.iter().flatten().flat_map(|w| w.to_ne_bytes()).collect();
    std::fs::write(dir.path().join("operands"), bytes).unwrap();
    let names = succeeds(&dir.path().join("program"), dir.path(), &["operands", "results"]);
    let bytes = std::fs::read(dir.path().join("results")).unwrap();
    let results: Vec<u64> = bytes.chunks_exact(8).map(|b| u64::from_ne_bytes(b.try_into().unwrap())).collect();
    assert!(names.lines().count() > 1000 && results.len() == names.lines().count() * cases.len());
    println!("{} words of {} sets of operands", names.lines().count(), cases.len());
    let mut rest = &results[..];
    for (part, evaluate) in PARTS.iter().enumerate() {
        let names: Vec<&str> = names.lines().filter_map(|line| line.strip_prefix(&format!("{part} "))).collect();
        let (got, others) = rest.split_at(names.len() * cases.len());
        rest = others;
        for (case, got) in cases.iter().zip(got.chunks_exact(names.len())) {
            let mut expected = Vec::new();
            evaluate(*case, &mut expected);
            assert_eq!(expected.len(), names.len());
            if let Some(i) = expected.iter().zip(got).position(|(e, g)| e != g) {
                let (name, got, expected) = (names[i], got[i], expected[i]);
                return Some(format!("{name} is {got:016x}, not {expected:016x}, of {case:016x?} in part {part}"));
            }
        }
    }
    None
}

/// On a CUDA device; without one the test says so and passes.
#[test]
fn a_device_gives_the_bits_of_the_host() {
    let device = match Device::open(Api::Cuda, 0) {
        Ok(device) => device,
        Err(e) => return println!("SKIPPED: {e}"),
    };
    const ROOM: usize = 512;
    let program = device.compile(&Source::new("emulated.cu", kernels())).unwrap();
    let cases = operands();
    let operands = device.upload(&cases.concat()).unwrap();
    for (part, evaluate) in PARTS.iter().enumerate() {
        let kernel = program.kernel(&format!("evaluate{part}")).unwrap();
        let results = device.zeros::<u64>(cases.len() * ROOM).unwrap();
        let count = cases.len() as u32;
        device.launch(&kernel, count.div_ceil(64), 64, &[operands.arg(), results.arg(), count.into()]).unwrap();
        let results = device.download(&results).unwrap();
        for (case, got) in cases.iter().zip(results.chunks_exact(ROOM)) {
            let mut expected = Vec::new();
            evaluate(*case, &mut expected);
            let different = expected.iter().zip(got).position(|(e, g)| e != g);
            assert_eq!(different, None, "part {part} of {case:016x?}");
        }
    }
}

/// The header, and a kernel of all operations for every form and level.
fn kernels() -> String {
    ALL.replace("#include \"vernier.cuh\"", &header())
}

#[test]
fn operators_give_the_bits_of_the_host() {
    assert_eq!(first_difference(&header()), None);
    // And what does not is noticed.
    for (right, wrong, expression) in [
        ("VERNIER_NAMED(__fma_rn, 3, fma)", "VERNIER_NAMED(__fma_rn, 3, mad)", "__fma_rn(a, b, c)"),
        ("return family::to_f32(x);", "return (float)double_of(family::to_image(x));", "to_float"),
    ] {
        let header = header();
        assert!(header.contains(right));
        let found = first_difference(&header.replace(right, wrong)).unwrap();
        assert!(found.starts_with(expression), "{found}");
    }
}

#[test]
fn host_compiler_knows_the_rules() {
    let dir = folder(&header());
    for switch in ["-DVERNIER_EXPLICIT_CASTS=1", "-DVERNIER_EXPLICIT_CASTS=0"] {
        for standard in ["-std=c++17", "-std=c++20"] {
            let options = [standard, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", switch, "emulated.cpp"];
            succeeds(Path::new("g++"), dir.path(), &options);
        }
    }
}

#[test]
fn nvcc_accepts_them() {
    let Some(nvcc) = nvcc() else { return };
    let dir = folder(&header());
    for options in [
        &["-arch=sm_90", "-c", "host.cu", "-o", "out"][..],
        &["-arch=sm_80", "-cubin", "device.cu", "-o", "out"],
        &["-arch=sm_120", "-cubin", "-DVERNIER_EXPLICIT_CASTS=0", "device.cu", "-o", "out"],
    ] {
        succeeds(&nvcc, dir.path(), &[&STRICT[..], options].concat());
    }
}

/// The CUDA code of the README.
fn readme() -> String {
    let (_, block) = include_str!("../../README.md").split_once("```cuda\n").unwrap();
    block.split_once("```").unwrap().0.to_string()
}

/// Kernels of the recorded functions, and of the same by the class.
const TWINS: [(&str, &str, &str); 8] = [
    ("fp64emu", "x + y", "fp64emu_high_add(x, y)"),
    ("fp64emu", "x * y", "fp64emu_high_mul(x, y)"),
    ("fp64emu", "x / y", "fp64emu_high_div(x, y)"),
    ("fp64emu_mid", "x - y", "fp64emu_mid_sub(x, y)"),
    ("fp64emu_low", "fma(x, y, x)", "fp64emu_fma(x, y, x)"),
    ("fp64emu_unpacked", "x + y", "fp64emu_unpacked_high_add(x, y)"),
    ("fp64emu_unpacked", "sqrt(x)", "fp64emu_unpacked_high_sqrt(x)"),
    ("fp64emu_unpacked_mid", "mad(x, y, y)", "fp64emu_unpacked_mid_mad(x, y, y)"),
];

fn twins() -> String {
    let kernel = |name: &str, i: usize, ty: &str, expression: &str| {
        format!(
            "extern \"C\" __global__ void {name}{i}({ty} *p) {{ using namespace vernier::detail; \
             const {ty} x = p[0], y = p[1]; p[2] = {expression}; }}\n"
        )
    };
    let pair = |(i, &(ty, class, function)): (usize, &(&str, &str, &str))| {
        let word = if ty.contains("unpacked") { "vernier_unpacked" } else { "vernier_u64" };
        kernel("class", i, &format!("vernier::{ty}"), class) + &kernel("function", i, word, function)
    };
    TWINS.iter().enumerate().map(pair).collect()
}

/// NVRTC compiles them. Nothing in the kernels is of the FP64 pipe, conversions from and to floats and integers included,
/// and a class costs what its functions do.
#[test]
fn kernels_have_no_double_arithmetic() {
    let user = DEVICE.replace("#include \"vernier.cuh\"", "") + &readme() + &twins();
    // The kernels of all operations are large: for one architecture.
    for (architecture, start, parts) in [("sm_90", kernels(), PARTS.len()), ("sm_120", header(), 0)] {
        let text = start + &user;
        let Some(code) = counted(listing(&text, architecture)) else { return };
        assert!(code.len() == 9 + parts + 2 * TWINS.len() && code["native"].code.iter().any(|i| i.is_double()));
        for (name, code) in code.iter().filter(|(name, _)| *name != "native") {
            assert!(code.code.len() > 50, "{name}");
            let double = code.code.iter().find(|i| i.is_double());
            assert!(double.is_none(), "{architecture} {name}: {double:?}");
        }
        for (i, (_, expression, _)) in TWINS.iter().enumerate() {
            let length = |name: &str| code[&format!("{name}{i}")].code.len();
            println!("{architecture} {expression}: {} and {}", length("class"), length("function"));
            assert_eq!(length("class"), length("function"), "{architecture} {expression}");
        }
    }
}
