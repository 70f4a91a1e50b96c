//! What a translation unit defines, each thing once.

use super::{Dialect, Rare, callee, function, is_large, table_name, tape, wrapper};
use std::collections::HashSet;
use vernier_tape::io::Kind;
use vernier_tape::mutants::Mutant;
use vernier_tape::registry::{self, Function};
use vernier_tape::tape::{Callee, Tape, Ty};

/// A function that is printed.
#[derive(Clone, Copy, Debug)]
pub enum Definition<'a> {
    /// Of the registry.
    Function(&'a Function),
    /// A large one of the registry, as others call it: not inlined.
    Called(&'a Function),
    /// One that only others call.
    Callee(&'a Callee),
}

impl<'a> Definition<'a> {
    /// What is called for a callee: the function of its name, if there is one.
    pub fn of(callee: &'a Callee) -> Self {
        match registry::named(&callee.name) {
            None => Definition::Callee(callee),
            Some(f) if is_large(&f.tape) => Definition::Called(f),
            Some(f) => Definition::Function(f),
        }
    }

    /// The name.
    pub fn name(&self) -> String {
        match self {
            Definition::Function(f) => f.name(),
            Definition::Called(f) => format!("{}_called", f.name()),
            Definition::Callee(c) => c.name.clone(),
        }
    }

    /// The tape.
    pub fn tape(&self) -> &'a Tape {
        match self {
            Definition::Function(f) | Definition::Called(f) => &f.tape,
            Definition::Callee(c) => &c.tape,
        }
    }

    /// Whether it computes with doubles.
    pub fn has_doubles(&self) -> bool {
        self.tape().uses(Ty::F64)
    }

    /// The text.
    pub fn print(&self, dialect: &dyn Dialect, rare: Rare) -> String {
        match self {
            Definition::Function(f) => function(dialect, f, rare, None),
            Definition::Called(f) => wrapper(dialect, f, &self.name()),
            Definition::Callee(c) => callee(dialect, c, rare),
        }
    }
}

/// `functions` and what they call, each once, callees before callers.
pub fn definitions<'a>(functions: impl IntoIterator<Item = &'a Function>) -> Vec<Definition<'a>> {
    let (mut done, mut out) = (HashSet::new(), Vec::new());
    functions.into_iter().for_each(|f| visit(Definition::Function(f), &mut done, &mut out));
    out
}

fn visit<'a>(what: Definition<'a>, done: &mut HashSet<String>, out: &mut Vec<Definition<'a>>) {
    if !done.insert(what.name()) {
        return;
    }
    match what {
        Definition::Called(f) => visit(Definition::Function(f), done, out),
        _ => what.tape().callees.iter().for_each(|c| visit(Definition::of(c), done, out)),
    }
    out.push(what);
}

/// The text of a translation unit while it grows.
pub struct Unit<'a> {
    /// The language.
    pub dialect: &'a dyn Dialect,
    /// Where rare paths go.
    pub rare: Rare,
    /// The text.
    pub text: String,
    done: HashSet<String>,
}

impl<'a> Unit<'a> {
    /// A unit that begins with `text`.
    pub fn new(dialect: &'a dyn Dialect, rare: Rare, text: String) -> Self {
        Unit { dialect, rare, text, done: HashSet::new() }
    }

    /// Whether this definition is still missing; it is not any more.
    pub fn missing(&mut self, name: &str) -> bool {
        self.done.insert(name.to_string())
    }

    fn tables(&mut self, tape: &Tape) {
        for table in &tape.tables {
            let name = table_name(table);
            if self.missing(&name) {
                self.text += &self.dialect.table(&name, table);
            }
        }
    }

    fn define(&mut self, what: Definition<'_>, mutants: Option<&[Mutant]>) {
        let mut list = Vec::new();
        visit(what, &mut self.done, &mut list);
        let Some((last, callees)) = list.split_last() else { return };
        for callee in callees {
            self.tables(callee.tape());
            self.text += &callee.print(self.dialect, self.rare);
        }
        self.tables(last.tape());
        self.text += &match last {
            Definition::Function(f) => function(self.dialect, f, self.rare, mutants),
            other => other.print(self.dialect, self.rare),
        };
    }

    /// The tables and callees of a tape that are missing.
    pub fn needs(&mut self, tape: &Tape) {
        self.tables(tape);
        tape.callees.iter().for_each(|c| self.define(Definition::of(c), None));
    }

    /// A tape as a function called `name`, with what it needs. See [`tape`] for the kinds.
    pub fn tape(&mut self, name: &str, recorded: &Tape, params: &[Kind], result: Kind, rare: Rare) {
        self.needs(recorded);
        self.text += &tape(self.dialect, name, recorded, params, result, rare, None);
    }

    /// A function, with what it needs, where it is missing. See [`function`] for the mutants.
    pub fn function(&mut self, f: &Function, mutants: Option<&[Mutant]>) {
        self.define(Definition::Function(f), mutants);
    }
}

/// The definitions of `functions` and all they need.
pub fn program<'a>(dialect: &dyn Dialect, functions: impl IntoIterator<Item = &'a Function>, rare: Rare) -> String {
    let mut unit = Unit::new(dialect, rare, String::new());
    functions.into_iter().for_each(|f| unit.function(f, None));
    unit.text
}
