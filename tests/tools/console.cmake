# cmake -DTOOL=<defiance> -DENGINE=<English engine> -DFAULTY_ENGINE=<faulty_engine> -DWORK=<folder>
# [-DEMULATOR=<wine>] -P console.cmake: runs the console tool as a user does and checks exit status
# and output.
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(0 "^nodes 36768\n$" "${quiet}" perft --depth 6)
expect(0 "^nodes 1\n$" "${quiet}" perft --depth 0 --divide)
expect(0 "^10-14 7\n10-15 7\n11-15 7\n11-16 7\n12-16 7\n9-13 7\n9-14 7\nnodes 49\n$" "${quiet}"
    perft --game english --depth 2 --divide)
expect(0 "^nodes 0\n$" "${quiet}" perft --fen B:W30:B --depth 3)
expect(2 "${nothing}" "defiance: perft: --depth is missing; see 'defiance help perft'\n" perft)
expect(2 "${nothing}" "defiance: --fen: the position has a man on its crowning row\n"
    perft --depth 1 --fen W:W1:B)
expect(2 "${nothing}" "defiance: --game: 'chess' is not built into this program"
    perft --depth 1 --game chess)

expect(0 "^15x22x13x6x15x24 takes 9,10,17,18,19\n15x24 takes 19\n$" "${quiet}"
    moves --fen "B:W9,10,17,18,19:BK15.")
expect(0 "^10-14\n10-15\n11-15\n11-16\n12-16\n9-13\n9-14\n$" "${quiet}" moves)
expect(0 "${nothing}" "${quiet}" moves --fen B:W16,19:B12)
expect(0 "^1-5\n1-6\n$" "${quiet}" moves --fen "[FEN \"B:W32:B1:H0:F1\"]")
expect(2 "${nothing}" "defiance: --fen: " moves --fen nonsense)

file(WRITE ${WORK}/clean.pdn "[Event \"a\"]\n[GameType \"21\"]\n1. 11-15 23-19 1-0\n"
    "[FEN \"W:W18:B15,1:H0:F1\"]\n1. 18x11 *\n")
file(WRITE ${WORK}/faulty.pdn "1. 11-15 1-5 2. 9-13 *\n[GameType \"25\"]\n1. 9-13 *\n"
    "[FEN \"W:W99:B1\"]\n*\n9-13 {\n")
expect(0 "^games 2 moves 3 faults 0\n$" "${quiet}" replay ${WORK}/clean.pdn)
# A folder whose letters no code page has; its name must also come back whole in a message.
set(odd ${WORK}/dámα漢字)
file(COPY ${WORK}/clean.pdn DESTINATION ${odd})
expect(0 "^games 2 moves 3 faults 0\n$" "${quiet}" replay ${odd}/clean.pdn)
expect(2 "${nothing}" "dámα漢字/absent.pdn' cannot be opened" replay ${odd}/absent.pdn)
expect(1 "^games 4 moves 2 faults 4\n$"
    "game 1: move 1 on line 1: '1-5' is not a legal move .*game 2: GameType '25' is not English. say --game russian .*game 3: FEN: .*game 4: "
    replay ${WORK}/faulty.pdn)
expect(2 "${nothing}" "defiance: the file .* cannot be opened" replay ${WORK}/absent.pdn)
expect(2 "${nothing}" "defiance: replay: FILE is missing" replay)
expect(0 "usage: defiance replay" "${quiet}" replay -h ${WORK}/absent.pdn)
file(WRITE ${WORK}/lost.pdn "[Event \"x\"]\n1. 11-15 {a\n\n[Event \"y\"]\n1. 9-14 22-18 {b} *\n\n[Event \"z\"]\n1. 9-14 *\n")
expect(1 "^games 3 moves 4 faults 1\n$" "game 1: a comment has no end .the game begins on line 1"
    replay ${WORK}/lost.pdn)
file(WRITE ${WORK}/glued.pdn "1. 1115 2319 *\n1. 11.15 *\n")
expect(1 "^games 2 moves 0 faults 2\n$" "'1115' is not a move .*'11.15' is not a move " replay ${WORK}/glued.pdn)
file(WRITE ${WORK}/empty.pdn "{no game}\n")
expect(1 "^games 0 moves 0 faults 0\n$" "there is no game in it\n" replay ${WORK}/empty.pdn)

# A book of few positions, made, shown, written as text and read again.
set(book ${WORK}/book)
file(REMOVE_RECURSE ${book})
file(MAKE_DIRECTORY ${book})
unless_wine(searching "^(positions [0-9]+ of 30, [^\n]*\n)*$")
expect(0 "^positions 30 moves [0-9]+\n$" "${searching}" book build --dir ${book}/d --positions 30 --nodes 50
    --threads 2 --out ${book}/a.book)
expect(0 "^positions 30 moves [0-9]+\n$" "${searching}" book build --dir ${book}/e --positions 30 --nodes 50
    --threads 1 --out ${book}/b.book)
