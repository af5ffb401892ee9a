#!/bin/sh
# test.sh - from a fresh clone to a tested build: installs what is missing, builds, runs all tests.
#
#   sh scripts/test.sh                 all tests: the release build, then the same under AddressSanitizer and UBSan
#   sh scripts/test.sh --fast          the release build only
#   sh scripts/test.sh --no-install    without installing packages
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

fast=no
for option in "$@"; do
    case "$option" in
    --fast) fast=yes ;;
    --no-install) ORRERY_INSTALL=no ;;
    --help | -h) sed -n '2,6s/^# \{0,1\}//p' scripts/test.sh && exit 0 ;;
    *) sed -n '2,6s/^# \{0,1\}//p' scripts/test.sh >&2 && exit 2 ;;
    esac
done

check_writable release
check_writable sanitize
# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES $TEST_PACKAGES
jobs=$(nproc)

configure release -DORRERY_TESTS=ON
cmake --build --preset release
ctest --preset release -j "$jobs"
[ "$fast" = no ] || exit 0

configure sanitize
cmake --build --preset sanitize
ctest --preset sanitize -j "$jobs" -LE "long|mpich"
