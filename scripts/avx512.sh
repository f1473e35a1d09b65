#!/usr/bin/env bash
# Prepares an emulated CPU with AVX-512 and VBMI2 for `cargo xtask avx512`, for machines without such a CPU. Installs nothing
# system-wide and needs no root. Does nothing if the folder is already prepared.
#
#   scripts/avx512.sh [PREFIX]    # PREFIX defaults to target/avx512; about 60 MB to download, 30 MB on disk, five minutes
#
# scripts/avx512-run.sh reads these files in PREFIX:
#   bochs     the emulator, built from Debian's source package
#   root/     Debian packages, unpacked: a Linux kernel, busybox, a boot loader, the tools that write a disk image, a BIOS
#
# The packages are those of fixed Debian releases, so that every machine tests with the same emulator and the same kernel.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
prefix=${1:-target/avx512}
mkdir -p "$prefix" && cd "$prefix" && prefix=$PWD
root=$prefix/root
packages=(busybox-static syslinux syslinux-common mtools bochsbios vgabios)

die() {
  echo "scripts/avx512.sh: $*" >&2
  exit 1
}

# The stamp identifies the version of this script that prepared the folder.
stamp=$(sha256sum "$project/scripts/avx512.sh" | cut -d' ' -f1)
[ "$(cat ready 2>/dev/null)" = "$stamp" ] && exit 0

[ "$(uname -m)" = x86_64 ] || die "the packages are for x86-64, this is $(uname -m)"
for program in apt-get dpkg-deb g++ make xz; do
  command -v $program >/dev/null || die "no $program: this needs Debian or a similar system, with g++ and make"
done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f $keyring ] || die "no $keyring: this needs Debian's package debian-archive-keyring"

# The package archive that this machine uses.
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -n 1)
[ -n "$archive" ] || die "apt has no Debian archive: run apt-get update once"

# apt with a separate state and separate sources.
rm -rf "$root" apt source ready
mkdir -p apt/{lists,archives}/partial source "$root"
touch apt/status
cat >apt.conf <<CONF
Dir::State "$prefix/apt";
Dir::State::status "$prefix/apt/status";
Dir::Cache "$prefix/apt";
Dir::Etc::sourcelist "$prefix/sources.list";
Dir::Etc::sourceparts "-";
APT::Sandbox::User "";
Debug::NoLocking "true";
CONF
cat >sources.list <<LIST
deb [signed-by=$keyring] $archive bookworm main
deb-src [signed-by=$keyring] $archive trixie main
LIST
export APT_CONFIG=$prefix/apt.conf
apt-get update -qq

# The package linux-image-cloud-amd64 only depends on the package of the current kernel.
kernel=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*\).*/\1/p' | head -n 1)
[ -n "$kernel" ] || die "linux-image-cloud-amd64 depends on no kernel"
(cd apt/archives && apt-get download -qq "$kernel" "${packages[@]}")
for package in apt/archives/*.deb; do
  dpkg-deb --extract "$package" "$root"
done
rm -r "$root"/lib/modules

# Debian's binary package includes the debugger, which makes Bochs many times slower.
(cd source && apt-get source -qq --tar-only bochs && tar -xf bochs_*.orig.tar.xz --strip-components=1)
cd source

# Corrects an instruction that Bochs 3.0 gets wrong. Fails if the file does not contain the line.
correct() { # correct FILE LINE REPLACEMENT
  grep -qF "$2" "$1" || die "$1 of Bochs does not contain: $2"
  sed -i "s/$(printf %s "$2" | sed 's/[.[*^$]/\\&/g')/$3/" "$1"
}
# VPCOMPRESSB and VPCOMPRESSW write nothing if the mask is all ones, because the shift is by the width of its type.
avx512=cpu/avx/avx512.cc
correct $avx512 'Bit64u writemask = (BX_CONST64(1) << k) - 1;' 'Bit64u writemask = k < 64 ? (BX_CONST64(1) << k) - 1 : ~BX_CONST64(0);'
correct $avx512 'Bit32u writemask = (1 << k) - 1;' 'Bit32u writemask = Bit32u((BX_CONST64(1) << k) - 1);'
# VPEXPANDB and VPEXPANDW from memory read the elements that the mask selects instead of the first ones.
opcodes=cpu/decoder/ia_opcodes_evex.def
correct $opcodes 'LOAD_MASK_VectorB, &BX_CPU_C::VPEXPANDB' 'LOAD_Vector, \&BX_CPU_C::VPEXPANDB'
correct $opcodes 'LOAD_MASK_VectorW, &BX_CPU_C::VPEXPANDW' 'LOAD_Vector, \&BX_CPU_C::VPEXPANDW'

build() {
  ./configure --with-nogui --enable-x86-64 --enable-avx --enable-evex --enable-all-optimizations \
    --enable-long-phy-address --enable-protection-keys --enable-cet --enable-vmx=2 --disable-plugins \
    --disable-docbook --disable-cdrom CFLAGS='-O2 -w' CXXFLAGS='-O2 -w' && make -j"$(nproc)"
}
build >../build.log 2>&1 || die "building Bochs failed, see $prefix/build.log"
strip -o ../bochs bochs
cd ..

rm -r apt source
echo "$stamp" >ready
