//! The parent's side: a function that can be called from any thread, one child for each call that is under way.

use crate::MOST;
use crate::child::Order;
use crate::error::{Changed, Error, Fault, What};
use crate::library::Library;
use crate::shared::{LOW, Shared, Word, said};
use crate::signature::Signature;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tempfile::NamedTempFile;

/// The command that starts a child: this program, on a way that leads to [`serve`](crate::serve) and writes nothing before.
pub type Program = Box<dyn Fn() -> io::Result<Command> + Send + Sync>;

/// A function of a shared library.
pub struct Function {
    program: Program,
    order: [String; 2],
    signature: Signature,
    patience: Duration,
    idle: Mutex<Vec<Process>>,
    changed: Mutex<Option<Changed>>,
}

impl Function {
    /// A symbol of a library, called with this signature; a call that takes longer than `patience` is taken for an endless one.
    ///
    /// # Errors
    /// If the library does not define it, cannot be loaded, or no child can be started.
    pub fn open(
        library: &Library,
        symbol: &str,
        signature: Signature,
        patience: Duration,
        program: Program,
    ) -> Result<Function, Error> {
        if !library.has(symbol) {
            return Err(library.without(symbol));
        }
        let path = library.path.to_str().ok_or_else(|| io::Error::other("the library's path is not text"))?;
        let order = [path.to_string(), symbol.to_string()];
        let (idle, changed) = (Mutex::default(), Mutex::default());
        let function = Function { program, order, signature, patience, idle, changed };
        let process = function.start()?;
        function.give(process);
        Ok(function)
    }

    /// Its type.
    pub fn signature(&self) -> Signature {
        self.signature
    }

    /// What the library did to the processor's settings, the first time.
    pub fn changed(&self) -> Option<Changed> {
        *self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the function on n inputs, at most [`MOST`], twice if asked: then results that differ are a fault. Arguments and results
    /// are columns of bits, those of a float in the low half; an int is that of 32 bits, extended with its sign. Those of binary128 are
    /// high words, behind which stand columns of low ones.
    ///
    /// # Errors
    /// The first call that did not return, or gave another result the second time.
    pub fn call(&self, n: usize, args: &[Vec<u64>], results: &mut [Vec<u64>; 2], twice: bool) -> Result<(), Fault> {
        let n = n.min(MOST);
        let input = |i: usize| {
            [0, 1, 2].map(|k| args.get(k).and_then(|list| list.get(i.min(n.saturating_sub(1)))).copied().unwrap_or(0))
        };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut process = match idle {
            Some(process) => process,
            None => self.start().map_err(|e| Fault { input: None, what: What::Failed(e.to_string()) })?,
        };
        process.request(n, args, self.signature, twice);
        let waited = process.wait(self.patience);
        if let Err(what) = waited {
            let at = process.shared.word(Word::Call).load(Relaxed) as usize;
            return Err(Fault { input: Some(input(at)), what });
        }
        process.read(n, results, self.signature);
        let at = (process.shared.word(Word::At).load(Relaxed) as usize).min(MOST - 1);
        match process.shared.word(Word::Said).load(Relaxed) {
            said::DIFFERS => {
                let [first, other] = [3, 5].map(|k| [k, k + 1].map(|list| process.shared.list(list)[at].load(Relaxed)));
                return Err(Fault { input: Some(input(at)), what: What::Differs(first, other) });
            }
            said::CHANGED => self.note(process.shared.word(Word::More).load(Relaxed), Some(input(at))),
            _ => {}
        }
        self.give(process);
        Ok(())
    }

    fn give(&self, process: Process) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
    }

    fn note(&self, bits: u64, input: Option<[u64; 3]>) {
        if bits != 0 {
            let changed = Changed { rounding: bits & 1 != 0, flushing: bits & 2 != 0, input };
            self.changed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(changed);
        }
    }

    /// A child with the library loaded.
    fn start(&self) -> Result<Process, Error> {
        let [library, symbol] = self.order.clone();
        let file = NamedTempFile::with_prefix("vernier-")?;
        let shared = Shared::map(file.as_file())?;
        let mut command = (self.program)()?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (orders, answers) = (child.stdin.take(), child.stdout.take());
        let (Some(orders), Some(mut answers)) = (orders, answers) else {
            return Err(io::Error::other("the child has no pipes").into());
        };
        let (wake, woken) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 64];
            // Ends with the child, or with whom it tells.
            while answers.read(&mut bytes).is_ok_and(|n| n > 0) && wake.send(()).is_ok() {}
        });
        let mut process = Process { child, orders, woken, shared, _file: file, request: 0 };
        process.shared.word(Word::Done).store(u64::MAX, Relaxed);
        let map = process._file.path().to_string_lossy().into_owned();
        let order = Order { map, library: library.clone(), symbol, signature: self.signature };
        let sent = order.send(&mut process.orders);
        let waited = sent.map_err(|e| What::Ended(e.to_string())).and_then(|()| process.wait(self.patience));
        let failed = |reason: String| Error::Load { library: library.clone(), reason };
        waited.map_err(|what| failed(what.to_string()))?;
        let more = process.shared.word(Word::More).load(Relaxed);
        match process.shared.word(Word::Said).load(Relaxed) {
            said::LOADED => {
                self.note(more, None);
                Ok(process)
            }
            _ => Err(failed(process.text())),
        }
    }
}

/// A child, and what is shared with it.
struct Process {
    child: Child,
    orders: ChildStdin,
    woken: Receiver<()>,
    shared: Shared,
    _file: NamedTempFile,
    request: u64,
}

impl Process {
    fn request(&mut self, n: usize, args: &[Vec<u64>], signature: Signature, twice: bool) {
        for (i, list) in args.iter().enumerate().filter(|(i, _)| i % 3 < signature.shape.arguments()) {
            let words = self.shared.list(if i < 3 { i } else { LOW + i - 3 });
            for (word, &x) in words.iter().zip(&list[..n]) {
                word.store(x, Relaxed);
            }
        }
        self.request += 1;
        self.shared.word(Word::Count).store(n as u64, Relaxed);
        self.shared.word(Word::Twice).store(twice.into(), Relaxed);
        self.shared.word(Word::Call).store(0, Relaxed);
        self.shared.word(Word::Request).store(self.request, Release);
        // A child that has gone is found out while waiting for it.
        let _ = self.orders.write_all(b".").and_then(|()| self.orders.flush());
    }

    /// Until the request is done.
    fn wait(&mut self, patience: Duration) -> Result<(), What> {
        let mut last = None;
        while self.shared.word(Word::Done).load(Acquire) != self.request {
            match self.woken.recv_timeout(patience) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => {
                    let call = self.shared.word(Word::Call).load(Relaxed);
                    if last == Some(call) || self.request == 0 {
                        return Err(What::Endless(patience.as_secs()));
                    }
                    last = Some(call);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
                    return Err(What::Ended(status));
                }
            }
        }
        Ok(())
    }

    fn read(&self, n: usize, results: &mut [Vec<u64>; 2], signature: Signature) {
        for (i, list) in results[..signature.results()].iter_mut().enumerate() {
            for (word, y) in self.shared.list(3 + i).iter().zip(&mut list[..n]) {
                *y = word.load(Relaxed);
            }
        }
    }

    fn text(&self) -> String {
        let n = (self.shared.word(Word::Text).load(Relaxed) as usize).min(4096);
        let bytes: Vec<u8> = self.shared.list(0)[..n].iter().map(|w| w.load(Relaxed) as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be in an endless loop. Where it has ended already there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
