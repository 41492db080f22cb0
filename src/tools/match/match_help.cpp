// What `defiance help match` and `defiance help tournament` say of the options they share.

#include <tools/match/match_options.hpp>

namespace defiance {

const std::string_view competition_usage =
    "[--game G] [--games N] [--time S [--exact] | --tc [M/]S+I | --nodes N | --depth D] "
    "[--openings start|11-man|3-move|FILE] [--concurrency N] [--pdn FILE] [--resume FILE] ...";

const std::string_view competition_help =
    R"(Without --game it is the game of the first engine file, or else English.
A player is self, random, dll:FILE, so:FILE, mw:"COMMAND" (Checkers Middleware) or hub:"COMMAND"
(Hub protocol), each with settings behind it:
  ;name=TEXT  ;folder=PATH  ;time=FACTOR  of all players (a semicolon within is written twice)
  ;send=COMMAND  ;hash=MB  ;nodes=N  ;depth=D  of self, dll and so. An engine file stores what
    these set; it is put back at the end of a match unless the engine crashes or does not tell what
    it was: a copy of the file under another name is the safe way. self has no opening book
    unless ;send=set book N, from 1 to 3, asks for one
  ;param=NAME=VALUE  ;nodes=N  ;depth=D  of hub
  ;param=NAME=VALUE  of self: what its search prunes by; 'defiance help tune' has the names
  ;seed=N  of random;  ;setup=1  of mw: it understands our line 'setup FEN'
Games:
  --games N         games of a pairing, two with each opening (match 100, tournament 2); of an
                    odd number the last is left without its pair
  --openings WHAT   11-man ballots, 3-move (English), start, or a file of FENs, of lines of moves,
                    or of PDN games: the position after all moves of a game is an opening
  --order WHAT      random (when left out): shuffled by --seed N (1); listed: as in the file;
                    spread: every k-th, so that a short match sees the whole list
Time:
  --time S (0.1)    seconds a move on the average, with CheckerBoard's bank; --exact: no more
  --tc [M/]S+I      seconds for the game, or for every M moves, and for every move; an engine is
                    not told M; --nodes N, --depth D: no clock
  --move-time S     seconds after which any move is lost (60, or five times --time if that is
                    more; none with --tc and --exact, which have their own); --margin MS (50)
  --startup S (10)  seconds more for the first move; an engine has S, at least 60, to load, and
                    a hub player for each answer until it is ready
Who loses: L1 no move left, L2 no legal move, L3 ended or crashed, L4 out of time,
L5 output when not asked, L6 out of memory.
  --accept-short, --tolerate-blank, --strict-output on|off (on), --mem-limit MB
  --recover         a player that does not start loses, and the rest is played
What is drawn: D1 repetition, D2 no progress, D3 too long, D4 the law of the game, D5 agreed.
  --draw-rep N (3), --draw-quiet PLIES (80), --max-plies N (300)
  --draw VALUE,MOVES[,PLIES], --resign VALUE,MOVES   when both players' values say so
  --claims          believes an engine that claims a win, a loss or a draw
  --checkerboard    as CheckerBoard: draws after 79 plies and when an engine claims one, with
                    --claims (its early game adjudication) at most 200 plies
Engines and hub players, but not mw and random, may play out of a database:
  --cdb http://HOST:PORT, --cdb-timeout MS (200), --cdb-min-depth PLIES (0)
  --cdb-action best|all|pv (best)   as 'defiance help hub' tells; it costs no time of the game
Running:
  --concurrency N (1), --event TEXT
  --pdn FILE        appends the games as PDN
  --engine-log FILE appends what the engines print themselves; without it nobody sees that
  --resume FILE     keeps the state there; the same command goes on after an interruption. A match
                    may have more --games then, but not with --order spread
  --host32 COMMAND, --host64 COMMAND   the defiance.exe that loads DLLs of that width
For each game a line 'RESULT ...' is written; 1-0 means that the side has won which moves first in
this game.)";

}  // namespace defiance
