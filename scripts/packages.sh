# packages.sh - installs the Debian packages that Orrery needs; sourced by setup.sh and test.sh.
#
# Nothing is done, and no network or root needed, if all of them are there. Works on Debian 12 and Ubuntu 22.04 or later,
# which name them alike, as root or with sudo. ORRERY_INSTALL=no (the option --no-install) leaves the system as it is.

# What building and running needs: compiler and build tools, the scanner and parser generators, the libraries.
BUILD_PACKAGES="gcc cpp libc6-dev cmake ninja-build pkg-config flex bison libglib2.0-dev libjansson-dev zlib1g-dev libedit-dev libncurses-dev
    libcairo2-dev libpango1.0-dev libsdl2-dev"
# What is used where the distribution has it: a library; in tests, tools that open exported traces, as far as they are
# small, a browser that opens reports, an editor. Tests that miss one say so.
OPTIONAL_PACKAGES="libopen-trace-format2-dev"
OPTIONAL_TEST_PACKAGES="otf2-tools python3-otf2 graphviz chromium neovim"
# What the tests need on top: the unit test library, Python for the program runner, make for projects that use the
# compiler shims, a virtual screen for the window, a validator of JSON schemas.
TEST_PACKAGES="libcriterion-dev python3 python3-jsonschema make xvfb xauth"
# What scripts/lint.sh needs: other versions format otherwise and find other things.
LINT_PACKAGES="clang-format-14 clang-tidy-14"

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

package_is_installed() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

cannot_install() {
    echo "setup: $1; these packages of Debian and Ubuntu are missing:$missing" >&2
    echo "setup: install them, or use --no-install if they are there by other names" >&2
    exit 1
}

update_lists() { # what one broken source among several may spoil, the installation shows
    as_root apt-get update -q || echo "setup: going on with the package lists that could be had" >&2
}

all_are_offered() {
    for package in $missing; do
        apt-cache show "$package" >/dev/null 2>&1 || return 1
    done
}

# Several of them are in Ubuntu's "universe", which a minimal system may not have switched on. Where it is on for some
# sources, it is not for us to add it to others.
enable_universe() {
    grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null || return 0
    if grep -rqs '^[^#]*universe' /etc/apt/sources.list /etc/apt/sources.list.d; then return 0; fi
    echo "setup: switching on Ubuntu's component universe in /etc/apt"
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/ubuntu.sources; do
        [ -s "$file" ] || continue
        as_root sed -i -e '/^Components:.* main/s/$/ universe/' \
            -e "/^deb .* $release\(-[a-z]*\)\{0,1\} .*main/s/\$/ universe/" "$file"
    done
    update_lists
}

install_packages() {
    missing=""
    for package in "$@"; do
        package_is_installed "$package" || missing="$missing $package"
    done
    if [ -z "$missing" ] || [ "${ORRERY_INSTALL:-}" = no ]; then return 0; fi
    command -v apt-get >/dev/null 2>&1 || cannot_install "there is no apt-get here"
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null 2>&1 || cannot_install "installing needs root or sudo"
    echo "setup: installing$missing"
    update_lists
    all_are_offered || enable_universe
    # shellcheck disable=SC2086 # a list of words on purpose
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 $missing || cannot_install "apt-get could not install everything"
}

# Installs those of the packages that there are; what fails is only said.
install_optional() {
    offered=""
    for package in "$@"; do
        package_is_installed "$package" || ! apt-cache show "$package" >/dev/null 2>&1 || offered="$offered $package"
    done
    # shellcheck disable=SC2086 # a list of words on purpose
    if [ -n "$offered" ]; then (install_packages $offered) || echo "setup: going on without$offered" >&2; fi
}

# A clone that somebody else built in, or that is read-only, is found out before minutes of work.
check_writable() {
    top=build && [ -e build ] || top=.
    for directory in "$top" "build/$1" "build/$1/bin"; do
        if [ -e "$directory" ] && [ ! -w "$directory" ]; then
            echo "setup: $(id -un 2>/dev/null) may not write to $(cd "$directory" && pwd);" \
                "make it yours (chown), or clone again into a directory of your own" >&2
            exit 1
        fi
    done
}

# configure PRESET [OPTION...]: in a fresh build tree if the clone was moved since.
configure() {
    cache="build/$1/CMakeCache.txt"
    if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$cache"; then
        rm -rf "build/$1"
    fi
    cmake --preset "$@"
}
