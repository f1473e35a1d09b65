#!/usr/bin/env bash
# Runs a statically linked x86-64 Linux program on an emulated CPU with AVX-512 (Tiger Lake), prints its output, and exits with
# its status. scripts/avx512.sh prepares the emulator. The environment variables TEXTCODEC_* and RUST* are passed to the
# program.
#
#   scripts/avx512-run.sh PROGRAM [ARGUMENT…]
#
#   AVX512_PREFIX     the folder that scripts/avx512.sh has prepared; default: target/avx512
#   AVX512_VERBOSE=1  also prints the boot messages of Linux
#   AVX512_TIMEOUT    seconds until the emulator is stopped, which is a failure; default: 7200
#
# The program is /program on an initial RAM disk, which a boot loader reads from a disk image. It starts after about five
# seconds; the CPU executes about 100 million instructions a second. Memory is 512 MiB, there is one core.
set -euo pipefail
prefix=$(realpath "${AVX512_PREFIX:-$(dirname "$0")/../target/avx512}")
root=$prefix/root
[ -f "$prefix/ready" ] || { echo "$0: the emulator is not prepared; run scripts/avx512.sh first" >&2; exit 1; }
[ $# != 0 ] || { echo "usage: $0 PROGRAM [ARGUMENT…]" >&2; exit 1; }

work=$(mktemp -d "$prefix/run.XXXXXX")
bochs=
clean_up() {
  [ -z "$bochs" ] || { kill -KILL "$bochs" && wait "$bochs"; } 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# The RAM disk: busybox, the program without debug information, its command line, and /init.
mkdir -p "$work"/disk/{bin,proc,dev,tmp}
cp "$root/bin/busybox" "$work/disk/bin/"
strip --strip-debug -o "$work/disk/program" "$1"
shift
{
  for name in $(compgen -e | grep -E '^(TEXTCODEC_|RUST)'); do
    printf 'export %s=%q\n' "$name" "${!name}"
  done
  echo "exec /program ${*@Q}"
} >"$work/disk/command"
cat >"$work/disk/init" <<'INIT'
#!/bin/busybox sh
busybox() { /bin/busybox "$@"; }
busybox mount -t proc proc /proc
busybox mount -t devtmpfs dev /dev
exec </dev/null >/dev/ttyS0 2>&1
busybox stty -F /dev/ttyS0 -opost
echo '@@begin'
status=0
# Without these features the tests would pass, because they would not run the AVX-512 kernels.
for feature in avx2 bmi1 bmi2 avx512f avx512bw avx512cd avx512dq avx512vl avx512vbmi avx512_vbmi2; do
  busybox grep -qw "$feature" /proc/cpuinfo || { echo "the emulated CPU has no $feature"; status=97; }
done
[ $status != 0 ] || { busybox sh /command; status=$?; }
echo "@@end $status"
while :; do busybox sleep 1000; done
INIT
chmod +x "$work/disk/init" "$work/disk/program"
(cd "$work/disk" && find . | "$root/bin/busybox" cpio -o -H newc 2>/dev/null) >"$work/initrd"

messages='quiet loglevel=1' started=
if [ -n "${AVX512_VERBOSE-}" ]; then messages=debug started=yes; fi
# Parameters of Linux. Some CPU features must be hidden, because Bochs emulates them incompletely:
#   pku, xsavec, xsaves: CPUID reports inconsistent state sizes, and Linux would disable AVX
#   fsrm: Bochs leaves "fast strings" disabled; with fsrm set nevertheless, Linux's memmove overruns its buffer
#   aperfmperf: the registers are missing
# The other parameters make Linux boot faster: no ACPI, PCI, keyboard, certificates or self-tests.
parameters=(
  console=ttyS0 $messages nokaslr mitigations=off nowatchdog
  clearcpuid=pku,fsrm,aperfmperf,xsaves,xsavec noxsaves tsc=reliable no_timer_check random.trust_cpu=on
  acpi=off pci=off lsm=capability cryptomgr.notests
  initcall_blacklist=trace_eval_init,crypto_algapi_init,load_system_certificate_list,init_evm,init_ima,i8042_init,hugetlb_init
)
kernel=("$root"/boot/vmlinuz-*)
cat >"$work/syslinux.cfg" <<CONFIG
DEFAULT linux
LABEL linux
  LINUX vmlinuz
  INITRD initrd
  APPEND ${parameters[*]}
CONFIG

# A disk image without partitions: a FAT file system whose size is a multiple of a cylinder.
track=63 heads=16
sectors=$((($(stat -c %s "${kernel[0]}") + $(stat -c %s "$work/initrd")) / 512 + 8192))
cylinders=$((sectors / (track * heads) + 1))
sectors=$((cylinders * track * heads))
export PATH=$root/usr/bin:$PATH
truncate -s $((sectors * 512)) "$work/image"
mformat -i "$work/image" -T $sectors -h $heads -s $track -H 0 ::
syslinux --install "$work/image"
mcopy -i "$work/image" "${kernel[0]}" ::vmlinuz
mcopy -i "$work/image" "$work/initrd" "$work/syslinux.cfg" ::

cat >"$work/bochsrc" <<CONFIG
cpu: model=tigerlake, ips=100000000
memory: guest=512, host=512
romimage: file=$root/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=$root/usr/share/vgabios/vgabios.bin
display_library: nogui
ata0-master: type=disk, path="$work/image", mode=flat, cylinders=$cylinders, heads=$heads, spt=$track
boot: disk
com1: enabled=1, mode=file, dev=$work/serial
clock: sync=none
log: $work/log
panic: action=fatal
error: action=ignore
CONFIG
: >"$work/serial"
"$prefix/bochs" -q -f "$work/bochsrc" </dev/null >"$work/messages" 2>&1 &
bochs=$!

status=
while [ -z "$status" ] && IFS= read -r line; do
  case ${line%$'\r'} in
    *@@begin) started=yes ;;
    *@@end\ *) status=${line##*@@end } status=${status%$'\r'} ;;
    *'Kernel panic'*) echo "$line" && status=98 ;;
    *) [ -z "$started" ] || printf '%s\n' "${line%$'\r'}" ;;
  esac
done < <(exec timeout "${AVX512_TIMEOUT:-7200}" tail --lines=+1 --sleep-interval=0.2 --follow --pid=$bochs "$work/serial" 2>/dev/null)
if [ -z "$status" ]; then
  echo "$0: the program has not ended after $SECONDS s; the last messages of the emulator:" >&2
  tail -n 5 "$work/log" >&2
  status=99
fi
exit "$status"
