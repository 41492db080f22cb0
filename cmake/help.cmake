# The help pages: one for each engine, which it holds, and one for all that can lie beside the engines.

# defiance_find_line(<variable> <file> <rules>): the line of play that the rules of a game begin with, as
# an example of a status line.
function(defiance_find_line variable file rules)
    if(NOT rules MATCHES "^<!-- a line of play: ([0-9x -]+) -->")
        message(FATAL_ERROR "${file} does not begin with a line of play")
    endif()
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# defiance_add_rules(<variable> <game>...): appends what the page says of the rules of the games.
function(defiance_add_rules variable)
    set(text "${${variable}}")
    foreach(game IN LISTS ARGN)
        defiance_game_name(name ${game})
        set(rules_file ${PROJECT_SOURCE_DIR}/src/cb/help/${game}.htm)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rules_file})
        file(READ ${rules_file} rules)
        defiance_find_line(line ${rules_file} "${rules}")
        string(REPLACE "<!-- a line of play: ${line} -->" "" rules "${rules}")
        string(STRIP "${rules}" rules)
        if(text)
            string(APPEND text "\n")
        endif()
        string(APPEND text "<h2>${name} draughts in a few lines</h2>\n${rules}")
    endforeach()
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# defiance_make_page(<file> <name> <about> <game>...): a page with this name, with a sentence about what
# it is the page of, and with the rules of these games.
function(defiance_make_page file DEFIANCE_PAGE_NAME DEFIANCE_PAGE_ABOUT)
    set(DEFIANCE_PAGE_RULES "")
    defiance_add_rules(DEFIANCE_PAGE_RULES ${ARGN})
    list(GET ARGN 0 game)
    file(READ ${PROJECT_SOURCE_DIR}/src/cb/help/${game}.htm rules)
    defiance_find_line(DEFIANCE_PAGE_LINE ${game}.htm "${rules}")
    string(REGEX MATCH "^[^ ]+" DEFIANCE_PAGE_MOVE "${DEFIANCE_PAGE_LINE}")
    configure_file(${PROJECT_SOURCE_DIR}/src/cb/help/page.htm ${file} @ONLY)
endfunction()
