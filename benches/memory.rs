//! Heap memory of one elaboration, counted by the allocator: what the trees, the word-level design and
//! the netlist keep, and the most that was held at any time. Arguments are those of `entail lint`.

use entail::front::verilog::{self, Elaborated, Request, read::ReadOptions};
use entail::net::{LowerOptions, lower};
use entail::project::filelist::parse_args;
use entail::source::SourceMap;
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// Safety: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn live() -> usize {
    LIVE.load(Relaxed)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| w != "--bench").collect();
    if words.is_empty() {
        eprintln!("usage: cargo bench --bench memory -- FILE… --top T");
        return;
    }
    let env = |name: &str| std::env::var(name).ok();
    let mut sources = SourceMap::new();
    let list = match parse_args(&words, Path::new(""), &env, &mut sources) {
        Ok(list) => list,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    };
    let request = Request {
        files: list.files,
        libfiles: list.libfiles,
        libdirs: list.libdirs,
        libexts: list.libexts,
        read: ReadOptions { incdirs: list.incdirs, defines: list.defines, cache_dir: None },
        top: list.top,
        params: list.params,
        blackboxes: list.blackboxes,
    };
    let start = live();
    let mut out = Elaborated { sources, diagnostics: vec![], design: None };
    let (trees, after_read) = verilog::read::on_big_stack(|| {
        let units = verilog::read_request(&request, &[], &mut out);
        let trees = live() - start;
        let peak = PEAK.load(Relaxed);
        PEAK.store(live(), Relaxed);
        verilog::elaborate_units(units, &request, &mut out);
        (trees, peak)
    });
    let design = out.design.as_ref().expect("the design elaborates");
    let before = live();
    let net = lower(design, &LowerOptions::default(), &mut out.diagnostics);
    let netlist = live() - before;
    let peak = PEAK.load(Relaxed) - start;
    let reading = after_read - start;
    let bound = 4 * netlist + trees;
    println!(
        "heap: trees and text {} kB, netlist {} kB; peak {} kB reading, {} kB after it: {:.2} of 4 x netlist + trees",
        trees / 1000,
        netlist / 1000,
        reading / 1000,
        peak / 1000,
        peak.max(reading) as f64 / bound as f64,
    );
    drop(net);
}
