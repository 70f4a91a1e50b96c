//! A run's hold on its checkpoint: the file belongs to one run at a time, and a signal that asks the program to end has it
//! written first.

use crate::error::Error;
use crate::{file, text};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The exit status of a run that a signal ended and that goes on from its checkpoint: `EX_TEMPFAIL` of sysexits.h.
pub const UNFINISHED: i32 = 75;

/// Writes a checkpoint.
type Save = Box<dyn FnMut() -> Result<(), Error> + Send>;

/// What a signal finds.
enum State {
    /// Nothing is done yet.
    Begun,
    /// What is done must be written.
    UnderWay(Save),
    /// The results are safe.
    Done,
}

static STATE: Mutex<State> = Mutex::new(State::Begun);

fn set(state: State) {
    *STATE.lock().unwrap_or_else(PoisonError::into_inner) = state;
}

/// Says how the checkpoint is written when a signal comes.
pub fn save_with(save: impl FnMut() -> Result<(), Error> + Send + 'static) {
    set(State::UnderWay(Box::new(save)));
}

/// The lock is on a file beside the checkpoint, and goes with the process.
#[derive(Debug)]
pub struct Lock {
    checkpoint: PathBuf,
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock, or says that another run has it. From here on SIGTERM and SIGINT end the program with [`UNFINISHED`].
    pub fn take(checkpoint: &Path) -> Result<Lock, Error> {
        let busy = |reason: &str| Error::Disagree { name: text::path(checkpoint), reason: reason.into() };
        if fs::metadata(checkpoint).is_ok_and(|m| !m.is_file()) {
            return Err(busy("expected a regular file, or none, for the checkpoint"));
        }
        let mut path = checkpoint.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let name = text::path(&path);
        let fault = |error| Error::write(&name, error);
        let file = File::options().create(true).append(true).open(&path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy("another run is using this checkpoint")),
            Err(TryLockError::Error(error)) => return Err(fault(error)),
        }
        set(State::Begun);
        #[cfg(unix)]
        signals::watch(text::path(checkpoint), path.clone());
        Ok(Lock { checkpoint: checkpoint.into(), path, _file: file })
    }

    /// Removes the checkpoint, if it is still there; to be called when the results are safe.
    pub fn finish(self) -> Result<(), Error> {
        set(State::Done);
        match fs::remove_file(&self.checkpoint) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::write(&text::path(&self.checkpoint), error))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What is left where this fails is taken over by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
mod signals {
    use super::{PathBuf, PoisonError, STATE, State, UNFINISHED, file, fs};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::io::{self, Write};

    /// Waits for a signal beside the run: whatever that is busy with, the checkpoint is written at once.
    pub fn watch(checkpoint: String, lock: PathBuf) {
        // Where signals cannot be caught they end the program as before.
        let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) else { return };
        std::thread::spawn(move || {
            for _ in signals.forever() {
                let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
                let (status, message) = match &mut *state {
                    // The end is near.
                    State::Done => continue,
                    State::Begun => (UNFINISHED, "interrupted before anything was done".to_string()),
                    State::UnderWay(save) => match save() {
                        Ok(()) => (UNFINISHED, format!("interrupted: the same command goes on from {checkpoint}")),
                        Err(error) => (2, format!("interrupted: {error}")),
                    },
                };
                let _ = writeln!(io::stderr(), "vernier: {message}");
                let _whole = file::wait_for_writes();
                let _ = fs::remove_file(&lock);
                // Devices may be at work: their libraries are not told.
                signal_hook::low_level::exit(status);
            }
        });
    }
}
