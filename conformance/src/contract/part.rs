//! Faults in a part of a function that is another function: what changes no result of that one changes none here.
//!
//! What no proof knows anything about may be anything in such a part, as its arguments: random words.

use super::likely::custom::format_slot;
use super::prove::scrambles;
use super::{proved, survivors};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;
use vernier_tape::faults::{Fault, enumerate};
use vernier_tape::registry::{Function, functions};
use vernier_tape::tape::{Id, Op, Tape};

/// A function, and those of its faults that change nothing, with the written reason where they have no proof.
struct Known {
    function: &'static Function,
    harmless: Vec<(Fault, Option<&'static str>)>,
}

/// All functions of which something is proved or written, the longest first.
fn known() -> &'static [Known] {
    static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
        let of = |f: &'static Function| {
            let name = f.name();
            let all = enumerate(&f.tape, &f.params);
            let proved = proved::reasons(f, &all);
            let mut alike: HashMap<String, usize> = HashMap::new();
            all.iter().for_each(|fault| *alike.entry(fault.describe(&f.tape)).or_default() += 1);
            let harmless = all.into_iter().zip(proved).filter_map(|(fault, proof)| match proof {
                Some(_) => Some((fault, None)),
                None => {
                    let text = fault.describe(&f.tape);
                    // Of faults that read alike the reason may hold for one alone.
                    let why = survivors::reason(&name, &text).filter(|_| alike[&text] == 1)?;
                    Some((fault, Some(why)))
                }
            });
            Known { function: f, harmless: harmless.collect() }
        };
        let mut known: Vec<Known> = functions().iter().map(of).filter(|k| !k.harmless.is_empty()).collect();
        known.sort_by_key(|k| std::cmp::Reverse(k.function.tape.nodes.len()));
        known
    });
    &KNOWN
}

/// Why these faults change nothing, where they lie in such a part.
pub(super) fn explain(f: &Function, faults: &[Fault]) -> Vec<Option<String>> {
    let mut reasons = vec![None; faults.len()];
    if faults.is_empty() {
        return reasons;
    }
    let readers = readers(&f.tape);
    for known in known().iter().filter(|k| k.function.tape.nodes.len() < f.tape.nodes.len()) {
        if reasons.iter().all(Option::is_some) {
            break;
        }
        for part in parts(&known.function.tape, &f.tape).iter().filter(|part| part.takes_formats(known.function, f)) {
            for (fault, reason) in faults.iter().zip(&mut reasons).filter(|(_, reason)| reason.is_none()) {
                let harmless = part
                    .fault(fault, &readers)
                    .and_then(|there| known.harmless.iter().find(|(fault, _)| same(fault, &there)));
                let Some((_, why)) = harmless else { continue };
                let name = known.function.name();
                *reason = Some(match why {
                    None => format!("no result changes: part of the function is {name}, of which that is proved"),
                    Some(why) => format!("part of the function is {name}: {why}"),
                });
            }
        }
    }
    reasons
}

/// Whether two faults are the same but for the words for them.
fn same(a: &Fault, b: &Fault) -> bool {
    match (a, b) {
        (Fault::Node { at, with, .. }, Fault::Node { at: b, with: other, .. }) => at == b && with == other,
        _ => false,
    }
}

/// What reads each node; results are read by none.
struct Readers {
    nodes: Vec<Vec<Id>>,
    /// Nodes that leave the function.
    leaving: BTreeSet<Id>,
}

fn readers(tape: &Tape) -> Readers {
    let mut nodes = vec![Vec::new(); tape.nodes.len()];
    for (id, node) in (0..).zip(&tape.nodes) {
        tape.operands(node).into_iter().for_each(|o| nodes[o as usize].push(id));
    }
    Readers { nodes, leaving: tape.body.results.iter().copied().collect() }
}

/// One tape as a part of another: the nodes of that one for those of this one.
struct Part<'t> {
    part: &'t Tape,
    readers: Readers,
    /// What may be anything.
    free: BTreeSet<Id>,
    here: HashMap<Id, Id>,
    /// The other way round; none where two nodes are one.
    there: HashMap<Id, Option<Id>>,
}

