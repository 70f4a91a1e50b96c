use std::time::Instant;
use vernier_conformance::contract::prove::{Format, Tried, on_all_limbs};
use vernier_gpu::catch::first_noticed;
use vernier_gpu::faults::enumerate;
use vernier_gpu::kernel::arguments;
use vernier_gpu::registry::functions;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let f = functions().iter().find(|f| f.name() == a[1]).unwrap();
    let format = Format { digits: a[2].parse().unwrap(), exponent: a[3].parse().unwrap() };
    // "open": names in file a[4] (fault texts), else all noticed
    let all = enumerate(&f.tape, &f.params);
    let texts: Vec<String> = all.iter().map(|x| x.describe(&f.tape)).collect();
    let open: Option<Vec<String>> = a.get(4).map(|p| std::fs::read_to_string(p).unwrap().lines().map(String::from).collect());
    let pick: Vec<usize> = match &open {
        Some(o) => (0..all.len()).filter(|&i| o.contains(&texts[i])).collect(),
        None => {
            let mut rows: Vec<Vec<u64>> = vernier_conformance::contract::noticing::cases(f);
            rows.extend((0..1 << 13).map(|i| arguments(&f.params, 1, i)));
            let args: Vec<Vec<u64>> = (0..f.tape.args.len()).map(|s| rows.iter().map(|r| r[s]).collect()).collect();
            let n = first_noticed(&f.tape, &all, &args);
            (0..all.len()).filter(|&i| n[i].is_some()).collect()
        }
    };
    let t = Instant::now();
    let faults: Vec<_> = pick.iter().map(|&i| all[i].clone()).collect();
    let r = on_all_limbs(f, &faults, format);
    let never = r.iter().filter(|x| **x == Tried::Never).count();
    println!("{} {}/{}: {} faults, never {} noticed {} in {:?}", a[1], a[2], a[3], pick.len(), never, r.iter().filter(|x| matches!(x, Tried::Case(_))).count(), t.elapsed());
    for (&i, x) in pick.iter().zip(&r) {
        if (open.is_none() && *x == Tried::Never) || (open.is_some() && *x != Tried::Never) { println!("  {:x?} {}", x, texts[i]); }
    }
}
