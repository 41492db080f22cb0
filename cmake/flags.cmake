# Compiler flags shared by all targets, as the interface library defiance_flags.
# The compilers of the presets give no warning; others may have warnings of their own.
option(DEFIANCE_WERROR "Treat warnings as errors" OFF)
add_library(defiance_flags INTERFACE)

if(WIN32)
    # Windows 7 and later.
    target_compile_definitions(defiance_flags INTERFACE
        _WIN32_WINNT=0x0601 WINVER=0x0601 WIN32_LEAN_AND_MEAN NOMINMAX UNICODE _UNICODE)
endif()

if(MSVC)
    target_compile_options(defiance_flags INTERFACE /W4 /w14062 /permissive- /utf-8 /bigobj
        $<$<BOOL:${DEFIANCE_WERROR}>:/WX>)
    return()
endif()

# A product and a sum are not to become one operation with one rounding, so that every machine makes the same
# databases and networks.
target_compile_options(defiance_flags INTERFACE -ffp-contract=off
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${DEFIANCE_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 sees overlaps in std::string that are not there (its bug 105651).
    target_compile_options(defiance_flags INTERFACE -Wno-restrict)
endif()

# The oldest processors served: x86-64 with POPCNT, 32-bit x86 with SSE2. Never those of the machine
# that builds. Targets with the property DEFIANCE_ANY_PROCESSOR do without POPCNT.
# A compiler for 32 bits on a 64-bit system names the processor of that system.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    target_compile_options(defiance_flags INTERFACE
        $<$<NOT:$<BOOL:$<TARGET_PROPERTY:DEFIANCE_ANY_PROCESSOR>>>:-mpopcnt>)
    target_compile_definitions(defiance_flags INTERFACE DEFIANCE_NEEDS_POPCNT)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
    # GUIs call the exports with any stack alignment of 4 bytes.
    target_compile_options(defiance_flags INTERFACE -msse2 -mfpmath=sse -mstackrealign)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The same bytes wherever the sources lie.
    target_compile_options(defiance_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

if(DEFIANCE_SANITIZE)
    # A null pointer ends the program without them, and hardly anything has a virtual function. Test code does
    # with fewer checks, because they take a third of the time to compile it.
    target_compile_options(defiance_flags INTERFACE
        -fsanitize=${DEFIANCE_SANITIZE} -fno-sanitize=null,vptr
        $<$<BOOL:$<TARGET_PROPERTY:DEFIANCE_IS_TEST>>:-fno-sanitize=alignment,object-size>
        -fno-sanitize-recover=all -fno-omit-frame-pointer -UNDEBUG
        $<$<BOOL:$<TARGET_PROPERTY:DEFIANCE_UNSANITIZED>>:-fno-sanitize=all$<SEMICOLON>-g0>)
    # GCC sees uninitialised values in code with checks that are not there; it looks for real ones without.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(defiance_flags INTERFACE -Wno-maybe-uninitialized)
    endif()
    target_link_options(defiance_flags INTERFACE -fsanitize=${DEFIANCE_SANITIZE})
endif()

if(MINGW)
    # No run-time DLL of the compiler beside ours, and the same bytes from the same sources.
    target_link_options(defiance_flags INTERFACE -static -Wl,--no-insert-timestamp
        $<$<CONFIG:Release>:-s>)
endif()
