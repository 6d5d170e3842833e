//! What GHDL makes of a design: its own synthesis, written as Verilog.

use super::run;
use crate::support_bundled::Top;
use std::path::Path;

const SECONDS: u32 = 60;
const OPTIONS: [&str; 3] = ["--std=08", "-frelaxed", "--workdir=g"];

/// The design as the Verilog module `gold`; `Err` if GHDL cannot synthesise it.
pub fn gold(dir: &Path, top: &Top) -> Result<String, String> {
    std::fs::create_dir_all(dir.join("g")).expect("a folder for GHDL");
    let files: Vec<String> =
        top.files().iter().map(|f| f.canonicalize().expect("a file").display().to_string()).collect();
    let mut analyse = vec!["-a"];
    analyse.extend(OPTIONS);
    analyse.extend(files.iter().map(String::as_str));
    run(dir, SECONDS, "ghdl", &analyse)?;
    let verilog = synth(dir, top, "verilog")?;
    let verilog = with_defaults(&verilog, &synth(dir, top, "vhdl")?)?;
    let head = format!("module {}\n", top.name);
    assert_eq!(verilog.matches(&head).count(), 1, "one module is the top");
    Ok(verilog.replace(&head, "module gold\n"))
}

fn synth(dir: &Path, top: &Top, language: &str) -> Result<String, String> {
    let generics: Vec<String> = top.generics.iter().map(|(n, v)| format!("-g{n}={v}")).collect();
    let out = format!("--out={language}");
    // Asserts become calls that Yosys does not know.
    let mut args = vec!["--synth", "--no-formal"];
    args.extend(OPTIONS);
    args.extend(generics.iter().map(String::as_str));
    args.extend([out.as_str(), top.name.as_str()]);
    run(dir, SECONDS, "ghdl", &args)
}

/// GHDL 2.0 forgets the `others` of a choice when it writes Verilog: the text has latches that the
/// design has not. Its VHDL is complete and in the same order, so the arms come from there.
fn with_defaults(verilog: &str, vhdl: &str) -> Result<String, String> {
    let mut others: Vec<(&str, String)> = vec![];
    let mut chosen = "";
    for line in vhdl.lines() {
        if let Some((_, rest)) = line.split_once(" select ") {
            chosen = rest.trim_end_matches("<=").trim();
        }
        if let Some(value) = line.trim().strip_suffix(" when others;") {
            others.push((chosen, arm(value)?));
        }
    }
    let mut out = String::new();
    let mut target = None;
    let mut cases = 0;
    for line in verilog.lines() {
        if let Some((_, arm)) = line.split_once("'b").filter(|_| line.contains(" <= ") && line.contains(": ")) {
            target = arm.split_once(": ").and_then(|(_, a)| a.split_once(" <= ")).map(|(t, _)| t.to_string());
        }
        if line.trim() == "endcase" {
            let target = target.take().ok_or("a choice without arms in GHDL's Verilog")?;
            let Some((_, value)) = others.get(cases).filter(|o| o.0 == target) else {
                return Err(format!("GHDL's VHDL has another choice where its Verilog has that of {target}"));
            };
            out += &format!("      default: {target} <= {value};\n");
            cases += 1;
        }
        out += line;
        out.push('\n');
    }
    if cases != others.len() {
        return Err(format!("{cases} choices in GHDL's Verilog, {} in its VHDL", others.len()));
    }
    Ok(out)
}

/// The value of such an arm in Verilog: unknown, a literal, or a net.
fn arm(value: &str) -> Result<String, String> {
    let value = value.rsplit("<=").next().unwrap_or(value).trim();
    // A literal, or a range of one: `(8 downto 0 => 'X')`.
    let mut literals = value.split(['\'', '"']).skip(1).step_by(2).peekable();
    if literals.peek().is_some() && literals.all(|v| v.chars().all(|c| c == 'X')) {
        return Ok("'bx".to_string());
    }
    let bits = value.trim_matches(['\'', '"']);
    if bits.len() + 2 == value.len() && bits.chars().all(|c| c == '0' || c == '1') {
        return Ok(format!("{}'b{bits}", bits.len()));
    }
    if value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Ok(value.to_string());
    }
    Err(format!("GHDL's Verilog lacks `{value} when others`"))
}
