//! GTKWave's compressed waveforms: the same tree of signals as in a value change dump, in a fraction of the size.

use super::tree::{Tree, clean};
use super::{Kind, Trace};
use fst_writer::{
    FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection, FstVarType,
};
use rustc_hash::FxHashMap;
use std::io::Cursor;

type Header = FstHeaderWriter<Cursor<Vec<u8>>>;
/// By place in a row and width: the signal of the file, and one of ours that has its values.
type Ids = FxHashMap<(usize, u32), (FstSignalId, usize)>;

/// The bytes of the file. An error says that the format cannot hold the trace, e.g. a name longer than it allows.
pub fn write(trace: &Trace) -> Result<Vec<u8>, String> {
    bytes(trace).map_err(|e| format!("the waveform cannot be written: {e}"))
}

fn bytes(trace: &Trace) -> fst_writer::Result<Vec<u8>> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -9,
        version: concat!("entail ", env!("CARGO_PKG_VERSION")).into(),
        // The same trace is the same file, whenever it is written.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::write_to_mem(&info)?;
    let mut ids = Ids::default();
    let mut order = Vec::new();
    header.scope(clean(&trace.top), clean(&trace.top), FstScopeType::Module)?;
    scope(&mut header, trace, &Tree::new(&trace.signals), &mut ids, &mut order)?;
    header.up_scope()?;
    let mut body = header.finish()?;
    for (m, moment) in trace.moments.iter().enumerate() {
        // What comes before any time are the values at the start.
        if m > 0 {
            body.time_change(moment.time)?;
        }
        for key in &order {
            let (id, signal) = ids[key];
            let v = trace.binary(m, signal);
            if m == 0 || v != trace.binary(m - 1, signal) {
                body.signal_change(id, v.as_bytes())?;
            }
        }
    }
    Ok(body.finish()?.into_inner())
}

fn scope(
    header: &mut Header,
    trace: &Trace,
    tree: &Tree,
    ids: &mut Ids,
    order: &mut Vec<(usize, u32)>,
) -> fst_writer::Result<()> {
    for (name, i) in &tree.signals {
        let s = &trace.signals[*i];
        let kind = if s.kind == Kind::State { FstVarType::Reg } else { FstVarType::Wire };
        let direction = match s.port {
            Some(true) => FstVarDirection::Input,
            Some(false) => FstVarDirection::Output,
            None => FstVarDirection::Implicit,
        };
        let (l, r) = s.range.unwrap_or((s.width as i64 - 1, 0));
        let name = if s.width > 1 || s.range.is_some() { format!("{name} [{l}:{r}]") } else { name.clone() };
        let key = (s.at, s.width);
        let known = ids.get(&key).map(|k| k.0);
        let id = header.var(name, FstSignalType::bit_vec(s.width), kind, direction, known)?;
        if known.is_none() {
            ids.insert(key, (id, *i));
            order.push(key);
        }
    }
    for (name, inner) in &tree.scopes {
        header.scope(name, "", FstScopeType::Module)?;
        scope(header, trace, inner, ids, order)?;
        header.up_scope()?;
    }
    Ok(())
}