/// Every place where `part` is found in `whole`.
fn parts<'t>(part: &'t Tape, whole: &Tape) -> Vec<Part<'t>> {
    let mut found = Vec::new();
    let Some((&first, others)) = part.body.results.split_first() else { return found };
    let free = free(part, &readers(part));
    let tapes = (part, whole, &free);
    for id in 0..whole.nodes.len() as Id {
        let mut here = HashMap::new();
        if free.contains(&first) || !unify(tapes, first, id, &mut here) {
            continue;
        }
        let all = others.iter().all(|&result| {
            (0..whole.nodes.len() as Id).any(|id| {
                let mut trial = here.clone();
                let fits = unify(tapes, result, id, &mut trial);
                if fits {
                    here = trial;
                }
                fits
            })
        });
        if all {
            let mut there: HashMap<Id, Option<Id>> = HashMap::new();
            for (&p, &w) in &here {
                there.entry(w).and_modify(|x| *x = None).or_insert(Some(p));
            }
            found.push(Part { part, readers: readers(part), free: free.clone(), here, there });
        }
    }
    found
}

/// The arguments of a tape, and nodes of which a proof knows nothing: products that scramble, and their sums modulo 2 with
/// anything, where such a product is read nowhere else.
fn free(tape: &Tape, readers: &Readers) -> BTreeSet<Id> {
    let mut free = BTreeSet::new();
    for (id, node) in (0..).zip(&tape.nodes) {
        let read_once = |x: &Id| readers.nodes[*x as usize].len() == 1 && !readers.leaving.contains(x);
        let lone = |x: &Id| !matches!(tape.node(*x).op, Op::Arg(_)) && read_once(x);
        let scrambled = || node.op == Op::Xor && node.args().iter().any(|x| free.contains(x) && lone(x));
        if matches!(node.op, Op::Arg(_)) || scrambles(tape, node) || scrambled() {
            free.insert(id);
        }
    }
    free
}

/// Whether node `w` of `whole` is computed as node `p` of `part` is, from what stands for what is free there.
fn unify(tapes: (&Tape, &Tape, &BTreeSet<Id>), p: Id, w: Id, here: &mut HashMap<Id, Id>) -> bool {
    let (part, whole, free) = tapes;
    if let Some(&known) = here.get(&p) {
        return known == w;
    }
    let (a, b) = (part.node(p), whole.node(w));
    if a.ty != b.ty {
        return false;
    }
    if free.contains(&p) {
        here.insert(p, w);
        return true;
    }
    let alike = match (a.op, b.op) {
        (Op::Branch(_), Op::Branch(_)) => true,
        (Op::Table(s), Op::Table(t)) => part.tables[s as usize] == whole.tables[t as usize],
        (s, t) => s == t,
    };
    if !alike || a.mode != b.mode {
        return false;
    }
    here.insert(p, w);
    let (of_part, of_whole) = (part.operands(a), whole.operands(b));
    of_part.len() == of_whole.len() && of_part.into_iter().zip(of_whole).all(|(p, w)| unify(tapes, p, w, here))
}

