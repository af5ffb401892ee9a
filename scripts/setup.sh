#!/bin/sh
# setup.sh - from a fresh clone to the first simulated program: installs what is missing, builds, runs the main job.
#
#   sh scripts/setup.sh                 as root or with sudo, on Debian 12 or Ubuntu
#   sh scripts/setup.sh --no-run        without running the sample
#   sh scripts/setup.sh --no-install    without installing packages
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

run=yes
for option in "$@"; do
    case "$option" in
    --no-run) run=no ;;
    --no-install) ORRERY_INSTALL=no ;;
    --help | -h) sed -n '2,6s/^# \{0,1\}//p' scripts/setup.sh && exit 0 ;;
    *) sed -n '2,6s/^# \{0,1\}//p' scripts/setup.sh >&2 && exit 2 ;;
    esac
done

check_writable release
# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES
# shellcheck disable=SC2086
install_optional $OPTIONAL_PACKAGES
configure release -DORRERY_TESTS=OFF
cmake --build --preset release

[ "$run" = yes ] || exit 0
echo
echo "\$ build/release/bin/orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c"
build/release/bin/orrery run -n 8 --machine mesh-4x4 --stats samples/greetings.c
