//! The child: loads the library, and calls its function until nothing more is asked.

use crate::call::{self, Call};
use crate::control::Control;
use crate::shared::{LOW, Shared, Word, said};
use crate::signature::{Number, Signature};
use std::ffi::c_void;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// What the child is told before anything else, through its standard input.
pub(crate) struct Order {
    /// The shared file.
    pub map: String,
    /// The library's path.
    pub library: String,
    /// The function.
    pub symbol: String,
    /// Its type.
    pub signature: Signature,
}

impl Order {
    /// Writes it.
    pub fn send(&self, to: &mut impl Write) -> io::Result<()> {
        for text in [&self.map, &self.library, &self.symbol, &self.signature.encode()] {
            to.write_all(&(text.len() as u64).to_le_bytes())?;
            to.write_all(text.as_bytes())?;
        }
        to.flush()
    }

    fn receive(from: &mut impl Read) -> io::Result<Order> {
        let mut text = || {
            let mut length = [0; 8];
            from.read_exact(&mut length)?;
            let mut bytes = vec![0; u64::from_le_bytes(length).min(1 << 20) as usize];
            from.read_exact(&mut bytes)?;
            String::from_utf8(bytes).map_err(io::Error::other)
        };
        let (map, library, symbol, signature) = (text()?, text()?, text()?, text()?);
        let signature = Signature::decode(&signature).ok_or_else(|| io::Error::other(signature))?;
        Ok(Order { map, library, symbol, signature })
    }
}

/// What a child process does: everything that its parent asks, until that closes the pipe. The parent is a
/// [`Function`](crate::Function) whose [`Program`](crate::Program) leads here.
pub fn serve() -> ExitCode {
    match work() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

fn work() -> io::Result<()> {
    let mut orders = io::stdin().lock();
    let order = Order::receive(&mut orders)?;
    let shared = Shared::map(&File::options().read(true).write(true).open(&order.map)?)?;
    let loaded = load(&order);
    let (rounding, flushing) = Control::now().differs(Control::usual());
    Control::usual().restore();
    let function = match loaded {
        Ok(function) => function,
        Err(reason) => {
            put_text(&shared, &reason);
            return say(&shared, said::FAILED, 0);
        }
    };
    shared.word(Word::More).store(u64::from(rounding) | u64::from(flushing) << 1, Relaxed);
    say(&shared, said::LOADED, 0)?;
    let mut careful = false;
    let mut byte = [0];
    while orders.read(&mut byte)? == 1 {
        let request = shared.word(Word::Request).load(Acquire);
        shared.word(Word::Said).store(said::NOTHING, Relaxed);
        run(&shared, &function.1, order.signature, &mut careful);
        if shared.word(Word::Twice).load(Relaxed) != 0 && shared.word(Word::Said).load(Relaxed) == said::NOTHING {
            repeat(&shared, &function.1, order.signature);
        }
        shared.word(Word::Done).store(request, Release);
        wake()?;
    }
    Ok(())
}

/// Says something before the first request is done.
fn say(shared: &Shared, what: u64, request: u64) -> io::Result<()> {
    shared.word(Word::Said).store(what, Relaxed);
    shared.word(Word::Done).store(request, Release);
    wake()
}

/// The byte itself says nothing: the library may write to standard output too.
fn wake() -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(b".")?;
    out.flush()
}

fn put_text(shared: &Shared, text: &str) {
    let bytes = &text.as_bytes()[..text.len().min(4096)];
    shared.word(Word::Text).store(bytes.len() as u64, Relaxed);
    for (word, byte) in shared.list(0).iter().zip(bytes) {
        word.store((*byte).into(), Relaxed);
    }
}

/// The library, which must stay loaded, and its function.
fn load(order: &Order) -> Result<(libloading::Library, Call), String> {
    // SAFETY: loading runs the library's own code, which may do anything: this process is there for that.
    let library = unsafe { libloading::Library::new(Path::new(&order.library)) }.map_err(|e| e.to_string())?;
    // SAFETY: the symbol is only taken as an address here.
    let address = *unsafe { library.get::<*mut c_void>(order.symbol.as_bytes()) }.map_err(|e| e.to_string())?;
    // SAFETY: the signature is what the user says that it is; where it is another, this process may crash.
    let function = unsafe { call::bind(address, order.signature) };
    let refused = || format!("functions of {} are not called in libraries", order.signature.number.name());
    Ok((library, function.ok_or_else(refused)?))
}

/// All calls of a request. Where one of them changes the processor's settings, they are made again, with a look after each; from
/// then on always.
fn run(shared: &Shared, function: &Call, signature: Signature, careful: &mut bool) {
    if !*careful {
        calls(shared, function, signature, 3, |_| {});
        if Control::now().differs(Control::usual()) == (false, false) {
            return;
        }
        Control::usual().restore();
        *careful = true;
    }
    let mut first = None;
    calls(shared, function, signature, 3, |i| {
        let changed = Control::now().differs(Control::usual());
        if changed != (false, false) {
            Control::usual().restore();
            first.get_or_insert((i, changed));
        }
    });
    if let Some((i, (rounding, flushing))) = first {
        shared.word(Word::At).store(i as u64, Relaxed);
        shared.word(Word::More).store(u64::from(rounding) | u64::from(flushing) << 1, Relaxed);
        shared.word(Word::Said).store(said::CHANGED, Relaxed);
    }
}

/// The calls, their results into the list `into` and the next.
fn calls(shared: &Shared, function: &Call, signature: Signature, into: usize, mut after: impl FnMut(usize)) {
    let n = shared.word(Word::Count).load(Relaxed) as usize;
    let (call, args) = (shared.word(Word::Call), [0, 1, 2].map(|i| shared.list(i)));
    let (arity, low) = (signature.shape.arguments(), [0, 1, 2].map(|i| shared.list(LOW + i)));
    let (first, second) = (shared.list(into), shared.list(into + 1));
    // Where it may be anything but 0.
    let (words, two) = (signature.number == Number::F128, signature.results() > 1);
    for i in 0..n.min(first.len()) {
        call.store(i as u64, Relaxed);
        let word = |k: usize, list: &[AtomicU64]| if k < arity { list[i].load(Relaxed) } else { 0 };
        // Word by word: an array that is mapped goes through memory, where it is stored in words and loaded as a vector.
        let x = [word(0, args[0]), word(1, args[1]), word(2, args[2])];
        let more = if words { [word(0, low[0]), word(1, low[1]), word(2, low[2])] } else { [0; 3] };
        let y = function(x, more);
        after(i);
        first[i].store(y[0], Relaxed);
        if two {
            second[i].store(y[1], Relaxed);
        }
    }
}

/// The calls again: a function of its arguments gives the same bits, or NaN again.
fn repeat(shared: &Shared, function: &Call, signature: Signature) {
    calls(shared, function, signature, 5, |_| Control::usual().restore());
    let n = shared.word(Word::Count).load(Relaxed) as usize;
    for i in 0..n.min(shared.list(3).len()) {
        let same = [3, 4].into_iter().all(|list| {
            let (a, b) = (shared.list(list)[i].load(Relaxed), shared.list(list + 2)[i].load(Relaxed));
            a == b || (signature.number.is_nan(a) && signature.number.is_nan(b))
        });
        if !same {
            shared.word(Word::At).store(i as u64, Relaxed);
            shared.word(Word::Said).store(said::DIFFERS, Relaxed);
            return;
        }
    }
}
