# Two commands do everything: `make tables` and `make test`.

TABLES_FLAGS ?=

.PHONY: tables test cluster-test fuzz package setup bench renew

# The accuracy, digits and speed tables, printed and written to target/tables as Markdown and JSON.
tables: setup
	cargo run --release --quiet -p vernier-conformance --bin vernier -- tables $(TABLES_FLAGS)

# Every test that needs no GPU, and core without the standard library.
test: setup
	cargo test --workspace
	cargo test -p vernier-fp --features num-traits,serde
	cargo check -p vernier-fp --no-default-features

# Array jobs on a real Slurm, which is started and stopped here, and short nights.
cluster-test: setup
	cargo build --quiet -p vernier-conformance --bin vernier
	cluster/test

# 10^6 lines of any kind through `vernier eval` and its options; the tests try a share of them.
fuzz: setup
	VERNIER_FUZZ_LINES=1000000 cargo test -p vernier-conformance --test suite fuzz

# The packages of all crates, each built from what is in it.
package: setup
	cargo package --workspace --allow-dirty

# What follows from the functions, written anew: hashes of results and headers, floors of mutation scores, snapshots.
renew: setup
	VERNIER_RENEW=1 cargo test -q --workspace --test hashes
	VERNIER_RENEW=1 cargo test -q --workspace --test headers -- fixture
	VERNIER_RENEW=1 INSTA_UPDATE=always cargo test -q --workspace --test suite -- scores_are snapshots::

# Criterion benches against peers.
bench: setup
	cargo bench -p vernier-benches

setup:
	@scripts/setup.sh
