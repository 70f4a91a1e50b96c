//! Faults: a tape with one operation changed.

use crate::tape::{Id, Node};

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// A node is computed otherwise.
    Node {
        /// The node.
        at: Id,
        /// What is computed instead.
        with: Node,
        /// In words.
        what: String,
    },
    /// Other values leave the function.
    Results {
        /// The nodes.
        results: Vec<Id>,
        /// In words.
        what: String,
    },
}
