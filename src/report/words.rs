//! Numbers of things, as people say them.

/// `1 job`, `2 jobs`.
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_not_many() {
        let all = [0, 1, 2].map(|n| count(n, "class", "classes"));
        assert_eq!(all, ["0 classes", "1 class", "2 classes"]);
    }
}
