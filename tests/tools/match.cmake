# cmake -DTOOL=<defiance> -DBAD_ENGINE=<file> -DWORK=<folder> [-DEMULATOR=<wine>] [-DSANITIZE=<what>]
# -P match.cmake: plays small matches and tournaments as a user does and checks exit status and output.
cmake_minimum_required(VERSION 3.21)
file(MAKE_DIRECTORY ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)
set(is_slow OFF)    # to start a program
if(EMULATOR OR SANITIZE)
    set(is_slow ON)
endif()

set(number "[+-]?([0-9.]+|inf)")
set(result "RESULT (1-0|0-1|1/2-1/2) winner=[^ \n]+ reason=[LD][1-6] plies=[0-9]+ pdn=")
set(open "elo ${number} \\+- ${number} sprt open\n$")
unless_wine(progress "^(game [0-9]+ of [0-9]+, [0-9:]+ left: [^\n]*\n)+$")

# Matches: a line for each game, and the last line.
file(REMOVE ${WORK}/games.pdn)
set(file "${WORK}/games.pdn")
expect(0 "^${result}[^\n]*games.pdn#1\n${result}[^\n]*games.pdn#2\n.*\nMATCH games 2 w [0-2] d [0-2] l [0-2] ${open}"
    "game 2 of 2" match random random --games 2 --max-plies 40 --pdn ${file})
expect(0 "^${result}[^\n]*games.pdn#3\n${result}[^\n]*games.pdn#4\n" "${progress}"
    match random random --games 2 --max-plies 40 --pdn ${file} --event "another match")
expect(0 "^games 4 moves [0-9]+ faults 0\n$" "${quiet}" replay ${file})
expect(0 "^RESULT 1-0 winner=strong reason=L1 plies=[0-9]+ pdn=-\nRESULT 0-1 winner=strong reason=L1 plies=[0-9]+ pdn=-\n.*\nMATCH games 2 w 2 d 0 l 0 ${open}"
    "${progress}" match "self|depth=3|name=strong" "random|name=weak" --games 2 --openings start)
expect(0 "^RESULT 1/2-1/2 winner=- reason=D3 plies=1 pdn=-\n" "${progress}"
    match random random --games 2 --max-plies 1 --game russian)
expect(0 "\nMATCH games [0-9]+ w [0-9]+ d [0-9]+ l [0-9]+ elo ${number} \\+- ${number} sprt H1\n$"
    "LLR" match "self|depth=3" random --sprt 0,200 --games 100)

# Players that prune otherwise.
set(tame "param=razoring_margin=400|param=probcut_depth=10")
expect(0 "\nMATCH games 2 w [0-2] d [0-2] l [0-2] ${open}" "${progress}"
    match "self|${tame}|name=A" "self|name=B" --games 2 --nodes 300 --max-plies 60)

# The tags name the player of each colour: the first player has the side that moves first in the games
# with odd numbers, and that is White in Russian.
foreach(game russian english)
    file(REMOVE ${WORK}/colours.pdn)
    expect(0 "^RESULT .*\nRESULT .*\nMATCH games 2 " "${progress}" match "random|name=A" "random|name=B"
        --games 2 --max-plies 6 --game ${game} --pdn ${WORK}/colours.pdn)
    file(STRINGS ${WORK}/colours.pdn tags REGEX "^.(Black|White) ")
    set(expected "[Black \"B\"] [White \"A\"] [Black \"A\"] [White \"B\"]")
    if(game STREQUAL english)
        set(expected "[Black \"A\"] [White \"B\"] [Black \"B\"] [White \"A\"]")
    endif()
    string(REGEX REPLACE "[\r;]+" " " tags "${tags}")
    if(NOT tags STREQUAL expected)
        math(EXPR failures "${failures} + 1")
        message("the tags of a match in ${game} are ${tags}, expected ${expected}")
    endif()
endforeach()

# Nothing is appended to a file of another kind.
file(WRITE ${WORK}/notes.txt "a list of things to buy\n")
foreach(option --pdn --engine-log)
    expect(2 "${nothing}" "${option}: [^\n]*notes.txt is another file, and nothing is added to it\n"
        match random random --games 2 --max-plies 4 ${option} ${WORK}/notes.txt)
