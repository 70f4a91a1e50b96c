//! The processor's settings for floating-point arithmetic: rounding direction, and whether subnormal numbers are zero.

/// The settings, as the processor has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control(u64);

/// Rounding direction, flushed results, and operands taken for zero, in the control register.
#[cfg(target_arch = "x86_64")]
const FIELDS: (u64, u64) = (3 << 13, 1 << 15 | 1 << 6);
#[cfg(target_arch = "aarch64")]
const FIELDS: (u64, u64) = (3 << 22, 1 << 24);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const FIELDS: (u64, u64) = (0, 0);

impl Control {
    /// The settings now.
    #[inline]
    pub fn now() -> Control {
        Control(read())
    }

    /// Makes these the settings. Flags of exceptions are left as they are.
    #[inline]
    pub fn restore(self) {
        let fields = FIELDS.0 | FIELDS.1;
        write(read() & !fields | self.0 & fields);
    }

    /// The settings that programs start with.
    pub fn usual() -> Control {
        Control(0)
    }

    /// Whether rounding and flushing differ from other settings.
    #[inline]
    pub fn differs(self, other: Control) -> (bool, bool) {
        let changed = self.0 ^ other.0;
        (changed & FIELDS.0 != 0, changed & FIELDS.1 != 0)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn read() -> u64 {
    let mut register = 0u32;
    // SAFETY: stores the register's 32 bits into the number behind the pointer, and does nothing else.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
    register.into()
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn write(bits: u64) {
    let register = bits as u32;
    // SAFETY: the bits are those that the register had, but for rounding and flushing, so none is a reserved one. It is called to
    // bring back the settings that compiled code relies on.
    unsafe {
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags, readonly))
    };
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn read() -> u64 {
    let register: u64;
    // SAFETY: reads the control register.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) register, options(nostack, nomem, preserves_flags)) };
    register
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn write(bits: u64) {
    // SAFETY: as above: back to the settings that compiled code relies on.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) bits, options(nostack, nomem, preserves_flags)) };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> u64 {
    0
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn write(_: u64) {}
