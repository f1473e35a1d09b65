/* Wine 8 lacks bcryptprimitives.dll, from which Rust's standard library gets random numbers. `cargo xtask windows` builds this
   one, which forwards its only function to advapi32. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG len);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T len) {
  return SystemFunction036(bytes, (ULONG)len);
}