endforeach()
file(REMOVE ${WORK}/state_of_notes)
foreach(run RANGE 1 2)    # and no state is left by which it would be known
    expect(2 "${nothing}" "--pdn: [^\n]*notes.txt is another file, and nothing is added to it\n" match random random
        --games 2 --max-plies 4 --pdn ${WORK}/notes.txt --resume ${WORK}/state_of_notes)
endforeach()
expect(2 "${nothing}" "--pdn needs a name, not ''" match random random --pdn= --resume=)

# A match that is over is not played again, unless it is to have more games; fewer are refused.
file(REMOVE ${WORK}/state ${WORK}/resumed.pdn)
set(resumed match random random --max-plies 20 --resume ${WORK}/state)
set(kept ${resumed} --pdn ${WORK}/resumed.pdn)
expect(0 "^RESULT.*\nRESULT.*\nMATCH games 2 " "game 2 of 2" ${kept} --games 2)
expect(0 "^random: moves 20, .*\nMATCH games 2 " "going on after 2 games\n" ${kept} --games 2)
expect(0 "^RESULT [^\n]*#3\nRESULT [^\n]*#4\nrandom: moves 40, .*\nMATCH games 4 " "going on after 2 games\n.*game 4 of 4"
    ${kept} --games 4)
expect(2 "${nothing}" "--games: game 4 has been played, and --games 3 is less than that" ${kept} --games 3)
expect(2 "${nothing}" "/state' is the state of a match with other settings" ${resumed} --games 4)
expect(0 "^games 4 moves 80 faults 0\n$" "${quiet}" replay ${WORK}/resumed.pdn)

# A state of an older build has the number of games.
file(READ ${WORK}/state state)
string(REPLACE " --max-plies" " --games 4 --max-plies" older_state "${state}")
file(WRITE ${WORK}/state "${older_state}")
expect(0 "\nMATCH games 4 " "going on after 4 games\n" ${kept} --games 4)

# No game is cut off another PDN of the same players, not even before the first game is finished.
file(REMOVE ${WORK}/other.pdn)
expect(0 "\nMATCH games 1 " "${progress}" match random random --max-plies 20 --games 1 --pdn ${WORK}/other.pdn)
foreach(beginning "${state}" "${older_state}")
    string(REGEX REPLACE "\n.*" "\n" beginning "${beginning}")
    file(WRITE ${WORK}/state "${beginning}")
    expect(2 "${nothing}" "/state' is the state of a match with other settings"
        ${resumed} --pdn ${WORK}/other.pdn --games 4)
endforeach()
expect(0 "^games 1 moves 20 faults 0\n$" "${quiet}" replay ${WORK}/other.pdn)

# Nor is it gone on with by other programs, which might play otherwise; older states do not tell.
if(NOT EMULATOR)
    set(programs match "self|depth=1" "so:${WORK}/changed_engine.so" --games 2 --max-plies 9
        --resume ${WORK}/state_of_programs)
    set(refusal "state_of_programs' is the state of a match with other settings or programs: self;depth=1 so:")
    file(REMOVE ${WORK}/state_of_programs)
    configure_file(${BAD_ENGINE} ${WORK}/changed_engine.so COPYONLY)
    expect(0 "\nMATCH games 2 " "game 2 of 2" ${programs})
    expect(0 "\nMATCH games 2 " "going on after 2 games\n" ${programs})
    file(READ ${WORK}/state_of_programs state)
    foreach(other "" " program 0.9 1")
        string(REGEX REPLACE " program [^ \n]+ [0-9]+\n" "${other}\n" other_state "${state}")
        file(WRITE ${WORK}/state_of_programs "${other_state}")
        expect(2 "${nothing}" "${refusal}" ${programs})
    endforeach()
    file(WRITE ${WORK}/state_of_programs "${state}")
    file(APPEND ${WORK}/changed_engine.so "x")
    expect(2 "${nothing}" "${refusal}" ${programs})
endif()

