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

# defiance_add_game(<game>): the library defiance_<game>_game, everything of one game but its host.
function(defiance_add_game game)
    set(target defiance_${game}_game)
    add_library(${target} STATIC)
    foreach(part fen game generator move_text path perft)
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/rules/${part}.cpp)
    endforeach()
    foreach(part eval/evaluate search/worker engine/engine engine/hint engine/history engine/ranking
            engine/thinking)
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/${part}.cpp)
    endforeach()
    defiance_choose_game(${target} ${game})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${DEFIANCE_UNITY} UNITY_BUILD_BATCH_SIZE 0)
    target_link_libraries(${target} PUBLIC defiance_core)
endfunction()
