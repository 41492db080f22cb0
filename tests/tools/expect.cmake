# Functions for scripts that run the console tool as a user does and check exit status and output. They
# take TOOL, EMULATOR and WORK from the script, and count in `failures`. A semicolon in a word is
# written |.
set(failures 0)
set(nothing "^$")

# unless_wine(<variable> <regular expression for standard error>): sets it; with Wine, which may add messages of
# its own, to one that matches anything.
function(unless_wine variable expression)
    if(EMULATOR)
        set(expression "")
    endif()
    set(${variable} "${expression}" PARENT_SCOPE)
endfunction()
unless_wine(quiet "${nothing}")

# expect_answer(<exit status> <input> <regular expression for standard output> <one for standard error>
# <words>...): for calls that read standard input
function(expect_answer status in out err)
    file(WRITE ${WORK}/input.txt "${in}")
    string(REPLACE "|" "\\;" words "${ARGN}")
    execute_process(COMMAND ${EMULATOR} ${TOOL} ${words} INPUT_FILE ${WORK}/input.txt
        RESULT_VARIABLE got_status OUTPUT_VARIABLE got_out ERROR_VARIABLE got_err)
    # One start in some thousand fails under Wine before the program's first instruction, with status 1
    # and without a word. The tool never ends so by itself.
    if(EMULATOR AND got_status STREQUAL 1 AND got_out STREQUAL "" AND got_err STREQUAL "")
        message("defiance ${words} did not start; trying once more")
        execute_process(COMMAND ${EMULATOR} ${TOOL} ${words} INPUT_FILE ${WORK}/input.txt
            RESULT_VARIABLE got_status OUTPUT_VARIABLE got_out ERROR_VARIABLE got_err)
    endif()
    if(NOT got_status STREQUAL status OR NOT got_out MATCHES "${out}" OR NOT got_err MATCHES "${err}")
        string(REPLACE ";" " " words "${ARGN}")
        message("defiance ${words} with input [${in}]\n  status ${got_status}, expected ${status}\n"
            "  output [${got_out}], expected [${out}]\n  errors [${got_err}], expected [${err}]")
        math(EXPR failures "${failures} + 1")
        set(failures ${failures} PARENT_SCOPE)
    endif()
endfunction()

# expect(<exit status> <regular expression for standard output> <one for standard error> <words>...)
function(expect status out err)
    expect_answer("${status}" "" "${out}" "${err}" ${ARGN})
    set(failures ${failures} PARENT_SCOPE)
endfunction()

# To be called at the end.
function(report_failures)
    if(failures)
        message(FATAL_ERROR "${failures} calls of the console tool failed")
    endif()
endfunction()
