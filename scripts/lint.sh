#!/bin/sh
# lint.sh - what can be said of the code without running it: layout, structure, clang-tidy.
#
#   sh scripts/lint.sh                   the format of all files, clang-tidy over what is changed since main, and messages
#   sh scripts/lint.sh format            the format only          sh scripts/lint.sh fix    format the files in place
#   sh scripts/lint.sh tidy [FILE...]    clang-tidy over all files, or these; held to scripts/tidy.counts
#   sh scripts/lint.sh messages [RANGE]  the form of commit messages, of those that main does not have yet unless told
#   sh scripts/lint.sh house [BUILD]     the structure of what BUILD (build/release) has compiled: scripts/house.py --check
#
# Needs clang-format-14 and clang-tidy-14 (sh scripts/test.sh --lint installs them); configures build/sanitize.
set -eu
cd "$(dirname "$0")/.."

tool() { # the versioned name if it is there: formats differ between versions
    if command -v "$1-14" >/dev/null 2>&1; then echo "$1-14"; else echo "$1"; fi
}

own_files() { # simulated programs' tests keep their own layout: they are test inputs
    git ls-files '*.c' '*.h' | grep -vE '^tests/(programs|explore|frontends|diagnostics|additions)/|^clib/include/|^bench/inputs/'
}

check_format() {
    # shellcheck disable=SC2046 # no blanks in our names
    "$(tool clang-format)" --dry-run -Werror $(own_files)
}

check_tidy() { # with asserts on: they tell the analyser what is known
    [ -f build/sanitize/compile_commands.json ] || cmake --preset sanitize >/dev/null
    made=$(ninja -C build/sanitize -t targets all | sed -n 's,^\(compiler/[^:]*\(grammar\|lexer\)[.]c\):.*,\1,p' | grep -v CMakeFiles)
    # shellcheck disable=SC2086 # a list of words: the headers that are made
    ninja -C build/sanitize $made orrery_headers >/dev/null
    python3 scripts/tidy.py "$@"
}

check_messages() { # CONTRIBUTING.md, "Commit"
    base=$(git rev-parse --verify -q origin/main || git rev-parse --verify -q main || true)
    range=${1:-${base:+$base..}HEAD}
    [ "$range" != HEAD ] || range=-1
    git log --no-merges --format='%h%n%B%x00' "$range" | awk -v RS='\0' -F '\n' '
        { first = ($1 == "") ? 2 : 1 } # behind the newline that parts two commits
        NF > first {
            if (length($(first + 1)) > 60) wrong($first, "its subject has " length($(first + 1)) " characters; at most 60")
            if ($(first + 2) != "") wrong($first, "an empty line parts subject and body")
            for (i = first + 2; i <= NF; i++)
                if (length($i) > 80) wrong($first, "a line of its body has " length($i) " characters; at most 80")
        }
        function wrong(commit, what) { print "lint: commit " commit ": " what; bad = 1 }
        END { exit bad }'
}

case "${1:-all}" in
format) check_format ;;
tidy) shift && check_tidy "$@" ;;
messages) shift && check_messages "$@" ;;
house) shift && python3 scripts/house.py --check --build "${1:-build/release}" ;;
fix) own_files | xargs "$(tool clang-format)" -i ;;
all) check_format && check_messages && check_tidy --changed ;;
*) sed -n '2,10s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
