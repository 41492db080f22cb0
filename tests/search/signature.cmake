# cmake -DTOOL=<defiance> -DEXPECTED=<file> [-DEMULATOR=<wine>] -P signature.cmake: the bench counts the
# nodes it counted on every other build. A change of the search changes the number: then put the new
# one into the file and into the commit message (Bench: N).
cmake_minimum_required(VERSION 3.21)
execute_process(COMMAND ${EMULATOR} ${TOOL} bench
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_QUIET)
file(STRINGS ${EXPECTED} expected LIMIT_COUNT 1)
if(NOT status STREQUAL 0 OR NOT output MATCHES "^nodes ([0-9]+)\n")
    message(FATAL_ERROR "bench failed: status ${status}, output [${output}]")
endif()
if(NOT CMAKE_MATCH_1 STREQUAL expected)
    message(FATAL_ERROR "bench counts ${CMAKE_MATCH_1} nodes, ${EXPECTED} says ${expected}")
endif()
message("bench counts ${expected} nodes, as everywhere")
