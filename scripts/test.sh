#!/bin/sh
# test.sh - from a fresh clone to a tested build: installs what is missing, builds, runs all tests.
#
#   sh scripts/test.sh              all tests: the release build, then the same under AddressSanitizer and UBSan
#   sh scripts/test.sh --fast       the release build only
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES $TEST_PACKAGES
jobs=$(nproc)

cmake --preset release -DORRERY_TESTS=ON
cmake --build --preset release
ctest --preset release -j "$jobs"
[ "${1:-}" = "--fast" ] && exit 0

cmake --preset sanitize
cmake --build --preset sanitize
ctest --preset sanitize -j "$jobs" -LE "long|mpich"
