//! Benches against peers.
