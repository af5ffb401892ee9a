#!/bin/sh
# lint.sh - clang-format and clang-tidy over the project's own C files.
#
#   sh scripts/lint.sh              both; needs clang-format-14 and clang-tidy-14 (configures build/sanitize)
#   sh scripts/lint.sh format       the format only        sh scripts/lint.sh tidy [FILE...]   the analyser only
#   sh scripts/lint.sh fix          format the files in place
set -eu
cd "$(dirname "$0")/.."

tool() { # the versioned name if it is there: formats differ between versions
    if command -v "$1-14" >/dev/null 2>&1; then echo "$1-14"; else echo "$1"; fi
}

own_files() { # simulated programs' tests keep their own layout: they are test inputs
    git ls-files '*.c' '*.h' | grep -vE '^tests/(programs|explore|frontends|diagnostics)/|^clib/include/'
}

check_format() {
    # shellcheck disable=SC2046 # no blanks in our names
    "$(tool clang-format)" --dry-run -Werror $(own_files)
}

check_tidy() { # with asserts on: they tell the analyser what is known
    [ -f build/sanitize/compile_commands.json ] || cmake --preset sanitize
    if [ $# -eq 0 ]; then
        # shellcheck disable=SC2046
        set -- $(own_files | grep -E '^(vcode|compiler|vm|netsim|traffic|mpi|machine|monitor|gui|cli)/([a-z_]*/)*[a-z_]*\.c$')
    fi
    "$(tool clang-tidy)" --quiet -p build/sanitize "$@"
}

case "${1:-all}" in
format) check_format ;;
tidy) shift && check_tidy "$@" ;;
fix) own_files | xargs "$(tool clang-format)" -i ;;
all) check_format && check_tidy ;;
*) sed -n '2,6s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
