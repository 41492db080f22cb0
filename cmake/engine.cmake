# defiance_any_processor(<target> <source>...): an object library that is compiled for processors
# without POPCNT. Its namespace has another name, because the linker keeps one of several copies of an
# inline function, whichever it finds first.
function(defiance_any_processor target)
    add_library(${target} OBJECT)
    foreach(source IN LISTS ARGN)
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/${source}.cpp)
    endforeach()
    target_include_directories(${target} PRIVATE
        ${PROJECT_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/generated)
    target_compile_definitions(${target} PRIVATE defiance=defiance_any_processor)
    set_target_properties(${target} PROPERTIES DEFIANCE_ANY_PROCESSOR ON
        UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    target_link_libraries(${target} PRIVATE defiance_flags)
    defiance_unite_faults(${target})
endfunction()

defiance_any_processor(defiance_processor base/processor)
defiance_any_processor(defiance_any_game cb/board rules/path rules/position)

# defiance_add_engine(<game>): the CheckerBoard engine of one game, as defiance_<game>64.dll,
# defiance_<game>.dll or libdefiance_<game>.so.
function(defiance_add_engine game)
    set(target defiance_${game})
    defiance_any_processor(${target}_exports cb/exports rules/generator)
    defiance_choose_game(${target}_exports ${game})
    add_library(${target} MODULE ${PROJECT_SOURCE_DIR}/src/cb/entry.cpp
        $<TARGET_OBJECTS:${target}_exports> $<TARGET_OBJECTS:defiance_any_game>
        $<TARGET_OBJECTS:defiance_processor>)
    target_link_libraries(${target} PRIVATE defiance_cb defiance_${game}_game)
    defiance_choose_game(${target} ${game})
    defiance_precompile(${target})

    set(generated ${CMAKE_BINARY_DIR}/generated/${game})
    set(page ${generated}/help.htm)
    defiance_game_name(DEFIANCE_GAME_NAME ${game})
    defiance_make_page(${page} "Defiance ${DEFIANCE_GAME_NAME}"
        "This one plays <b>${DEFIANCE_GAME_NAME}</b> draughts." ${game})
    if(WIN32)
        set(width "")
        if(CMAKE_SIZEOF_VOID_P EQUAL 8)
            set(width 64)
        endif()
        set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME defiance_${game}${width})
        set(DEFIANCE_RC_NAME defiance_${game}${width}.dll)
        set(DEFIANCE_RC_PAGE ${page})
        configure_file(${PROJECT_SOURCE_DIR}/cmake/engine.rc.in ${target}.rc @ONLY)
        target_sources(${target} PRIVATE ${CMAKE_BINARY_DIR}/${target}.rc
            ${PROJECT_SOURCE_DIR}/engine.def)
        set_source_files_properties(${CMAKE_BINARY_DIR}/${target}.rc PROPERTIES OBJECT_DEPENDS ${page})
        if(MINGW)
            # The .def names the functions without the decoration that stdcall gives them.
            target_link_options(${target} PRIVATE -Wl,--enable-stdcall-fixup)
        endif()
    else()
        # No resources here: the page becomes an array.
        set(array ${generated}/help_page.inc)
        add_custom_command(OUTPUT ${array}
            COMMAND ${CMAKE_COMMAND} -DIN=${page} -DOUT=${array}
                -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
            DEPENDS ${page} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
        target_sources(${target} PRIVATE ${array})
        target_include_directories(${target} PRIVATE ${generated})
        # What the templates of the standard library would export besides ours is kept in.
        target_link_options(${target} PRIVATE
            -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    endif()
endfunction()
