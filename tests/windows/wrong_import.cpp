// A DLL that breaks every rule of imports_test.sh, to show that the test sees it: it imports a
// function that came with Windows 8 and one of the network's, exports a name too many, and has no
// resources.
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602
#include <winsock2.h>
// After winsock2.h, which would warn otherwise.
#include <windows.h>

extern "C" __declspec(dllexport) int too_much() {
    FILETIME time{};
    GetSystemTimePreciseAsFileTime(&time);
    return WSAGetLastError();
}
