#!/bin/sh
# setup.sh - from a fresh clone to the first simulated program: installs what is missing, builds, runs the main job.
#
#   sh scripts/setup.sh             as root or with sudo, on Debian 12 or Ubuntu
#   sh scripts/setup.sh --no-run    without running the sample
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES

cmake --preset release -DORRERY_TESTS=OFF
cmake --build --preset release

[ "${1:-}" = "--no-run" ] && exit 0
echo
echo "\$ build/release/bin/orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c"
build/release/bin/orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c
