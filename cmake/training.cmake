# The arithmetic of `defiance train`: optimised whatever the rest of the tools is, once for every
# processor and once for those with AVX2. All give the same bits.
function(defiance_add_kernels name lanes)
    set(target defiance_${name}_training_kernels)
    add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/src/tools/training/training_kernels.cpp)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(${target} PRIVATE
        DEFIANCE_LANES=${lanes} DEFIANCE_KERNELS=${name}_training_kernels)
    target_link_libraries(${target} PRIVATE defiance_flags)
    if(NOT MSVC)
        target_compile_options(${target} PRIVATE -O3 -fno-math-errno ${ARGN})
    endif()
    target_sources(defiance_support PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

if(NOT MSVC)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/tools/training/micro_batch_runner.cpp PROPERTIES
        COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endif()
if(MSVC)
    defiance_add_kernels(plain 1)
    return()
endif()
defiance_add_kernels(plain 4)
# GCC does not align the stack for such registers on 64-bit Windows.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT WIN32)
    defiance_add_kernels(avx2 8 -mavx2)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/tools/training/fastest_training_kernels.cpp APPEND PROPERTY
        COMPILE_DEFINITIONS DEFIANCE_AVX2_TRAINING)
endif()
