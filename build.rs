//! A fingerprint of the sources, so that results are never taken for those of another version of the program.
//! The program's own bytes would do, but they are many, and differ between machines.

use std::path::{Path, PathBuf};

fn main() {
    let mut files: Vec<PathBuf> = vec!["Cargo.lock".into(), "Cargo.toml".into()];
    for folder in ["src", "rules", "proofs/lib"] {
        println!("cargo:rerun-if-changed={folder}");
        gather(Path::new(folder), &mut files);
    }
    println!("cargo:rerun-if-changed=Cargo.lock");
    println!("cargo:rerun-if-changed=Cargo.toml");
    files.sort();
    // FNV-1a in 128 bits: nobody is to be kept out, only versions are to be told apart.
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut feed = |bytes: &[u8]| {
        for b in bytes {
            hash = (hash ^ u128::from(*b)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    };
    for f in &files {
        feed(f.to_string_lossy().as_bytes());
        feed(&std::fs::read(f).unwrap_or_default());
    }
    println!("cargo:rustc-env=ENTAIL_SOURCES={:016x}", hash as u64 ^ (hash >> 64) as u64);
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for e in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = e.path();
        match path.is_dir() {
            true => gather(&path, files),
            false => files.push(path),
        }
    }
}