expect(0 "\nmade by drop-out expansion, 30 positions, 50 nodes .*\npositions 30 moves [0-9]+\n$" "${quiet}"
    book info ${book}/a.book)
# A folder that knows more than is wanted.
expect(0 "^positions 30 moves [0-9]+\n$" "positions 30 are there already and keep the searches that they have\n"
    book build --dir ${book}/e --positions 20 --nodes 60 --threads 1 --out ${book}/smaller.book)
expect(0 "\nmade by drop-out expansion, 30 positions, 60 nodes " "${quiet}" book info ${book}/smaller.book)
expect(0 "^ok positions 30 moves [0-9]+\n$" "${quiet}" book verify ${book}/a.book)
expect(0 "${nothing}" "${quiet}" book export ${book}/a.book --out ${book}/a.txt)
expect(0 "^positions 30 moves [0-9]+\n$" "${quiet}" book import --out ${book}/c.book ${book}/a.txt)
expect(0 "${nothing}" "${quiet}" book export ${book}/c.book --out ${book}/c.txt)
expect(0 "${nothing}" "${quiet}" book export ${book}/a.book --userbook --out ${book}/user.bin)
expect(0 "^positions [0-9]+ moves [0-9]+\n$" "${quiet}" book import --out ${book}/u.book ${book}/user.bin)
expect(0 "^positions 30 moves [0-9]+\n$" "${quiet}" book merge ${book}/m.book ${book}/a.book ${book}/u.book)
foreach(pair "a.book;b.book" "a.txt;c.txt")
    list(GET pair 0 one)
    list(GET pair 1 two)
    file(READ ${book}/${one} first HEX)
    file(READ ${book}/${two} second HEX)
    if(NOT first STREQUAL second)
        message(FATAL_ERROR "${one} and ${two} differ")
    endif()
endforeach()
string(REPEAT "[GameType \"21\"]\n[Result \"1-0\"]\n1. 11-15 23-19 1-0\n" 8 games)
file(WRITE ${book}/games.pdn "${games}[GameType \"24\"]\n1. 11-15 *\n")
expect(0 "^positions 1 moves 1\n$" "games 9, not read to their end 0, left out for their GameType 1, results not understood 0, moves beyond 2000000 positions 0\n"
    book import --plies 1 --out ${book}/g.book ${book}/games.pdn)
# In the first position the best move has no support and the other one, which has, is no good one.
file(WRITE ${book}/lines.txt "B:W21-32:B1-12; 9-14 50 9 0; 11-15 0 9 30\n"
    "W:W21-32:B1-11,16; 24-20 -3 12 0; 21-17 -3 9 30\n")
expect(0 "^positions 2 moves 4\n$" "${quiet}" book import --out ${book}/l.book ${book}/lines.txt)
expect(0 "\npositions with a best or good move to play 1\npositions 2 moves 4\n$" "${quiet}"
    book info ${book}/l.book)
unless_wine(judging "^(judged 1 of 5, [^\n]*\n)*$")
expect(0 "\njudged 1 other moves [01] mean loss [0-9.]+ worst loss [0-9]+\n$" "${judging}"
    book verify ${book}/g.book --sample 5 --seconds 0.05)
expect(1 "${nothing}" "a.txt.* is no opening book" book verify ${book}/a.txt)
expect(2 "${nothing}" "a.txt is another file and is not overwritten" book merge ${book}/a.txt ${book}/a.book)
expect(2 "${nothing}" "a.book is another file and is not overwritten" book export ${book}/b.book --out ${book}/a.book)
expect(2 "${nothing}" "a.txt is another file and is not overwritten"
    book export ${book}/b.book --userbook --out ${book}/a.txt)
expect(0 "${nothing}" "${quiet}" book export ${book}/b.book --out ${book}/a.txt)
file(WRITE ${book}/russian.pdn "[GameType \"25\"]\n[Result \"1:0\"]\n1. c3-d4 *\n")
expect(2 "${nothing}" "book import: all games are of another game: GameType '25' is not English. say --game russian\n"
    book import --out ${book}/x.book ${book}/russian.pdn)
expect(2 "${nothing}" "book: --out needs a name, not ''" book import --out= ${book}/a.txt)
foreach(task info verify)
    expect(2 "${nothing}" "is a book for the game english, not czech" book ${task} --game czech ${book}/a.book)
    expect(2 "${nothing}" "absent' cannot be opened" book ${task} ${book}/absent)
