//! Raw YUV and Y4M files.

use std::io::Write;
use vernier_twin::frame::{Chroma, Layout, Plane, Reader, Samples};

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut f = tempfile::NamedTempFile::new().unwrap();
    f.write_all(bytes).unwrap();
    f
}

fn y4m(head: &str, frames: &[&[u8]]) -> tempfile::NamedTempFile {
    let mut all = head.as_bytes().to_vec();
    for f in frames {
        all.extend_from_slice(b"FRAME\n");
        all.extend_from_slice(f);
    }
    file(&all)
}

fn refused(head: &str, frames: &[&[u8]]) -> String {
    let f = y4m(head, frames);
    let error = Reader::y4m(f.path()).map(|r| r.plane(0).map(drop)).and_then(|x| x).unwrap_err().to_string();
    error.split_once(": ").unwrap().1.to_string()
}

#[test]
fn y4m_of_8_bits_skips_chroma() {
    // 3x2 luma and two chroma planes of 2x1.
    let (one, two) = ([1, 2, 3, 4, 5, 6, 90, 91, 92, 93], [7, 8, 9, 10, 11, 12, 0, 0, 0, 0]);
    let f = y4m("YUV4MPEG2 W3 H2 F25:1 Ip A1:1 C420jpeg XCOMMENT=x\n", &[&one, &two]);
    let reader = Reader::y4m(f.path()).unwrap();
    assert_eq!(reader.frames(), 2);
    assert_eq!(reader.layout(), Layout { width: 3, height: 2, bits: 8, chroma: Chroma::C420 });
    let plane = |s: &[u8]| Plane::new(3, 2, 3, 8, Samples::U8(s.to_vec())).unwrap();
    assert_eq!(reader.plane(0).unwrap(), plane(&one[..6]));
    assert_eq!(reader.plane(1).unwrap(), plane(&two[..6]));
    assert!(reader.plane(2).unwrap_err().to_string().contains("expected frame 2, found 2 frames"));
}

/// Two frames of each kind: the second is found only where the planes beside luma have their right size.
#[test]
fn every_sampling_of_chroma_is_skipped() {
    for (space, chroma, bytes, others) in [
        ("mono", Chroma::None, 1, 0),
        ("411", Chroma::C411, 1, 2 * 2 * 3),
        ("411p10", Chroma::C411, 2, 2 * 2 * 3),
        ("420", Chroma::C420, 1, 2 * 3 * 2),
        ("420paldv", Chroma::C420, 1, 2 * 3 * 2),
        ("422", Chroma::C422, 1, 2 * 3 * 3),
        ("444", Chroma::C444, 1, 2 * 15),
        ("444p12", Chroma::C444, 2, 2 * 15),
        ("444alpha", Chroma::C444Alpha, 1, 3 * 15),
    ] {
        // Luma of 5x3 counts up from the frame's number.
        let frame = |from: u8| -> Vec<u8> {
            let samples = (0..15).map(|i| from + i).chain(std::iter::repeat_n(0, others));
            samples.flat_map(|s| [s, 0].into_iter().take(bytes)).collect()
        };
        let f = y4m(&format!("YUV4MPEG2 W5 H3 C{space}\n"), &[&frame(1), &frame(100)]);
        let reader = Reader::y4m(f.path()).unwrap();
        assert_eq!((reader.frames(), reader.layout().chroma), (2, chroma), "{space}");
        let raw = Reader::raw(file(&[frame(1), frame(100)].concat()).path(), reader.layout()).map(|r| r.frames());
        assert_eq!((raw.unwrap(), chroma.to_string().parse()), (2, Ok(chroma)), "{space}");
        for (k, from) in [(0, 1), (1, 100)] {
            let samples: Vec<u16> = match reader.plane(k).unwrap().samples() {
                Samples::U8(s) => s.iter().map(|&s| s.into()).collect(),
                Samples::U16(s) => s.clone(),
            };
            assert_eq!(samples, (from..from + 15).collect::<Vec<_>>(), "{space}");
        }
    }
}

#[test]
fn y4m_of_more_bits_is_little_endian() {
    let samples = [0x34, 0x02, 0xff, 0x03];
    for (space, bits) in [("mono10", 10), ("mono16", 16), ("mono12", 12)] {
        let f = y4m(&format!("YUV4MPEG2 W2 H1 C{space}\n"), &[&samples]);
        let plane = Reader::y4m(f.path()).unwrap().plane(0).unwrap();
        assert_eq!(plane, Plane::new(2, 1, 2, bits, Samples::U16(vec![0x234, 0x3ff])).unwrap());
    }
    // 2x2 of 10 bits with two chroma samples.
    let f = y4m("YUV4MPEG2 H2 W2 C420p10\n", &[&[1, 0, 2, 0, 3, 0, 4, 0, 9, 9, 9, 9]]);
    let plane = Reader::y4m(f.path()).unwrap().plane(0).unwrap();
    assert_eq!(plane.samples(), &Samples::U16(vec![1, 2, 3, 4]));
}

