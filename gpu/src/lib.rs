//! Recording, printing and devices.