impl Part<'_> {
    /// Whether what the part takes for a format is one in the whole.
    fn takes_formats(&self, part: &Function, whole: &Function) -> bool {
        let argument = |f: &Function| format_slot(f).map(|at| Op::Arg(at as u32));
        let place = |p: &Id| argument(part) == Some(self.part.node(*p).op);
        self.here.iter().filter(|(p, _)| place(p)).all(|(_, w)| argument(whole) == Some(whole.tape.node(*w).op))
    }

    /// The same fault of the part, if what it changes is read nowhere else.
    fn fault(&self, fault: &Fault, readers: &Readers) -> Option<Fault> {
        let Fault::Node { at, with, what } = fault else { return None };
        let there = |id: &Id| self.there.get(id).copied().flatten();
        let place = there(at)?;
        if self.free.contains(&place) {
            return None;
        }
        let mut changed = *with;
        for arg in changed.args_mut() {
            *arg = there(arg)?;
        }
        if let Op::Branch(_) = with.op {
            changed.op = self.part.node(place).op;
        }
        let (mut reached, mut stack) = (BTreeSet::from([place]), vec![place]);
        while let Some(p) = stack.pop() {
            if self.readers.leaving.contains(&p) {
                continue;
            }
            let w = self.here[&p];
            let inside = |reader: &Id| there(reader).is_some_and(|r| self.readers.nodes[p as usize].contains(&r));
            if readers.leaving.contains(&w) || there(&w).is_none() || !readers.nodes[w as usize].iter().all(inside) {
                return None;
            }
            for &reader in self.readers.nodes[p as usize].iter().filter(|r| self.here.contains_key(r)) {
                if reached.insert(reader) {
                    stack.push(reader);
                }
            }
        }
        Some(Fault::Node { at: place, with: changed, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::noticing;
    use crate::contract::tape::columns;
    use vernier_tape::cases::arguments;
    use vernier_tape::catch::first_noticed;

    fn function(name: &str) -> &'static Function {
        functions().iter().find(|f| f.name() == name).unwrap()
    }

    /// A product and a sum are parts of both together, and their faults are found again there.
    #[test]
    fn products_and_sums_are_parts_of_both() {
        let mad = function("fp32mp2_high_mad");
        let all = enumerate(&mad.tape, &mad.params);
        let readers = readers(&mad.tape);
        for name in ["fp32mp2_high_mul", "fp32mp2_high_add"] {
            let part = function(name);
            let parts = parts(&part.tape, &mad.tape);
            assert_eq!(parts.len(), 1, "{name}");
            let there: Vec<Fault> = all.iter().filter_map(|fault| parts[0].fault(fault, &readers)).collect();
            let of_part = enumerate(&part.tape, &part.params);
            let known = there.iter().filter(|x| of_part.iter().any(|y| same(x, y))).count();
            assert!(known > 100 && known * 10 > there.len() * 9, "{name}: {known} of {}", there.len());
        }
        assert!(parts(&function("fp32mp2_high_div").tape, &mad.tape).is_empty());
    }

    /// Reductions are parts of operations on reduced numbers, whatever their random words: of all operands, and of a product.
    #[test]
    fn reductions_are_parts_of_operations() {
        let reduction = function("fp64_custom_reduce");
        for (name, reductions) in [("fp64_custom_add", 2), ("fp64_custom_mul", 3), ("fp64_custom_sqrt", 1)] {
            let whole = function(name);
            let parts = parts(&reduction.tape, &whole.tape);
            assert!(parts.iter().all(|p| p.takes_formats(reduction, whole)), "{name}");
            let places: BTreeSet<Id> = parts.iter().map(|p| p.here[&reduction.tape.body.results[0]]).collect();
            assert_eq!(places.len(), reductions, "{name}");
        }
    }

    /// Parts explain faults, and none that a case notices.
    #[test]
    fn nothing_that_is_noticed_is_explained() {
        for name in [
            "fp32mp2_high_mad",
            "fp64mp2_high_sub",
            "fp64emu_unpacked_high_mad",
            "fp64emu_high_sub",
            "fp64_custom_sqrt",
        ] {
            let f = function(name);
            let all = enumerate(&f.tape, &f.params);
            let generated = (0..1 << 11).map(|i| arguments(&f.params, 1, i));
            let cases: Vec<Vec<u64>> = noticing::cases(f).into_iter().chain(generated).collect();
            let noticed = first_noticed(&f.tape, &all, &columns(f, &cases));
            let explained = explain(f, &all);
            let both = (0..all.len()).find(|&i| noticed[i].is_some() && explained[i].is_some());
            assert_eq!(both.map(|i| all[i].describe(&f.tape)), None, "{name}");
            assert!(explained.iter().flatten().count() > 5, "{name}");
        }
    }
}
