#pragma once

/// DEFIANCE_INCLUDE_BYTES(name, file): puts the bytes of a file into the program, from the symbol
/// `name` to the symbol `name_end`; both are texts. To be used outside of functions and namespaces.
/// Only for compilers of the GNU kind; others need the bytes as an array.
#ifdef __GNUC__
#ifdef _WIN32
#define DEFIANCE_READ_ONLY_SECTION ".section .rdata,\"dr\"\n"
#else
#define DEFIANCE_READ_ONLY_SECTION ".section .rodata\n"
#endif
// An array of a million numbers would take the compiler minutes and gigabytes.
#define DEFIANCE_INCLUDE_BYTES(name, file)                                           \
    __asm__(DEFIANCE_READ_ONLY_SECTION ".globl " name "\n.globl " name "_end\n" name \
                                       ":\n"                                         \
                                       ".incbin \"" file "\"\n" name "_end:\n.byte 0\n.text\n")
#endif
