#!/usr/bin/env bash
# Prepares tools for `cargo xtask cross`, which builds and runs the tests for other platforms. Installs nothing system-wide and
# needs no root. Does not fetch tools again.
#
#   scripts/cross.sh [PREFIX]          # PREFIX defaults to target/cross; about 130 MB to download, 700 MB on disk
#   scripts/cross.sh --web [PREFIX]    # for `cargo xtask js`: Debian's Rust if rustup cannot add the target, else nothing
#   scripts/cross.sh --windows [PREFIX]    # the same for `cargo xtask windows`
#
# Programs in PREFIX/bin:
#   aarch64-cc, s390x-cc, i686-cc    linkers with a C library to link statically
#   aarch64-run, s390x-run           qemu for one program
#   wasi-run                         Node for one WASI program
#   cargo                            only if rustup cannot add the targets: Debian's Rust, which builds the standard library,
#                                    but not that of WebAssembly with WASI
#   web-cargo                        the same for WebAssembly in browsers, with --web
#   windows-cargo                    the same for Windows, with --windows
#
# Compilers, qemu and Node are unpacked from Debian's packages for amd64.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
only= target=
case ${1-} in
  --web) only=-web target=wasm32-unknown-unknown ;;
  --windows) only=-windows target=x86_64-pc-windows-gnu ;;
esac
[ -z $only ] || shift
prefix=${1:-target/cross}
mkdir -p "$prefix" && cd "$prefix" && prefix=$PWD
# Another step of CI may run this at the same time.
exec 9>lock
command -v flock >/dev/null && flock 9
[ -n "$only" ] && rustup target add $target && rm -f "bin/${only#-}-cargo" && exit 0
root=$prefix/root

die() {
  echo "scripts/cross.sh: $*" >&2
  exit 1
}

# The stamp identifies the version of this script that prepared the folder.
stamp=$(sha256sum "$project/scripts/cross.sh" | cut -d' ' -f1)
[ "$(cat ready$only 2>/dev/null)" = "$stamp" ] && exit 0

[ "$(uname -m)" = x86_64 ] || die "the packages are for x86-64, this is $(uname -m)"
for program in apt-get dpkg-deb; do
  command -v $program >/dev/null || die "no $program: this needs Debian or a similar system"
done

# Downloads packages, with the dependencies that the machine lacks, and unpacks them into $root. Packages that are named are
# unpacked even if the machine has them.
unpack() {
  apt-get -c "$prefix/apt.conf" install --download-only --reinstall --yes -qq --no-install-recommends "$@" >/dev/null
  for package in "$prefix"/apt/archives/*.deb; do
    # Without the C library for amd64: another version is incompatible with the machine's loader.
    case $package in */libc6_*_amd64.deb) ;; *) dpkg-deb --extract "$package" "$root" ;; esac
    rm "$package"
  done
}

# apt with a separate state, which starts as a copy of the machine's.
mkdir -p apt/{lists,archives}/partial bin "$root"
cp /var/lib/dpkg/status apt/status
cat >apt.conf <<CONF
Dir::State "$prefix/apt";
Dir::State::status "$prefix/apt/status";
Dir::Cache "$prefix/apt";
APT::Sandbox::User "";
Debug::NoLocking "true";
CONF
apt-get -c apt.conf update -qq

# program NAME COMMAND: creates a program in bin that runs with the unpacked libraries.
program() {
  cat >"bin/$1" <<PROGRAM
#!/bin/sh
export LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu"
$2
PROGRAM
  chmod +x "bin/$1"
}

# rust NAME CRATES TARGET…: if rustup cannot add the targets, creates the program NAME: Debian's cargo, which builds these
# crates of the standard library.
rust() {
  rustup target add "${@:3}" && return
  [ -x "$root/usr/bin/cargo" ] || unpack rustc-web cargo-web libstd-rust-web-dev rust-web-src
  program "$1" "export RUSTC=$root/usr/bin/rustc RUSTC_BOOTSTRAP=1
${linker:+export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker}
command=\$1
shift
exec $root/usr/bin/cargo \"\$command\" -Zbuild-std=$2 \"\$@\""
}
if [ "$only" = -web ]; then
  # The linker of the machine's Rust.
  linker=$(rustc --print sysroot)/lib/rustlib/$(rustc --print host-tuple)/bin/rust-lld
  rust web-cargo std,panic_abort $target
elif [ "$only" = -windows ]; then
  rust windows-cargo std,panic_abort,panic_unwind,test $target
else
  unpack qemu-user gcc-{aarch64,s390x,i686}-linux-gnu libc6-dev-{arm64,s390x,i386}-cross
  for cpu in aarch64 s390x i686; do
    program $cpu-cc "exec $root/usr/bin/$cpu-linux-gnu-gcc --sysroot=$root \"\$@\""
  done
  for cpu in aarch64 s390x; do
    program $cpu-run "exec $root/usr/bin/qemu-$cpu \"\$@\""
  done

  node=$(command -v node) || { unpack nodejs; node=$root/usr/bin/node; }
  program wasi-run "exec $node --no-warnings $project/scripts/wasi.mjs \"\$@\""

  rust cargo std,panic_abort,panic_unwind,test {aarch64,s390x,i686}-unknown-linux-gnu wasm32-wasip1
  rust bare-cargo core,alloc thumbv7em-none-eabi x86_64-unknown-none
fi

rm -r apt
echo "$stamp" >"ready$only"
