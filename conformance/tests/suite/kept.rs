//! Kept cases: every line has a result and a recorded function, and OpenCL gives the results too. The host, the oracle and the
//! interpreter are held on them where they are held on other cases.

use crate::common::fixture;
use std::collections::BTreeMap;
use vernier_conformance::case::{Source, read_lines};
use vernier_conformance::case::{kind_of, value};
use vernier_conformance::contract::kept;
use vernier_conformance::subject::{all, function_of};
use vernier_gpu::device::{Api, Device};
use vernier_gpu::kernel::Kernels;
use vernier_tape::registry::{Function, functions, stat};

#[test]
fn kept_lines_are_cases_of_recorded_functions() {
    let (mut lines, mut of_functions) = (0, BTreeMap::new());
    let files = ["cases/kept", "cases/functions"].map(|folder| std::fs::read_dir(fixture(folder)).unwrap());
    for file in files.into_iter().flatten() {
        read_lines(&Source::File(file.unwrap().path()), |line| {
            let case = line.case.unwrap();
            assert_eq!(case.results.len(), 1, "{case}");
            let f = function_of(case.ty, case.op).unwrap_or_else(|| panic!("{case} is no function"));
            *of_functions.entry(f.name()).or_insert(0) += 1;
            lines += 1;
            Ok(())
        })
        .unwrap();
    }
    assert!(lines >= 3346, "{lines}");
    for f in all().filter(|f| f.id.family() != "fp64_custom") {
        assert_eq!(kept::of(f).len(), of_functions.get(&f.name()).copied().unwrap_or(0), "{}", f.name());
    }
    // A function that takes the format has the cases of every format.
    let any = functions().iter().find(|f| f.name() == "fp64_custom_fma").unwrap();
    assert!(kept::of(any).len() > of_functions["fp64_custom_fma"]);
}

#[test]
fn kept_cases_on_opencl() {
    let device = match Device::open(Api::OpenCl, 0) {
        Ok(device) => device,
        Err(error) => return println!("SKIPPED: {error}"),
    };
    let lists: [Vec<&Function>; 2] = [functions().iter().collect(), stat::functions().iter().collect()];
    for list in lists {
        let kernels = Kernels::compile(&device, &list).unwrap();
        for f in list.into_iter().filter(|f| !kept::of(f).is_empty()) {
            let rows = kept::of(f);
            let columns: Vec<Vec<u64>> =
                (0..f.tape.args.len()).map(|s| rows.iter().map(|kept| kept.args[s]).collect()).collect();
            let results = kernels.map(f, &columns).unwrap();
            for (i, kept) in rows.iter().enumerate() {
                let got = value(kind_of(f.results[0]), &results.iter().map(|column| column[i]).collect::<Vec<_>>());
                assert!(got.same(kept.case.results[0]), "{}: opencl gives {got}", kept.case);
            }
        }
    }
}