endforeach()
expect(2 "${nothing}" "book build: --store takes redis://HOST:PORT/N, not 'redis//127.0.0.1'"
    book build --dir ${book}/f --positions 3 --out ${book}/x.book --store redis//127.0.0.1)
file(WRITE ${book}/one.pdn "1. 11-15 23-19 1-0\n")
expect(2 "${nothing}" "book import: no move was played in 2 games; see --games\n"
    book import --out ${book}/x.book ${book}/one.pdn)
expect(2 "${nothing}" "defiance: book build: --dir is missing" book build --positions 3 --out x)
expect(2 "${nothing}" "openings 3-move are for English only" book build --game czech --ballots 3move
    --dir ${book}/f --positions 3 --out x)
expect(2 "${nothing}" "there is no 'bild'" book bild)
expect(2 "${nothing}" "absent' cannot be opened" book import --out ${book}/x.book ${book}/absent)

# What the books above have left in their folders is a store.
set(store ${WORK}/store)
file(REMOVE_RECURSE ${store})
file(MAKE_DIRECTORY ${store})
expect(0 "^english positions 30 complete 30 moves [0-9]+ queued 0 bytes [0-9]+\nqueue waiting 0 leased 0\n$"
    "${quiet}" store info --dir ${book}/d)
expect(0 "^czech positions 0 complete 0 moves 0 queued 0 bytes 16\n$" "${quiet}" store info --dir ${book}/d
    --game czech)
expect(0 "^english records [0-9]+ positions 30 bytes [0-9]+ sound\n(.* sound\n)*queue records 0 tasks 0 bytes 16 sound\n$"
    "${quiet}" store verify --dir ${book}/d)
expect(0 "^positions 30\n$" "${quiet}" store dump --dir ${book}/d --out ${store}/a.txt)
expect(0 "^game english 30\nB:W21[^\n]*:B1,2[^\n]*; ply 0; [^\n]*\n" "${quiet}" store dump --dir ${book}/d)
expect(0 "^positions 30 new or changed 30 faulty lines 0\n$" "${quiet}" store load --dir ${store}/b ${store}/a.txt)
expect(0 "^positions 30\n$" "${quiet}" store dump --dir ${store}/b --out ${store}/b.txt)
expect(0 "^positions 60 new or changed 30 damaged 0\n$" "${quiet}" store merge --dir ${store}/c ${book}/d ${store}/b)
expect(0 "^english positions 30 bytes before [0-9]+ after [0-9]+\n$" "${quiet}" store compact --dir ${store}/c)
expect(0 "^positions 30\n$" "${quiet}" store dump --dir ${store}/c --out ${store}/c.txt)
expect(0 "^english records 30 positions 30 bytes [0-9]+ sound\n$" "${quiet}" store verify --dir ${store}/c --game english)
file(READ ${store}/a.txt text)
foreach(other b c)
    file(READ ${store}/${other}.txt again)
    if(NOT text STREQUAL again)
        message(FATAL_ERROR "${other}.txt differs from a.txt")
    endif()
endforeach()
file(APPEND ${store}/b.txt "rubbish\n")
expect(1 "^positions 30 new or changed 0 faulty lines 2\n$"
    "b.txt: line 32: a FEN begins .*b.txt: line 32: there are 31 lines of positions, not 30\n"
    store load --dir ${store}/c ${store}/b.txt)
expect_answer(0 "game czech\nW:WKa1,c3:Bd6; c3-b4 5 6\n" "^positions 1 new or changed 1 faulty lines 0\n$"
    "${quiet}" store load --dir ${store}/c -)
file(APPEND ${store}/c/english.ckdb "rubbish")
file(APPEND ${store}/c/queue.ckdb "DR")
expect(1 "^english records 30 positions 30 bytes [0-9]+ DAMAGED\n.*czech [^\n]* sound\nqueue [^\n]* DAMAGED\n$"
    "english.ckdb' ends in 7 bytes of an unfinished write\n.*c.queue.ckdb' ends in 2 bytes"
    store verify --dir ${store}/c)
file(WRITE ${store}/c/russian.ckdb "this is no file of a store")
expect(1 "^english [^\n]*DAMAGED\n" "russian.ckdb' is no file of a store" store verify --dir ${store}/c)
expect(2 "${nothing}" "russian.ckdb' is no file of a store" store info --dir ${store}/c)
foreach(task info verify compact dump)
    expect(2 "${nothing}" "defiance: store ${task}: there is no store in the folder '.*absent'"
        store ${task} --dir ${store}/absent)
    expect(2 "${nothing}" "store ${task}: --store takes redis://HOST:PORT/N, not 'http://x'"
        store ${task} --store http://x)
    expect(2 "${nothing}" "store ${task}: only one of --dir and --store can be given"
        store ${task} --dir ${store}/b --store redis://127.0.0.1:1)
    expect(2 "${nothing}" "defiance: store ${task}: one of --dir and --store is needed" store ${task})
    expect(2 "${nothing}" "'x' is one word too many" store ${task} x --dir ${store}/b)
endforeach()
foreach(task verify compact)
    expect(2 "${nothing}" "this goes with a folder" store ${task} --store redis://127.0.0.1:1)
endforeach()
expect(2 "${nothing}" "no file is named" store load --dir ${store}/d)
expect(2 "${nothing}" "absent' cannot be opened" store load --dir ${store}/d ${store}/absent)
expect(2 "${nothing}" "no store in the folder" store merge --dir ${store}/d ${store}/absent)
foreach(same b b/ ./b)
    expect(2 "${nothing}" "defiance: store merge: the store in '[^\n]*' cannot be merged with itself"
        store merge --dir ${store}/b ${store}/${same})
endforeach()
expect(2 "${nothing}" "--out goes with dump" store info --dir ${store}/b --out x)
expect(2 "${nothing}" "store dump: .*cannot be opened for writing" store dump --dir ${store}/b --out ${store}/no/x)
expect(2 "${nothing}" "there is no 'pack'" store pack)

expect(0 "^Defiance [0-9.]+\n" "${quiet}" version)
expect(0 "game english type 21\ngame italian type 22\n.*game czech type 29\nprocessor popcnt (yes|no) avx2 (yes|no) avx512 (yes|no) avx-vnni (yes|no) avx512-vnni (yes|no) threads [0-9]+\n$" "${quiet}"
    version)
expect(0 "usage: defiance <verb>.*perft.*help" "${quiet}" help)
expect(0 "usage: defiance <verb>" "${quiet}" --help)
expect(0 "usage: defiance match A B" "${quiet}" match --help)
expect(0 "usage: defiance egdb " "${quiet}" egdb -h)
expect(0 "usage: defiance book " "${quiet}" book build --dir d --help)
expect(0 "usage: defiance help " "${quiet}" help help --help)
expect(0 "usage: defiance <verb>" "${quiet}" help --help)
expect(0 "usage: defiance version\n" "${quiet}" --version --help)
expect(2 "${nothing}" "there is no verb 'x'" x --help)
expect(0 "^Defiance [0-9.]+\ngame english type 21\n" "${quiet}" --version)
expect(2 "${nothing}" "defiance: version: there is no option '--game'; see 'defiance help version'\n"
    version --game russian)
expect(2 "${nothing}" "defiance: check: there is no option '--game'; " check ${ENGINE} --game english)
expect(2 "${nothing}" "defiance: moves: there is no option '--fem'; see 'defiance help moves'\n" moves --fem x)
expect(2 "${nothing}" "defiance: book: a task is missing: build, plan, [^\n]*; see 'defiance help book'\n" book)
expect(0 "usage: defiance replay" "${quiet}" help replay)
expect(0 "  variant .*\n  hash .*\n  threads .*\n  egdb .*\n  egdb-path .*\n  book .*\n  hintpolicy " "${quiet}" help hub)
expect(2 "${nothing}" "there is no verb 'x'" help x)
expect(2 "${nothing}" "there is no verb 'x'" x)
expect(2 "${nothing}" "no verb is given")

set(give_up "^Give up!\n$")
expect_answer(0 "" "${nothing}" "${quiet}" middleware --time 0.05)
expect_answer(0 "0 0\n" "^([1-9]|10|11|12) 1[3-6]\n$" "${quiet}" middleware --time 0.05)
expect_answer(0 "11 15\r\n" "^2[1-4] (1[7-9]|20)\n$" "${quiet}" middleware --time 0.05)
expect_answer(0 "0 0\n" "^2[1-4] (1[7-9]|20)\n$" "${quiet}" middleware --time 0.05 --game brazilian)
expect_answer(0 "0 0\n0 0\n" "^[0-9]+ [0-9]+\n[0-9]+ [0-9]+\n$" "${quiet}"
    middleware --random --seed 5 --multi-game)
expect_answer(0 "Give up!\n11 15\n" "${nothing}" "${quiet}" middleware --random)
expect_answer(0 "rubbish\n11 15\n" "^2[1-4] (1[7-9]|20)\n$" "'rubbish' is not a list of squares"
    middleware --random --on-illegal ignore)
expect_answer(0 "rubbish\n11 15\n" "^2[1-4] (1[7-9]|20)\n$" "'rubbish' is not a list of squares"
    middleware --random --on-illegal=ignore)
string(REPEAT "11 " 1000 long)
expect_answer(2 "${long}\n" "${give_up}" "a line of more than 256 bytes" middleware --random)
expect_answer(0 "0 0\n" "^[0-9]+ [0-9]+\n$" "${quiet}" middleware --dll ${ENGINE} --time 0.05)
expect_answer(2 "0 0\n" "${nothing}" "the engine plays english, not russian"
    middleware --dll ${ENGINE} --game russian)
expect_answer(2 "0 0\n" "${nothing}" "defiance: middleware: " middleware --dll ${WORK}/absent.dll)
expect_answer(2 "" "${nothing}" "only one of" middleware --random --human)
expect_answer(2 "" "${nothing}" "goes with --random" middleware --seed 1)
foreach(player --random --human)
    expect_answer(2 "" "${nothing}" "middleware: --time is for an engine\n" middleware ${player} --time 1)
    expect_answer(2 "" "${nothing}" "middleware: --hash is for the engine of this program\n"
        middleware ${player} --hash 8)
endforeach()
expect_answer(2 "" "${nothing}" "middleware: --hash is for the engine of this program\n"
    middleware --dll ${ENGINE} --hash 8)
expect_answer(2 "" "${nothing}" "takes giveup or ignore" middleware --on-illegal cry)

# A session of the Hub protocol. What stands behind quit is not read; the end of the input ends a search.
expect_answer(0 "hub\nquit\nping\n"
    "^id name=Defiance version=[0-9.]+ [^\n]*\nparam name=variant value=czech [^\n]*\n(param name=[^\n]*\n)+wait\n$"
    "${quiet}" hub --game czech)
expect_answer(0 "ping\npos pos=x\npos start\nlevel depth=2\r\n\ngo think\n"
    "^pong\nerror message=\"a position has 33 characters, not 1\"\n(info [^\n]*\n)*done move=[0-9x-]+( ponder=[0-9x-]+)?\n$"
    "${quiet}" hub --hash 1)
expect_answer(0 "level infinite\ngo think" "^(info [^\n]*\n)*done move=[^\n]*\n$" "${quiet}" hub)
string(REPEAT "x" 70000 long)
expect_answer(0 "${long}\nping\n" "^error message=\"the line is too long\"\npong\n$" "${quiet}" hub)
expect_answer(2 "" "${nothing}" "--hash" hub --hash 0)
expect_answer(0 "level depth=2\ngo think bookmove=11-15 egtbmove=9-14 searchmoves=\"11-15 9-14\"\n"
    "^(info [^\n]*\n)*done move=(11-15|9-14)[^\n]*\n$" "${quiet}" hub)

# A position database that cannot be reached costs nothing but a note.
set(gone --cdb http://127.0.0.1:1)
expect_answer(0 "pos start\nlevel depth=2\ngo think\n" "^(info [^\n]*\n)*done move=[^\n]*\n$"
    "^defiance: hub: position database: [^\n]*\n$" hub ${gone})
expect_answer(0 "0 0\n" "^[0-9]+ [0-9]+\n$" "^defiance: middleware: position database: [^\n]*\n$"
    middleware --time 0.05 ${gone})
expect(0 "MATCH games 2 " "defiance: position database: " match self random --games 2 --max-plies 4
    --nodes 100 ${gone})
expect_answer(2 "" "${nothing}" "--cdb-action takes best, all or pv" hub ${gone} --cdb-action good)
expect_answer(2 "" "${nothing}" "--cdb-timeout goes with --cdb" middleware --cdb-timeout 5)
expect_answer(2 "" "${nothing}" "--cdb does not go with --human" middleware --human ${gone})
expect(2 "${nothing}" "is no URL" match self random --cdb localhost)

# Plans; tests/tools/plan_test.sh runs some.
expect(0 "^# The endgame databases of czech with up to 2 pieces.\n.*egdb join --game czech --dir d/ --pieces 2"
    "${quiet}" egdb plan --game czech --pieces 2 --dir d)
expect(2 "${nothing}" "egdb plan: --dir: only letters" egdb plan --pieces 2 --dir "a b")
expect(2 "${nothing}" "--for takes make or slurm, not 'pbs'" egdb plan --pieces 2 --dir d --for pbs)
expect(2 "${nothing}" "selfplay plan: --shards is missing"
    selfplay plan --games 64 --nodes 9 --seed 1 --out x)
expect(2 "${nothing}" "only one of --pieces and --slice can be given"
    egdb build --pieces 2 --slice 0m1k-0m1k --dir d)
expect(2 "${nothing}" "defiance: egdb: --dir needs a name, not ''" egdb verify --dir=)
foreach(words "serve --dir" "serve --store" "serve --secret" "serve --egdb" "serve --books" "store info --dir"
        "store info --store" "store dump --out" "work --server" "work --secret" "work --egdb" "middleware --dll"
        "check --host64" "book build --store")
    string(REPLACE " " ";" words ${words})
    list(GET words 0 verb)
    list(POP_BACK words option)
    expect(2 "${nothing}" "defiance: ${verb}: ${option} needs a name, not ''" ${words} ${option}=)
endforeach()
foreach(task info verify "join;--pieces;5" "probe;--fen;W:WK1:BK32" "count;--pieces;5" speed cost)
    expect(2 "${nothing}" "defiance: egdb [a-z]+: folder not found: [^\n]*absent\n" egdb ${task} --dir ${WORK}/absent)
endforeach()
expect(2 "${nothing}" "--part goes with --slice" egdb build --pieces 2 --dir d --part)

# Some of its checks judge times, which a busy machine can spoil, though not again and again.
function(expect_no_faults)
    foreach(try RANGE 1 4)
        execute_process(COMMAND ${EMULATOR} ${TOOL} check ${ENGINE} OUTPUT_VARIABLE report ERROR_QUIET)
        string(REGEX REPLACE "fault (average time|clock of|playnow|questions while)[^\n]*\n" "" others "${report}")
        if(report STREQUAL others OR others MATCHES "fault [a-z]")
            break()
        endif()
        message("check: a fault of time, trying again: ${report}")
    endforeach()
    if(NOT report MATCHES "^pass  file: .*CHECK passes [0-9]+ notes [0-9]+ faults 0\n$")
        message("check finds faults: ${report}")
        math(EXPR failures "${failures} + 1")
        set(failures ${failures} PARENT_SCOPE)
    endif()
endfunction()
expect_no_faults()
set(faults
    "fault name: the reply has 300 bytes"
    "fault reply to get hashsize: the reply has no end mark"
    "fault reply to help: asked 'help': its process ended"
    "pass  reply to about: "
    "fault getmove: the board returned is after no legal move in "
    "fault playnow after 0.3 s: a move [1-9][0-9]*[.][0-9]+ s after it"
    "CHECK passes [0-9]+ notes [0-9]+ faults [0-9]+\n$")
string(REPLACE ";" ".*" faults "${faults}")
expect(1 "${faults}" "${quiet}" check ${FAULTY_ENGINE})
expect(2 "${nothing}" "defiance: check: .*cannot be opened" check ${WORK}/absent.dll)
expect(2 "${nothing}" "defiance: check: " check ${WORK}/input.txt)
expect(2 "${nothing}" "defiance: check: FILE is missing" check)

# A win of unknown length is a number, as one that is not proven.
unless_wine(found "^(value [^\n]* depth [0-9]+ nodes [^\n]*\n)+$")
expect(0 "^bestmove [0-9x-]+ value [789][0-9][0-9][0-9] depth " "${found}"
    analyze --fen B:W18,29,30:B14,9,K1 --nodes 2000)

# Shots: what a few nodes find, and what is left.
expect(0 "^(B:W[^ ]* [0-9-]+( [0-9-]+)? (not found|found depth [0-9]+ nodes [0-9]+ time [0-9.]+)\n)+shots [0-9]+ found [0-9]+ mean nodes [0-9]+\n$"
    "${quiet}" bench --shots --game spanish --nodes 50000)
expect(2 "${nothing}" "--nodes" bench --shots --nodes 0)
expect(2 "${nothing}" "bench: --solve is for --shots" bench --solve)
expect(2 "${nothing}" "bench: --shots takes one thread" bench --shots --threads 2)

# Self-play: a file, what is in it, and going on.
set(run ${WORK}/selfplay.run)
file(REMOVE ${run} ${run}0 ${run}1 ${run}all)
set(selfplay selfplay --game russian --games 70 --nodes 20 --seed 1 --threads 2)
expect(0 "^games 70 positions [0-9]+\n$" "[0-9.]+ s\n$" ${selfplay} --out ${run})
expect(0 "^games 70 positions [0-9]+\n$" "[0-9.]+ s\n$" ${selfplay} --out ${run})
expect(0 "^game russian engine [0-9.]+ evaluation [0-9]+\nnodes 20 seed 1 shard 0/1\ngames 70 of 70\n.*positions [0-9]+\n.*pieces [0-9]+ positions "
    "${quiet}" selfplay info ${run})
expect(0 "^(B:WK?[0-9]+(,K?[0-9]+)*:BK?[0-9]+(,K?[0-9]+)* -?[0-9]+ (-1|0|1)\n)+$" "${quiet}"
    selfplay dump ${run} --first 10)
expect(0 "^games 64 " "[0-9.]+ s\n$" ${selfplay} --shard 0/2 --out ${run}0)
expect(0 "^games 6 " "[0-9.]+ s\n$" ${selfplay} --shard 1/2 --out ${run}1)
expect(0 "${nothing}" "${quiet}" selfplay merge ${run}all ${run}1 ${run}0)
expect(2 "${nothing}" "defiance: selfplay: the file .* is of other settings: seed 1 instead of 2"
    selfplay --game russian --games 70 --nodes 20 --seed 2 --out ${run})
expect(2 "${nothing}" "selfplay: --seed is missing. see 'defiance help selfplay'\n" selfplay --games 1 --nodes 9 --out ${run})
expect(2 "${nothing}" "--shard: '2/2' is not i/n" ${selfplay} --out ${run} --shard 2/2)
expect(2 "${nothing}" "selfplay: --egdb: no larger databases than the built-in ones there; .*5 pieces"
    ${selfplay} --out ${run} --egdb ${WORK})
expect(2 "${nothing}" "selfplay: --egdb: folder not found: [^\n]*absent\n"
    ${selfplay} --out ${run} --egdb ${WORK}/absent)
expect(2 "${nothing}" "selfplay plan: --egdb: only letters"
    selfplay plan --games 64 --nodes 9 --seed 1 --shards 2 --out x --egdb "a b")
expect(0 "selfplay --game english .* --threads 1 --egdb d --shard 1/2 " "${quiet}"
    selfplay plan --game english --games 64 --nodes 9 --seed 1 --shards 2 --out x --egdb d)
expect(2 "${nothing}" "selfplay: there is no 'show', only plan, info, dump, merge and rescore" selfplay show ${run})
expect(2 "${nothing}" "selfplay info: one FILE must be given" selfplay info)
expect(2 "${nothing}" "selfplay merge: OUT and FILES must be given" selfplay merge ${run}2)
expect(2 "${nothing}" "selfplay rescore: OUT and one FILE must be given" selfplay rescore ${run} --egdb ${WORK})
expect(2 "${nothing}" "selfplay rescore: --egdb is missing" selfplay rescore ${run}2 ${run})
expect(2 "${nothing}" "selfplay rescore: --egdb: no larger databases than the built-in ones there"
    selfplay rescore ${run}2 ${run} --egdb ${WORK})
expect(2 "${nothing}" "selfplay dump: .*is not a file of self-play" selfplay dump ${WORK}/input.txt)

# Training on it: the same file again, on other threads.
set(net ${WORK}/russian.net)
file(REMOVE ${net} ${net}2 ${net}.state ${net}2.state)
set(train train --game russian --epochs 2 --hidden 32 --batch 300 --holdout 0.2)
expect(0 "^positions [0-9]+ loss 0[.][0-9]+ holdout 0[.][0-9]+\n$"
    "^training: russian, [0-9]+ games, .*\nepoch 1/2: .*\nepoch 2/2: rate 0.000030, training loss 0.[0-9]+, hold-out loss 0.[0-9]+, .*\nhold-out loss of the rounded network .*\nwritten: .*russian.net, [0-9]+ bytes\n$"
    ${train} --data ${run} --out ${net} --threads 1)
file(SHA256 ${net} first_net)
expect(0 "^positions " "written: " ${train} --data ${run} --out ${net} --threads 3)
file(SHA256 ${net} second_net)
if(NOT first_net STREQUAL second_net)
    message("the same training gave two networks")
    math(EXPR failures "${failures} + 1")
endif()
file(STRINGS ${net}.csv losses)
if(NOT losses MATCHES "^epoch,rate,training_loss,holdout_loss;1,0[.0-9,]*;2,0[.0-9,]*;rounded,,,0[.0-9]*$")
    message("the losses are [${losses}]")
    math(EXPR failures "${failures} + 1")
endif()
file(REMOVE ${WORK}/other.net ${WORK}/losses.csv ${WORK}/losses.svg)
expect(0 "^positions " "training: russian, [1-9][0-9]* games, "
    train --game russian --data ${run}0,${run}1 --out ${WORK}/other.net --epochs 1 --hidden 32 --holdout 0.2
    --csv ${WORK}/losses.csv --svg ${WORK}/losses.svg)
file(STRINGS ${WORK}/losses.csv losses)
file(READ ${WORK}/losses.svg picture)
if(NOT losses MATCHES "^epoch,rate,.*;1,0.*;rounded,,,0[.0-9]*$" OR NOT picture MATCHES "^<svg")
    message("--csv and --svg: [${losses}], [${picture}]")
    math(EXPR failures "${failures} + 1")
endif()
expect(2 "${nothing}" "defiance: train: the file .*is of the game russian"
    train --data ${run} --out ${net})
expect(2 "${nothing}" "defiance: train: the file .*is not a file of self-play"
    ${train} --data ${WORK}/input.txt --out ${net})
expect(2 "${nothing}" "training: .*defiance: train: the file .*russian.net' is a network of other settings or data. delete it, or name another --out\n"
    train --game russian --data ${run} --out ${net} --epochs 1 --hidden 40 --holdout 0.2)
file(REMOVE ${net})
expect(0 "^positions " "^training: russian, .* 64 hidden pairs, 8 buckets, second layer 4, .*\nwritten: .*, 22[0-9]+ bytes\n$"
    train --game russian --data ${run} --out ${net} --epochs 1 --hidden 40 --holdout 0.2
    --second 4)
expect(2 "${nothing}" "defiance: train: --rate must be above 0"
    train --data ${run} --out ${net} --rate 0)
expect(2 "${nothing}" "defiance: train: --rate takes 6 decimals at most"
    train --data ${run} --out ${net} --rate 0.0000011)
expect(2 "${nothing}" "defiance: train: --result-share takes 4 decimals at most"
    train --data ${run} --out ${net} --result-share 0.33333)
expect(0 "^positions " "^training: russian, .* 64 hidden pairs, .* begun with network [0-9]+\nepoch 1/1: "
    train --game russian --data ${run} --out ${net}2 --start ${net} --epochs 1 --holdout 0.2)
expect(2 "${nothing}" "defiance: train: with --start the network has the shape of the one"
    train --game russian --data ${run} --out ${net} --start ${net} --hidden 64)
expect(2 "${nothing}" "defiance: train: .*input.txt: this is no evaluation network\n"
    train --game russian --data ${run} --out ${net} --start ${WORK}/input.txt)
expect(2 "${nothing}" "defiance: train: .*: this evaluation network is for Russian, not for English\n"
    train --data ${run} --out ${net} --start ${net})
expect(2 "${nothing}" "defiance: train: --data is missing" train --out ${net})
file(REMOVE ${WORK}/same.net ${WORK}/same.net.csv ${WORK}/same.net.svg ${WORK}/same.net.state)
expect(2 "${nothing}" "defiance: train: --out and --csv are the same file, '[^\n]*same.net'\n"
    ${train} --data ${run} --out ${WORK}/same.net --csv ${WORK}/same.net)
expect(2 "${nothing}" "defiance: train: the state of --out and --svg are the same file, '[^\n]*same.net.state'\n"
    ${train} --data ${run} --out ${WORK}/same.net --svg ${WORK}/same.net.state)
expect(2 "${nothing}" "defiance: train: [^\n]*a.txt is another file and is not overwritten\n"
    ${train} --data ${run} --out ${WORK}/same.net --csv ${book}/a.txt)
expect(2 "${nothing}" "defiance: train: --data names the same file twice, "
    ${train} --data ${run},${run} --out ${WORK}/same.net)
file(GLOB written ${WORK}/same.net*)
if(written)
    message("a training that is refused has written ${written}")
    math(EXPR failures "${failures} + 1")
endif()
expect(2 "${nothing}" "training: .*\ndefiance: train: .*absent/net[.][a-z]+' cannot be written"
    ${train} --data ${run} --out ${WORK}/absent/net)

# Tuning: the same on other threads, and once it is done only told again.
set(state ${WORK}/tuning)
file(REMOVE ${state}1 ${state}2 ${state}3)
unless_wine(tuning "^(games [0-9]+ of [0-9]+, [^\n]*\n)*$")
set(tune tune --game russian --games 18 --nodes 200 --seed 1 --params probcut_margin,razoring_margin)
set(tuned "^razoring_margin default 80 tuned ([0-9]+) \\([0-9.]+\\)\nprobcut_margin default 35 tuned ([0-9]+) \\([0-9.]+\\)\nplayer self.param=razoring_margin=([0-9]+).param=probcut_margin=([0-9]+)\n$")
expect(0 "${tuned}" "${tuning}" ${tune} --out ${state}1 --threads 1)
expect(0 "${tuned}" "${tuning}" ${tune} --out ${state}2 --threads 3)
expect(0 "${tuned}" "going on after 18 games" ${tune} --out ${state}1)
file(SHA256 ${state}1 first_state)
file(SHA256 ${state}2 second_state)
if(NOT first_state STREQUAL second_state)
    message("the same tuning ended in two states")
    math(EXPR failures "${failures} + 1")
endif()
expect(0 "^razoring_depth default 4 tuned [0-9]+ (.*\n)+aspiration_limit default 300 tuned [0-9]+ [^\n]*\nplayer self.param=razoring_depth="
    "${tuning}" tune --games 2 --nodes 10 --seed 1 --out ${state}3)
expect(2 "${nothing}" "defiance: tune: the file .* is the state of a tuning with other settings \\(russian, 18 games of 200 nodes, seed 1, "
    tune --game russian --games 18 --nodes 200 --seed 2 --params probcut_margin,razoring_margin --out ${state}1)
expect(2 "${nothing}" "tune: the file .* is not the state of a tuning" ${tune} --out ${WORK}/input.txt)
expect(2 "${nothing}" "tune: the file .*absent/t' cannot be written" ${tune} --out ${WORK}/absent/t)
set(tune tune --nodes 20 --seed 1 --out ${state}4)
expect(2 "${nothing}" "tune: --games is missing" ${tune})
expect(2 "${nothing}" "tune: --games takes an even number" ${tune} --games 3)
expect(2 "${nothing}" "tune: --openings: the three-move openings are of English draughts"
    ${tune} --games 2 --game czech --openings 3-move)
expect(2 "${nothing}" "tune: --openings: the file .*absent[.]pdn' cannot be opened"
    ${tune} --games 2 --openings absent.pdn)
expect(2 "${nothing}" "tune: --params: there is no search parameter 'margin', only razoring_depth, "
    ${tune} --games 2 --params margin)
expect(2 "${nothing}" "tune: --params: there is no search parameter ''" ${tune} --games 2 --params iid_depth,)
expect(2 "${nothing}" "tune: --params: iid_depth is given twice"
    ${tune} --games 2 --params iid_depth,iid_depth)
expect(2 "${nothing}" "--game: 'chess' is not built" ${tune} --games 2 --game chess)
expect(0 "usage: defiance tune --games N .*\n  razoring_margin   80, from 10 to 400, step 10\n" "${quiet}"
    help tune)

report_failures()
