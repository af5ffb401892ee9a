#!/bin/sh
# test.sh - from a fresh clone to a tested build: installs what is missing, builds, runs all tests.
#
#   sh scripts/test.sh                 all tests: the release build, then the same under AddressSanitizer and UBSan
#   sh scripts/test.sh --fast          the release build only
#   sh scripts/test.sh --no-install    without installing packages
#   sh scripts/test.sh --lint --coverage
#                                      before that the format and clang-tidy of what is changed (scripts/lint.sh), and
#                                      whether unit tests cover their libraries as they did (scripts/coverage.sh --check)
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

fast=no lint=no coverage=no
for option in "$@"; do
    case "$option" in
    --fast) fast=yes ;;
    --lint) lint=yes ;;
    --coverage) coverage=yes ;;
    --no-install) ORRERY_INSTALL=no ;;
    --help | -h) sed -n '2,9s/^# \{0,1\}//p' scripts/test.sh && exit 0 ;;
    *) sed -n '2,9s/^# \{0,1\}//p' scripts/test.sh >&2 && exit 2 ;;
    esac
done

check_writable release
check_writable sanitize
# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES $TEST_PACKAGES
# shellcheck disable=SC2086
install_optional $OPTIONAL_PACKAGES $OPTIONAL_TEST_PACKAGES
jobs=$(nproc)

if [ "$lint" = yes ]; then
    # shellcheck disable=SC2086
    if (install_packages $LINT_PACKAGES) && command -v clang-format-14 && command -v clang-tidy-14; then
        sh scripts/lint.sh
    else
        echo "test: clang-format-14 and clang-tidy-14 cannot be had here; the tests run without them" >&2
    fi
fi
[ "$coverage" = no ] || sh scripts/coverage.sh --check

configure release -DORRERY_TESTS=ON
cmake --build --preset release
ctest --preset release -j "$jobs"
[ "$fast" = no ] || exit 0

configure sanitize
cmake --build --preset sanitize
ctest --preset sanitize -j "$jobs" -LE "long|mpich"
