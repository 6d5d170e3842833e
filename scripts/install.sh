#!/usr/bin/env bash
# Installs Debian packages for commands and files that are missing.
# Arguments: COMMAND, COMMAND:PACKAGE, or a file pattern with slashes and its package.
set -euo pipefail
missing=()
for want in "$@"; do
    case "$want" in
    /*) compgen -G "${want%%:*}" >/dev/null || missing+=("${want##*:}") ;;
    *) command -v "${want%%:*}" >/dev/null 2>&1 || missing+=("${want##*:}") ;;
    esac
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "installing: ${missing[*]}"
sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "error: please install: ${missing[*]} (no apt-get on this machine)" >&2
    exit 2
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
