# shellcheck shell=bash
# What every script here needs. Source it first: it moves to the root of the repository.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
# Where cargo puts what it builds.
# shellcheck disable=SC2034 # for those that source this
target_directory=${CARGO_TARGET_DIR:-$root/target}
# What the scripts install goes before what the machine has; rustup puts its programs where a new shell finds them.
export PATH="$root/.tools/bin:$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"

# Progress goes to standard error: standard output is for data.
say() { printf '%s\n' "$*" >&2; }

# fail MESSAGE HINT
fail() {
  say "error: $1"
  say "hint:  $2"
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

in_ci() { [ "${CI:-}" = true ]; }

# Runs a command as root without ever asking for a password; false where that cannot be.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif have sudo && sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    return 1
  fi
}

# apt_install PACKAGE…: false where apt or the right to use it is missing. Steps of the set-up run side by side, apt does not.
apt_install() {
  have apt-get && as_root true || return 1
  mkdir -p .tools
  (
    flock 9
    say "installing from apt: $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
  ) 9>.tools/apt.lock
}

# python_venv DIRECTORY: a virtual environment of Python with pip; false where none can be made.
python_venv() {
  [ -x "$1/bin/pip" ] && return
  { have python3 || apt_install python3 ca-certificates; } || return 1
  python3 -m venv "$1" >/dev/null 2>&1 && return
  # Debian's python3 comes without what it needs for that.
  rm -rf "$1"
  apt_install python3-venv ca-certificates && python3 -m venv "$1" >&2
}

# pip_install DIRECTORY ARGUMENT…: ready-made packages of PyPI into a virtual environment.
pip_install() {
  local directory=$1
  shift
  python_venv "$directory" &&
    "$directory/bin/pip" install --quiet --disable-pip-version-check --root-user-action=ignore --only-binary :all: "$@" >&2
}

# at_least FOUND WANTED: whether version FOUND is WANTED or newer.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# Path of the browser that opens the reports in the tests, if there is one: that of CHROMIUM, else what is installed.
browser() {
  if [ -n "${CHROMIUM:-}" ]; then
    [ -x "$CHROMIUM" ] && printf '%s\n' "$CHROMIUM"
    return
  fi
  local name
  for name in chromium chromium-browser google-chrome; do
    command -v "$name" && return
  done
  return 1
}

# The platforms that have a package, such as linux-x64-gnu, a line each. Needs Node.js.
published_platforms() {
  node -p 'require("./npm/platforms.json").map(({ package: name }) => name.replace("@plimsoll/", "")).join("\n")'
}

# platform_field PLATFORM NAME: what npm/platforms.json says of it.
platform_field() { node -p "require('./npm/platforms.json').find(({ package: name }) => name === '@plimsoll/$1')?.$2 ?? ''"; }