# Which book lies beside the program does not decide how it plays, unless it is told to use it.
if(NOT is_slow)
    set(booked ${WORK}/booked)
    set(usual_tool ${TOOL})
    file(REMOVE_RECURSE ${booked})
    file(COPY ${TOOL} DESTINATION ${booked})
    get_filename_component(TOOL ${TOOL} NAME)
    set(TOOL ${booked}/${TOOL})
    # No search prefers this move.
    file(WRITE ${booked}/lines.txt "B:W21-32:B1-12; 10-14 50 9 30\n")
    expect(0 "^positions 1 moves 1\n$" "${quiet}"
        book import --out ${booked}/english.book ${booked}/lines.txt)
    foreach(player "self" "self|send=set book 3")
        file(REMOVE ${booked}/game.pdn)
        expect(0 "^RESULT " "${progress}" match ${player} random --openings start --games 1
            --max-plies 1 --depth 1 --pdn ${booked}/game.pdn)
        file(READ ${booked}/game.pdn game)
        set(plays_book_move OFF)
        if(game MATCHES "1[.] 10-14 ")
            set(plays_book_move ON)
        endif()
        set(has_book OFF)
        if(player MATCHES "book 3")
            set(has_book ON)
        endif()
        if(NOT plays_book_move STREQUAL has_book)
            message(SEND_ERROR "beside a book ${player} plays [${game}]")
        endif()
    endforeach()
    set(TOOL ${usual_tool})
endif()

# Players that cannot be started.
set(absent "mw:${WORK}/absent_player")
expect(2 "${nothing}" "defiance: player 1 cannot be started: .*absent_player" match ${absent} random --games 2)
expect(0 "^RESULT 0-1 winner=random reason=L3 plies=0 pdn=-\nRESULT 1-0 winner=random reason=L3 plies=0 pdn=-\n.*absent_player: .*lost by L3 \\(the player has gone\\) 2\n.*\nMATCH games 2 w 0 d 0 l 2 "
    "${progress}" match ${absent} random --games 2 --recover)
# Nobody has won a tournament whose games were not all played.
expect(2 "^RESULT .*\nRESULT \\* winner=- reason=abort plies=0 pdn=-\n.*\nTOURNAMENT players 3 games [1-9] winner -\n$"
    "player 3 cannot be started: "
    tournament random random ${absent} --format round-robin --max-plies 2)
expect(2 "${nothing}" "player 3 cannot be started: "
    tournament random random ${absent} --format knockout --max-plies 2)
expect(2 "${nothing}" "absent.dll' cannot be opened" match "dll:absent.dll" random --games 2)
expect(2 "${nothing}" "absent.dll' cannot be opened"
    match self "dll:absent.dll" --games 2 --game english)

# An engine file, which tells its name and game, and which crashes in every second of its moves.
expect(0 "^RESULT 1/2-1/2 winner=- reason=D3 plies=9 .*\nBad Engine against random: W-D-L 0-2-0 "
    "${progress}" match "dll:${BAD_ENGINE}" random --games 2 --max-plies 9)
expect(0 "^RESULT 0-1 winner=random reason=L3 plies=2 pdn=-\nRESULT 1-0 winner=random reason=L3 plies=3 pdn=-\n.*\nMATCH games 2 w 0 d 0 l 2 "
    "${progress}" match "so:${BAD_ENGINE}|send=mode crash 2" random --games 2)
expect(0 "\nBad Engine: [^\n]*; lost by L6 \\(out of memory\\) 2\n.*\nMATCH games 2 w 0 d 0 l 2 "
    "${progress}" match "so:${BAD_ENGINE}|send=hold" random --games 2 --mem-limit 150)
expect(2 "${nothing}" "player 1 plays english, not russian"
    match "dll:${BAD_ENGINE}" random --games 2 --game russian)
expect(2 "${nothing}" "player 2 cannot be started: it refuses 'refuse'"
    match random "dll:${BAD_ENGINE}|send=refuse" --games 2)

expect(2 "${nothing}" "notes.txt' is no engine file " match "so:${WORK}/notes.txt" random --games 2)
if(NOT EMULATOR)
    expect(2 "${nothing}" "player 1 cannot be started: [^\n]*the folder 'nope' does not exist\n"
        match "so:${BAD_ENGINE}|folder=nope" random --games 2 --game english)
