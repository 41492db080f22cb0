# cmake -DTOOL=<defiance> -DEXPECTED=<file> "-DGAMES=<game>;..." [-DEMULATOR=<wine>] -P signature.cmake:
# the bench of each of these games counts the nodes it counted on every other build. A change of the
# search changes the numbers: then put the new ones into the file and that of English into the commit
# message (Bench: N).
cmake_minimum_required(VERSION 3.21)
file(STRINGS ${EXPECTED} lines)
foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([a-z]+) ([0-9]+)$")
        message(FATAL_ERROR "${EXPECTED}: [${line}] is not a game and a number")
    endif()
    set(expected_of_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
if(NOT GAMES)
    message(FATAL_ERROR "GAMES names no game")
endif()
foreach(game IN LISTS GAMES)
    if(NOT DEFINED expected_of_${game})
        message(SEND_ERROR "${EXPECTED} has no line for ${game}")
        continue()
    endif()
    set(expected ${expected_of_${game}})
    execute_process(COMMAND ${EMULATOR} ${TOOL} bench --game ${game}
        RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_QUIET)
    # Under Wine one start in some thousand fails before the program's first instruction.
    if(EMULATOR AND status STREQUAL 1 AND output STREQUAL "")
        message("bench of ${game} did not start; trying once more")
        execute_process(COMMAND ${EMULATOR} ${TOOL} bench --game ${game}
            RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_QUIET)
    endif()
    if(NOT status STREQUAL 0 OR NOT output MATCHES "\nnodes ([0-9]+)\nnps [0-9]+\n$")
        message(FATAL_ERROR "bench of ${game} failed: status ${status}, output [${output}]")
    endif()
    if(NOT CMAKE_MATCH_1 STREQUAL expected)
        message(SEND_ERROR "bench of ${game} counts ${CMAKE_MATCH_1} nodes, not ${expected}")
    else()
        message("${game} counts ${expected} nodes, as everywhere")
    endif()
endforeach()
