#!/bin/sh
# coverage.sh - which lines of the simulator tests execute, by gcov.
#
#   sh scripts/coverage.sh                  by the libraries' unit tests
#   sh scripts/coverage.sh --all            by all tests but random programs and those under a real MPI; each whole program
#                                           runs once
#   sh scripts/coverage.sh -L cli           by the tests that these options of ctest choose (-L, -LE, -R, -E)
#   sh scripts/coverage.sh --check          by the unit tests of the libraries that these alone cover (scripts/coverage.floors),
#                                           and fails where one has fallen; in CI
#   sh scripts/coverage.sh --raise          ... writes down what they reach now as the least
#   sh scripts/coverage.sh --again [...]    only the tables, of the last run; options of scripts/coverage.py follow
#
# Builds in build/coverage. Tables of folders and rooms come first, then files below 90 %, worst first.
set -eu
cd "$(dirname "$0")/.."
build=build/coverage
jobs=${ORRERY_JOBS:-$(nproc)}

tables() { python3 scripts/coverage.py --build "$build" "$@"; }

case "${1:-}" in
--help | -h) sed -n '2,13s/^# \{0,1\}//p' scripts/coverage.sh && exit 0 ;;
--again) shift && tables "$@" && exit 0 || exit 1 ;;
esac

cheap="base|netsim|traffic" # they need nothing else, and seconds
build_units() { # LIBRARY...: without the programs that they do not need
    targets=""
    for library in "$@"; do targets="$targets test_$library"; done
    # shellcheck disable=SC2086 # a list of words
    cmake --build "$build" -j "$jobs" --target $targets
}

[ -f "$build/build.ninja" ] || cmake --preset coverage >/dev/null
case "${1:-}" in
"") build_units base trace analysis plot vcode compiler vm netsim traffic mpi machine monitor gui ;;
--check | --raise) build_units base netsim traffic ;;
*) cmake --build "$build" -j "$jobs" ;;
esac
find "$build" -name '*.gcda' -delete # what the build itself has executed

case "${1:-}" in
"") ctest --preset coverage -j "$jobs" -L unit -Q && tables ;;
--check) ctest --preset coverage -j "$jobs" -R "^unit.($cheap)\$" -Q && tables --check ;;
--raise) ctest --preset coverage -j "$jobs" -R "^unit.($cheap)\$" -Q && tables --raise ;;
--all) # bad_input.disk limits the size of files, those of the counters too
    python3 tests/run_programs.py --orrery "$build/bin/orrery" --once --jobs "$jobs" || failed=1
    ctest --preset coverage -j "$jobs" -LE "mpich|differential" -E "^program[.]|^bad_input[.]disk" -Q || failed=1
    [ -z "${failed:-}" ] || echo "coverage: some tests failed; counted all the same"
    tables ;;
*) ctest --preset coverage -j "$jobs" "$@" || echo "coverage: some tests failed; counted all the same"
    tables ;;
esac
