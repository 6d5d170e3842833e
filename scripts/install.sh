#!/usr/bin/env bash
# Installs Debian packages for commands that are missing.
# Arguments: COMMAND or COMMAND:PACKAGE.
set -euo pipefail
missing=()
for want in "$@"; do
    command -v "${want%%:*}" >/dev/null 2>&1 || missing+=("${want##*:}")
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
