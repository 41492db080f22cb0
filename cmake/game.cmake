# defiance_game_name(<variable> <game>): Russian for russian, which is the name of the rules type too.
function(defiance_game_name variable game)
    string(SUBSTRING ${game} 0 1 initial)
    string(TOUPPER ${initial} initial)
    string(SUBSTRING ${game} 1 -1 rest)
    set(${variable} ${initial}${rest} PARENT_SCOPE)
endfunction()

# defiance_choose_game(<target> <game>): sources of the target that instantiate templates on the rules
# type do so for this game.
function(defiance_choose_game target game)
    defiance_game_name(name ${game})
    target_compile_definitions(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:DEFIANCE_GAME=${name}>
        $<$<COMPILE_LANGUAGE:CXX>:DEFIANCE_GAME_HEADER="defiance/rules/${game}.hpp">)
endfunction()

# defiance_embed_endgames(<target> <game>): the endgame databases of the game become a part of the
# target. README.md says how they are made anew.
function(defiance_embed_endgames target game)
    # What is added later is noticed.
    file(GLOB built_in CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/egdb/built_in/*.dfe)
    foreach(content values plies)
        string(TOUPPER ${content} macro)
        set(file ${PROJECT_SOURCE_DIR}/src/egdb/built_in/${game}5.dfe)
        if(content STREQUAL plies)
            set(file ${PROJECT_SOURCE_DIR}/src/egdb/built_in/${game}5_plies.dfe)
        endif()
        if(NOT file IN_LIST built_in)
            message(WARNING "no ${file}: the engine of this game has no endgame databases of that kind")
            return()
        endif()
        if(MSVC)
            # It cannot include bytes as they are.
            set(array ${CMAKE_BINARY_DIR}/generated/${game}/endgame_${content}.inc)
            add_custom_command(OUTPUT ${array}
                COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${array}
                    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
                DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
            target_sources(${target} PRIVATE ${array})
            target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated/${game})
            set(file ${array})
        endif()
        target_compile_definitions(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:DEFIANCE_ENDGAME_${macro}="${file}">)
        # Compiled by itself, or nobody would see that the file has changed.
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/egdb/probe/embedded.cpp PROPERTY
            SKIP_UNITY_BUILD_INCLUSION ON)
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/egdb/probe/embedded.cpp APPEND PROPERTY
            OBJECT_DEPENDS ${file})
    endforeach()
endfunction()

# defiance_choose_instructions(): the kernels are compiled for several kinds of processors and chosen
# at run time.
function(defiance_choose_instructions)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
        return()
    endif()
    set(sources src/base/kernels_avx2.cpp src/base/kernels_avx_vnni.cpp
        src/base/kernels_avx512.cpp src/base/kernels_avx512_vnni.cpp src/base/kernels_plain.cpp
        src/base/kernels_sse2.cpp)
    set_source_files_properties(${sources} PROPERTIES
        SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
    set(avx2 /arch:AVX2)
    set(avx512 /arch:AVX512)
    if(NOT MSVC)
        set(avx2 -mavx2)
        # GCC warns of its own header (its bug 105593).
        set(avx512 -mavx512f -mavx512bw -mprefer-vector-width=512 -Wno-uninitialized
            -Wno-maybe-uninitialized)
        if(WIN32)
            # GCC does not align the stack of 64-bit Windows to 32 bytes (its bug 54412).
            list(APPEND avx2 -Wa,-muse-unaligned-vector-move)
            list(APPEND avx512 -Wa,-muse-unaligned-vector-move)
        endif()
    endif()
    set(avx_vnni ${avx2})
    set(avx512_vnni ${avx512})
    if(NOT MSVC)
        list(APPEND avx_vnni -mavxvnni)
        list(APPEND avx512_vnni -mavx512vnni)
    endif()
    foreach(kind avx2 avx_vnni avx512 avx512_vnni)
        set_source_files_properties(src/base/kernels_${kind}.cpp PROPERTIES
            COMPILE_OPTIONS "${${kind}}")
    endforeach()
endfunction()

# defiance_embed_network(<target> <game>): the evaluation network of the game becomes a part of the
# target. docs/training.md says how it is made anew.
function(defiance_embed_network target game)
    set(file ${PROJECT_SOURCE_DIR}/src/eval/networks/${game}.net)
    if(MSVC)
        set(array ${CMAKE_BINARY_DIR}/generated/${game}/network.inc)
        add_custom_command(OUTPUT ${array}
            COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${array} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
            DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
        target_sources(${target} PRIVATE ${array})
        target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated/${game})
        set(file ${array})
    endif()
    target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:DEFIANCE_NETWORK="${file}">)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/eval/embedded_network.cpp PROPERTY
        SKIP_UNITY_BUILD_INCLUSION ON)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/eval/embedded_network.cpp APPEND PROPERTY
        OBJECT_DEPENDS ${file})
endfunction()

# defiance_add_game(<game>): the library defiance_<game>_game, everything of one game but the GUI border.
function(defiance_add_game game)
    set(target defiance_${game}_game)
    add_library(${target} STATIC)
    foreach(part rules/generator egdb/codec/rules_fingerprint egdb/probe/database
            egdb/probe/embedded egdb/probe/endgames
            eval/embedded_network search/node search/quiescence search/pruning search/egdb_node
            search/egdb_root search/hints search/proof_number search/root search/search)
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/${part}.cpp)
    endforeach()
    defiance_choose_game(${target} ${game})
    defiance_embed_endgames(${target} ${game})
    defiance_embed_network(${target} ${game})
    defiance_precompile(${target})
    defiance_unite_game(${target})
    target_link_libraries(${target} PUBLIC defiance_core)
endfunction()