endif()

# An engine of CheckerBoard is asked for its game in the folder where it plays.
if(NOT EMULATOR)
    configure_file(${BAD_ENGINE} ${WORK}/board/engines/bad_engine.so COPYONLY)
    file(WRITE ${WORK}/board/gametype.txt "25\n")
    file(REMOVE ${WORK}/folder.pdn)
    expect(0 "^RESULT 1/2-1/2 winner=- reason=D3 plies=1 [^\n]*#1\n" "${progress}"
        match random "so:${WORK}/board/engines/bad_engine.so" --games 1 --max-plies 1
        --pdn ${WORK}/folder.pdn)
    expect(0 "^RESULT 1/2-1/2 winner=- reason=D3 plies=1 [^\n]*#2\n" "${progress}"
        match random "so:${BAD_ENGINE}|folder=${WORK}/board" --games 1 --max-plies 1
        --pdn ${WORK}/folder.pdn)
    file(STRINGS ${WORK}/folder.pdn types REGEX "^.GameType ")
    if(NOT types MATCHES "\"25,.*\"25,")
        message(SEND_ERROR "the games have the types ${types}")
    endif()
endif()

# Many games at once need more open files than a program may have unless it asks.
if(NOT EMULATOR)
    execute_process(COMMAND sh -c "ulimit -Sn 30 && exec \"$@\"" sh ${TOOL} match
        "mw:${TOOL} middleware --random;name=A" "mw:${TOOL} middleware --random;name=B" --games 8 --max-plies 4
        --concurrency 8 --recover
        RESULT_VARIABLE got_status OUTPUT_VARIABLE got_out ERROR_VARIABLE got_err)
    if(NOT got_status STREQUAL 0 OR NOT got_out MATCHES "MATCH games 8 w 0 d 8 l 0 ")
        message(SEND_ERROR "with few open files: status ${got_status}, [${got_out}], errors [${got_err}]")
    endif()
endif()

# What an engine prints stays out of the progress, and goes to a file where one is named.
set(chatty match "so:${BAD_ENGINE}|send=mode print 2|name=Chatty" random --games 2 --max-plies 9)
expect(0 "^RESULT 1/2-1/2 winner=- reason=D3 " "${progress}" ${chatty})
file(REMOVE ${WORK}/engine.log)
expect(0 "^RESULT 1/2-1/2 winner=- reason=D3 " "${progress}" ${chatty} --engine-log ${WORK}/engine.log)
expect(0 "^RESULT 1/2-1/2 winner=- reason=D3 " "${progress}" ${chatty} --engine-log ${WORK}/engine.log)
file(READ ${WORK}/engine.log engine_log)
set(printed "Chatty: moved 3 0.0 none nothing\r?\nChatty: reply 0 0 no\r?\nChatty: an error\r?\n")
if(NOT engine_log MATCHES "${printed}(.*\n)?${printed}")
    message(SEND_ERROR "the engine's log is [${engine_log}]")
endif()
expect(2 "${nothing}" "--engine-log: " match random random --games 2 --engine-log ${WORK}/absent/folder/log)

# A program of the protocol writes its own lines only, whatever its engine prints.
set(ENV{DEFIANCE_BAD_MODE} "print 1")
expect_answer(0 "0 0\n" "^[0-9]+ [0-9]+\n$" "moved 3 0.0 none nothing\r?\n"
    middleware --dll ${BAD_ENGINE} --time 0.05)
unset(ENV{DEFIANCE_BAD_MODE})

