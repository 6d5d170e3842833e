//! Paths from the root of the repository: what servers that show the repository want.

/// The path from the root of a file that is named from the project's folder, which lies in `folder` of its repository.
pub fn from_root(folder: &str, file: &str) -> String {
    if file.is_empty() || file.starts_with('/') {
        return file.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(file.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::from_root;

    #[test]
    fn paths_begin_at_the_root() {
        assert_eq!(from_root("hw/fifo/", "rtl/a.sv"), "hw/fifo/rtl/a.sv");
        assert_eq!(from_root("hw/", "./../ip/./a.sv"), "ip/a.sv");
        assert_eq!(from_root("", "./rtl//a.sv"), "rtl/a.sv");
        assert_eq!(from_root("hw/", "/usr/a.h"), "/usr/a.h");
        assert_eq!(from_root("", "../outside.sv"), "../outside.sv");
    }
}