#[test]
fn raw_files() {
    let f = file(&[1, 0, 2, 0, 3, 0, 4, 0, 9, 9, 9, 9].repeat(3));
    let layout = Layout { width: 2, height: 2, bits: 16, chroma: Chroma::C420 };
    let reader = Reader::raw(f.path(), layout).unwrap();
    assert_eq!(reader.frames(), 3);
    assert_eq!(reader.plane(2).unwrap().samples(), &Samples::U16(vec![1, 2, 3, 4]));
    let other = Layout { chroma: Chroma::None, width: 7, ..layout };
    let error = Reader::raw(f.path(), other).unwrap_err().to_string();
    assert!(error.contains("expected a multiple of 28 bytes, one frame, found 36 bytes"), "{error}");
    for bad in [
        Layout { width: 65536, height: 32768, ..layout },
        Layout { bits: 7, ..layout },
        Layout { width: 0, ..layout },
        Layout { height: usize::MAX, ..layout },
    ] {
        assert!(Reader::raw(f.path(), bad).is_err());
    }
}

#[test]
fn bad_files_get_a_place_and_what_was_expected() {
    let one = [0u8; 6];
    assert_eq!(refused("RIFF", &[]), "byte 0: expected `YUV4MPEG2` and a header line of at most 4096 bytes of text");
    assert_eq!(
        refused("YUV4MPEG2 W3 H2 Cmono", &[]),
        "byte 0: expected `YUV4MPEG2` and a header line of at most 4096 bytes of text"
    );
    assert_eq!(refused("YUV4MPEG2 H2\n", &[]), "byte 0: expected a width, as W1920");
    assert_eq!(refused("YUV4MPEG2 W0 H2\n", &[]), "byte 0: expected W and 1 to 65536, found \"0\"");
    assert_eq!(
        refused("YUV4MPEG2 W99999999999999999999 H2\n", &[]).split(',').next().unwrap(),
        "byte 0: expected W and 1 to 65536"
    );
    assert_eq!(refused("YUV4MPEG2 W+3 H2\n", &[]), "byte 0: expected W and 1 to 65536, found \"+3\"");
    assert_eq!(refused("YUV4MPEG2 W3 H2\r\n", &[]), "byte 0: expected H and 1 to 65536, found \"2\\r\"");
    assert_eq!(
        refused("YUV4MPEG2 W65536 H65536 Cmono\n", &[]),
        "byte 0: expected fewer than 2^31 samples in a plane, found 4294967296"
    );
    assert!(refused("YUV4MPEG2 W3 H2 C420p010\n", &[]).contains("found `C420p010`"));
    assert!(refused("YUV4MPEG2 W3 H2 C410\n", &[]).contains("found `C410`"));
    assert!(refused("YUV4MPEG2 W3 H2 C444alphap10\n", &[]).contains("found `C444alphap10`"));
    assert!(refused("YUV4MPEG2 W3 H2 C4\u{1b}[2J\r\n", &[]).contains(r"found `C4\u{1b}[2J\r`"));
    assert!(refused("YUV4MPEG2 W3 H2 C420p17\n", &[]).contains("found `C420p17`"));
    assert!(refused("YUV4MPEG2 W3 H2 Cmonox\n", &[]).contains("found `Cmonox`"));
    assert_eq!(refused("YUV4MPEG2 W3 H2 Cmono\n", &[]), "byte 22: expected a frame, found the end of the file");
    assert_eq!(refused("YUV4MPEG2 W3 H2 Cmono\n", &[&one[..5]]), "byte 28: expected a frame of 6 bytes, found 5");
    let f = file(b"YUV4MPEG2 W3 H2 Cmono\nFRAME\n123456GRAME\n123456");
    assert!(Reader::y4m(f.path()).unwrap_err().to_string().ends_with("byte 34: expected `FRAME`"));
    assert_eq!(
        refused("YUV4MPEG2 W2 H1 Cmono10\n", &[&[1, 0, 0, 4]]),
        "frame 0: row 0, column 1: expected a sample below 2^10, found 1024"
    );
    let error = Reader::y4m(std::path::Path::new("/nothing")).unwrap_err().to_string();
    assert!(error.starts_with("/nothing: cannot be read"), "{error}");
    assert!(Reader::y4m(std::path::Path::new("/dev/zero")).unwrap_err().to_string().contains("regular file"));
}

#[test]
fn planes_that_are_none() {
    let plane = |w, h, stride, bits, s| Plane::new(w, h, stride, bits, s).map(drop).map_err(|e| e.to_string());
    let bytes = |n: usize| Samples::U8(vec![0; n]);
    assert!(plane(0, 1, 1, 8, bytes(1)).unwrap_err().contains("found 0x1"));
    assert!(plane(usize::MAX, 2, usize::MAX, 8, bytes(1)).is_err());
    assert!(plane(3, 1, 2, 8, bytes(9)).unwrap_err().contains("stride of at least the width 3, found 2"));
    assert!(plane(3, 2, 4, 8, bytes(6)).unwrap_err().contains("expected 7 samples, found 6"));
    assert!(plane(3, 2, 4, 8, bytes(7)).is_ok());
    for (bits, samples) in [(10, bytes(1)), (8, Samples::U16(vec![0])), (17, Samples::U16(vec![0])), (7, bytes(1))] {
        assert!(plane(1, 1, 1, bits, samples).is_err(), "{bits}");
    }
}