# Wrong words; what they lead to is the same everywhere.
if(NOT is_slow)
    expect(2 "${nothing}" "match: 2 words are needed: A B; see 'defiance help match'\n$" match random)
    expect(2 "${nothing}" "a player is self, random, dll:FILE, so:FILE, mw:COMMAND or hub:COMMAND" match random human)
    expect(2 "${nothing}" "a quotation mark has no partner" match random "mw:\"a b")
    expect(2 "${nothing}" "'colour=red': this player has no such setting" match "self|colour=red" random)
    expect(2 "${nothing}" "key=value is needed" match "self|fast" random)
    expect(2 "${nothing}" "'param=razor=1': there is no search parameter 'razor', only razoring_depth, "
        match "self|param=razor=1" random)
    expect(2 "${nothing}" "'param=iid_depth=3': iid_depth takes a whole number from 4 to 12, not '3'"
        match random "self|param=iid_depth=3")
    expect(0 "^RESULT [^\n]*\n.*MATCH games 1 w [01] d 0 l [01] elo [+-]inf \\+- inf sprt open\n$" "${progress}"
        match "random|seed=2" random --games 1)
    expect(2 "${nothing}" "only one of --time, --tc, and --nodes or --depth"
        match self self --time 1 --depth 3)
    expect(2 "${nothing}" "--exact goes with --time" match self self --tc 1+1 --exact)
    expect(2 "${nothing}" "--tc: seconds for the game and for each move" match self self --tc 1+)
    expect(2 "${nothing}" "--time: more than 0 seconds" match self self --time 0)
    expect(2 "${nothing}" "--move-time: more than 0 seconds" match self self --move-time 0)
    expect(2 "${nothing}" "--nodes: a player of the middleware protocol cannot be told. leave --nodes out, and give it to the others as in self.nodes=100"
        match self "mw:player" --nodes 100)
    expect(2 "${nothing}" "--strict-output: on or off is needed" match self self --strict-output no)
    expect(2 "${nothing}" "--draw: VALUE,MOVES\\[,PLIES\\] is needed" match self self --draw 10)
    expect(2 "${nothing}" "--resign: VALUE,MOVES is needed" match self self --resign 400,4,1)
    expect(2 "${nothing}" "--sprt: ELO0 must lie below ELO1" match self self --sprt 5,0)
    expect(2 "${nothing}" "--elo-model: it goes with --sprt" match self self --elo-model logistic)
    expect(2 "${nothing}" "--order: random, listed or spread" match self self --order none)
    expect(2 "${nothing}" "--openings: .*absent.pdn' cannot be opened" match self self --openings absent.pdn)
    expect(2 "${nothing}" "--openings: a player of the protocol can only begin from the start"
        match self "mw:player" --openings 11-man)
    expect(2 "${nothing}" "three-move openings are of English draughts"
        match self self --game czech --openings 3-move)
    expect(2 "${nothing}" "--game: 'chess' is not built into this program" match self self --game chess)
    expect(2 "${nothing}" "--format is an option of tournament" match self self --format swiss)
    expect(2 "${nothing}" "round-robin, gauntlet, knockout or swiss" tournament self self --format cup)
    expect(2 "${nothing}" "--rounds: only a Swiss tournament has rounds" tournament self self --rounds 3)
    expect(2 "${nothing}" "a sequential test is of two players" tournament self self self --sprt 0,5)
    expect(2 "${nothing}" "a sequential test is of two players who meet once"
        tournament self self --format swiss --sprt 0,5)
    file(WRITE ${WORK}/no_state.txt "This is a letter.\n")
    file(REMOVE ${WORK}/no_state.txt.lock)
    expect(2 "${nothing}" "no_state.txt' is not the state of a match"
        match random random --games 2 --resume ${WORK}/no_state.txt)
    if(EXISTS ${WORK}/no_state.txt.lock)
        message(SEND_ERROR "a match has left a lock beside a file that is none of its own")
    endif()
    file(WRITE ${WORK}/openings.txt "11-15\n")
    expect(2 "${nothing}" "--openings and --pdn are the same file, '[^\n]*openings.txt'\n"
        match random random --games 2 --openings ${WORK}/openings.txt --pdn ${WORK}/openings.txt)
    file(READ ${WORK}/openings.txt kept)
    if(NOT kept STREQUAL "11-15\n")
        message(SEND_ERROR "a match has written into its openings: [${kept}]")
    endif()
endif()

