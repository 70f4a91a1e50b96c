#!/usr/bin/env bash
# Installs what a build needs and the machine lacks: a C compiler, make and m4 for GMP and MPFR (crate rug builds them
# from source), and PoCL with the OpenCL loader for the OpenCL tests. Without root it prints the line to run.
set -euo pipefail

missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v make >/dev/null || missing+=(make)
command -v m4 >/dev/null || missing+=(m4)
ldconfig -p 2>/dev/null | grep -q 'libOpenCL\.so\.1' || missing+=(ocl-icd-libopencl1)
compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null || missing+=(pocl-opencl-icd)

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" -ne 0 ]; then
        echo "setup: missing packages; run: sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
        exit 1
    fi
    if ! command -v apt-get >/dev/null; then
        echo "setup: no apt-get here; install by hand: ${missing[*]}" >&2
        exit 1
    fi
    echo "setup: installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

if ! command -v cargo >/dev/null; then
    echo "setup: cargo is not on the PATH; install Rust 1.95 or later from https://rustup.rs" >&2
    exit 1
fi
