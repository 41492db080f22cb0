# What keeps building fast. Most of the work of a compiler here is to read the headers of the standard
# library, again for each of many small sources.
option(DEFIANCE_PRECOMPILE "Read the headers of the standard library once for all" OFF)
set(DEFIANCE_UNITY "" CACHE STRING "Compile several sources as one: '', 'games' or 'all' of them")

# The headers that most sources end up with.
set(DEFIANCE_PRECOMPILED <algorithm> <array> <atomic> <chrono> <cstdint> <cstdio> <cstdlib> <functional>
    <map> <memory> <mutex> <optional> <span> <string> <string_view> <utility> <vector>)

# defiance_precompile_faults(<target>): for a target with precompiled headers.
function(defiance_precompile_faults target)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # What is precompiled is no system header to GCC 12, and it sees faults inside std::string.
        target_compile_options(${target} PRIVATE
            -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
    endif()
endfunction()

# defiance_add_precompiled(<target> <library> <header>...): an object library that precompiles the headers for
# those who use the library. It has nothing else, because whoever takes them from a target waits for all of it.
function(defiance_add_precompiled target library)
    set(source ${CMAKE_BINARY_DIR}/generated/${target}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${target} OBJECT ${source})
    target_link_libraries(${target} PRIVATE ${library})
    target_precompile_headers(${target} PRIVATE ${ARGN})
    defiance_precompile_faults(${target})
endfunction()

# defiance_take_precompiled(<target> <from>)
function(defiance_take_precompiled target from)
    target_precompile_headers(${target} REUSE_FROM ${from})
    defiance_precompile_faults(${target})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" AND NOT WIN32)
        target_compile_options(${target} PRIVATE -fPIC)    # as they were precompiled
    endif()
endfunction()

# defiance_precompile(<target>): with the headers of the standard library.
function(defiance_precompile target)
    if(NOT DEFIANCE_PRECOMPILE)
        return()
    endif()
    if(NOT TARGET precompiled_standard)
        defiance_add_precompiled(precompiled_standard defiance_flags ${DEFIANCE_PRECOMPILED})
        target_link_libraries(precompiled_standard PRIVATE Threads::Threads)
    endif()
    defiance_take_precompiled(${target} precompiled_standard)
endfunction()

# defiance_unite_faults(<target>): for a target with several sources as one.
function(defiance_unite_faults target)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # An included source is a header to GCC, in which unnamed namespaces are dangerous.
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
endfunction()

# defiance_unite_game(<target>): its sources are compiled for each game again. Few at a time when a
# change to one of them should not compile all.
function(defiance_unite_game target)
    if(DEFIANCE_UNITY STREQUAL "games")
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
    elseif(DEFIANCE_UNITY STREQUAL "all")
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    endif()
    if(DEFIANCE_UNITY)
        defiance_unite_faults(${target})
    endif()
endfunction()

# defiance_unite(<target>): the sources of each folder as one, or those of the UNITY_GROUP that is set. What
# has no external linkage in them needs names that differ within the folder.
function(defiance_unite target)
    if(NOT DEFIANCE_UNITY STREQUAL "all")
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    foreach(source IN LISTS sources)
        get_source_file_property(group ${source} UNITY_GROUP)
        if(NOT group)
            get_filename_component(folder ${source} DIRECTORY)
            get_filename_component(folder "${folder}" NAME)
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_sources)
        endif()
    endforeach()
    defiance_unite_faults(${target})
endfunction()

# defiance_unsanitized(<target>): for what has to be linked and is not under test. Instrumented code takes
# several times as long to compile.
function(defiance_unsanitized target)
    if(DEFIANCE_SANITIZE)
        set_target_properties(${target} PROPERTIES DEFIANCE_UNSANITIZED ON DISABLE_PRECOMPILE_HEADERS ON)
    endif()
endfunction()

# defiance_quick(<target>): for code that takes long to optimise and little time to run. Without any
# optimisation the tests would take three times as long to run.
function(defiance_quick target)
    if(NOT MSVC)
        target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-Og>)
    endif()
endfunction()