# Programs that speak the Hub protocol, in a game with each kind of king.
set(hub "hub:\"${TOOL}\" hub")
expect(0 "^RESULT [^\n]*\nRESULT [^\n]*\n.*Defiance [^\n]* against Defiance 1.0.0: [^\n]*\n.*\nMATCH games 2 w [0-2] d [0-2] l [0-2] ${open}"
    "${progress}" match "self|hash=1" "${hub}|param=hash=1" --games 2 --nodes 300 --max-plies 100)
if(NOT is_slow)
    expect(0 "^RESULT [^\n]* reason=[LD][13456] [^\n]*\nRESULT [^\n]* reason=[LD][13456] .*\nMATCH games 2 "
        "${progress}" match "${hub}|depth=3" "${hub}|depth=2|name=weak" --game russian --games 2
        --max-plies 60 --pdn ${WORK}/hub.pdn)
    expect(0 " faults 0\n$" "${quiet}" replay ${WORK}/hub.pdn --game russian)
    expect(0 "winner=random reason=L3 " "${progress}" match "hub:\"${TOOL}\" version" random --games 2 --recover)
    expect(2 "${nothing}" "player 1 cannot be started: it has ended or closed its output before 'wait'"
        match "hub:\"${TOOL}\" version" random --games 2)
    expect(2 "${nothing}" "player 1 cannot be started: it has no parameter 'thread'; it declares variant, hash, threads, "
        match "${hub}|param=thread=2" random --games 2)
    expect(2 "${nothing}" "player 1 cannot be started: it refuses its parameters: 'hash': a number from 1 to "
        match "${hub}|param=hash=0" random --games 2)
    expect(2 "${nothing}" "hub:\"a b': a quotation mark|a quotation mark has no partner" match random "hub:\"a b")
endif()

# Tournaments of programs that speak the protocol.
set(players)
foreach(seed 1 2 3 4)
    list(APPEND players "mw:\"${TOOL}\" middleware --random --seed ${seed}|name=player ${seed}")
endforeach()
# Elsewhere the number of processes is what counts.
set(formats round-robin gauntlet knockout swiss)
if(is_slow)
    set(formats knockout swiss)
endif()
set(row "[ 1-4]+player [1-4] +[0-9.]+ +[0-9]+-[0-9]+-[0-9]+ +[0-9.]+[ 0-9.x]+\n")
set(games_round-robin 12)
set(games_gauntlet 6)
set(games_knockout "[0-9]+")
set(games_swiss 12)
foreach(format IN LISTS formats)
    expect(0 "    Player +Points +W-D-L +SB +1 +2 +3 +4\n${row}${row}${row}${row}TOURNAMENT players 4 games ${games_${format}} winner player_[1-4]\n$"
        "${progress}" tournament ${players} --format ${format} --concurrency 2)
endforeach()

# Two players who meet more than once, in other openings each time.
if(NOT is_slow)
    file(REMOVE ${WORK}/swiss.pdn)
    expect(0 "\nTOURNAMENT players 2 games 6 winner random(_.2.)?\n$" "${progress}" tournament random "random|seed=2"
        --format swiss --rounds 3 --order spread --max-plies 2 --pdn ${WORK}/swiss.pdn)
    file(STRINGS ${WORK}/swiss.pdn openings REGEX "^.FEN ")
    list(REMOVE_DUPLICATES openings)
    list(LENGTH openings count)
    if(NOT count EQUAL 3)
        message(SEND_ERROR "3 rounds with ${count} openings: ${openings}")
    endif()
    expect(0 "\nTOURNAMENT players 2 games 12 winner random(_.2.)?\n$" "${progress}"
        tournament random "random|seed=2" --format knockout --max-plies 2)

    # A player that is being started when the match is decided does not spoil it.
    file(WRITE ${WORK}/slow_hub.sh "sleep 1\nexec '${TOOL}' hub --game english\n")
    expect(0 "\nMATCH games [0-9]+ w [0-9]+ d 0 l 0 elo .* sprt H1\n$" "${progress}"
        match "hub:sh ${WORK}/slow_hub.sh" "mw:echo x" --openings start --concurrency 2 --games 40 --tc 5+0
        --sprt 0,400,0.4,0.4)
endif()

report_failures()
