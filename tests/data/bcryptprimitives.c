/* The one function of bcryptprimitives.dll that Rust's standard library calls, for a Wine that has no such library:
 * random bytes, in the way in which older Windows gives them. Only for tests/windows. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    return SystemFunction036(buffer, (ULONG)length);
}
