#!/usr/bin/env bash
# Fetches the newest simdutf from Debian's development suite and unpacks it into a folder, without installing it. Writes the
# library's path, a colon and its version to `found`.
#
#   bench/simdutf.sh FOLDER [arm64]    # with arm64, for this architecture, and with the libraries that it needs
set -euo pipefail
cd "${1:?usage: simdutf.sh FOLDER}"
folder=$PWD
architecture=${2-}

archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -n 1)
mkdir -p apt/{lists,cache/archives}/partial apt/state
cp /var/lib/dpkg/status apt/status
echo "deb [${architecture:+arch=$architecture }signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive sid main" > apt/sources.list
cat > apt/apt.conf << CONF
Dir::State "$folder/apt/state";
Dir::State::lists "$folder/apt/lists";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Sandbox::User "root";
${architecture:+APT::Architecture "$architecture"; APT::Architectures { "$architecture"; };}
CONF
export APT_CONFIG=$folder/apt/apt.conf
apt-get -qq update
package=$(apt-cache depends libsimdutf-dev | sed -n 's/^ *Depends: \(libsimdutf[0-9]*\)$/\1/p')
version=$(apt-cache show "$package" | sed -n 's/^Version: //p' | head -n 1)
apt-get -qq download "$package" ${architecture:+libc6 libgcc-s1 libstdc++6}
for file in *.deb; do
  dpkg -x "$file" .
  rm "$file"
done
# Debian's packages have no /lib, which is a link.
[ -z "$architecture" ] || ln -sfn usr/lib lib
rm -r apt
library=$(find "$folder" -name 'libsimdutf.so.*' -type f)
# Debian's 9.3.0+really9.1.2-1 is 9.1.2.
version=${version##*really}
echo "$library:${version%-*}" > found
