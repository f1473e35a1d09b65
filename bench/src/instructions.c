// A plug-in for qemu 7.2 to 8.2 that counts the instructions that a program executes. Whenever the program reads a file with
// pread64, the plug-in first writes the count, 8 bytes, to the start of the file COUNTER.
//
//   qemu-aarch64 -plugin libinstructions.so,counter=COUNTER PROGRAM
//
// The declarations are those of qemu's documentation of plug-ins, whose header Debian does not package.
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
typedef void translated(plugin_id, struct qemu_plugin_tb *);
typedef void called(plugin_id, unsigned cpu, int64_t number, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                    uint64_t, uint64_t);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, translated *);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id, called *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
enum operation { ADD_U64 };
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, enum operation, void *, uint64_t);

int qemu_plugin_version = 1;

enum { PREAD64 = 67 };

static uint64_t count;
static int counter;

static void on_translation(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &count, qemu_plugin_tb_n_insns(block));
}

static void on_call(plugin_id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                    uint64_t f, uint64_t g, uint64_t h) {
  (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  if (number == PREAD64 && pwrite(counter, &count, sizeof count, 0) != sizeof count) {
    _exit(1);
  }
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  static const char option[] = "counter=";
  if (argc != 1 || strncmp(argv[0], option, sizeof option - 1) != 0) {
    return 1;
  }
  counter = open(argv[0] + sizeof option - 1, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (counter < 0) {
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  qemu_plugin_register_vcpu_syscall_cb(id, on_call);
  return 0;
}
