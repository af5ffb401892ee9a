# packages.sh - installs the Debian packages that Orrery needs; sourced by setup.sh and test.sh.
#
# Nothing is done, and no network or root needed, if all of them are there. Works on Debian 12 and Ubuntu 22.04 or later, as root or with
# sudo.

# What building and running needs: compiler and build tools, the scanner and parser generators, the libraries.
BUILD_PACKAGES="gcc cpp libc6-dev cmake ninja-build pkg-config flex bison libglib2.0-dev libjansson-dev libedit-dev
    libcairo2-dev libpango1.0-dev libsdl2-dev"
# What the tests need on top: the unit test library, Python for the program runner, make for projects that use the
# compiler shims, a virtual screen for the window.
TEST_PACKAGES="libcriterion-dev python3 make xvfb xauth"

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "setup: installing packages needs root or sudo; missing: $missing" >&2
        exit 1
    fi
}

package_is_installed() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

# Several of the libraries are in Ubuntu's "universe", which a minimal system may not have switched on.
enable_universe() {
    [ -r /etc/os-release ] && grep -q '^ID=ubuntu' /etc/os-release || return 0
    if [ -f /etc/apt/sources.list.d/ubuntu.sources ]; then
        as_root sed -i '/^Components:/{/universe/!s/$/ universe/}' /etc/apt/sources.list.d/ubuntu.sources
    fi
    if [ -s /etc/apt/sources.list ]; then
        as_root sed -i '/^deb /{/universe/!s/$/ universe/}' /etc/apt/sources.list
    fi
}

install_packages() {
    missing=""
    for package in "$@"; do
        package_is_installed "$package" || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "setup: no apt-get here; please install what these Debian packages hold:$missing" >&2
        exit 1
    fi
    echo "setup: installing$missing"
    enable_universe
    as_root apt-get update -q
    # shellcheck disable=SC2086 # a list of words on purpose
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}
