#include <string_view>

#include <tools/egdb/tasks.hpp>
#include <tools/support/verb_tasks.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr VerbTask egdb_tasks[] = {
    {"build", "dir pieces slice part threads", 0, build_endgames},
    {"plan", "dir pieces threads for", 0, plan_endgames},
    {"join", "dir pieces", 0, join_endgames},
    {"count", "dir pieces plies prove threads", 0, count_endgames},
    {"verify", "dir pieces threads", 0, verify_endgames},
    {"info", "dir", 0, describe_endgames},
    {"probe", "dir fen", 0, probe_endgames},
    {"speed", "dir positions", 0, measure_endgames},
    {"cost", "dir", 0, measure_search_cost},
};

ExitCode run_egdb(const Arguments& arguments) {
    return run_task("egdb", egdb_tasks, arguments);
}

constexpr Option egdb_options[] = {
    integer_option("pieces", 2, max_pieces_built),
    integer_option("threads", 1, 256),
    path_option("dir"),
    text_option("slice"),
    flag_option("part"),
    text_option("for"),
    text_option("fen"),
    flag_option("plies"),
    flag_option("prove"),
    integer_option("positions", 1, 10'000'000),
};

}  // namespace

const Verb egdb_verb = {
    "egdb",
    "build|plan|join|count|verify|info|probe|speed|cost [--game G] [--dir D] ...",
    "makes, checks and asks endgame databases",
    R"(build --dir D --pieces N [--threads T]: all endings of up to N pieces (2 to 7), as files that
  engines read: one for up to 5 pieces, one for 6, one for each kind of position with 7. Shows
  how far it is. After Ctrl-C or worse the same command goes on from the last kind of position
  that was finished. D/work keeps what is needed to go on to more pieces.
build --dir D --slice 3m1k-3m0k: one kind of position alone, for those who use many machines.
  Those of 5 pieces and more that its moves lead to must be in D/work. What it makes of up to 6
  pieces is in D/work, until 'join' makes a file for engines of all.
plan --dir D --pieces N [--for make|slurm] [--threads T]: the same as jobs for many machines
  that share D: a Makefile, or a script for Slurm. A job builds one kind of position with
  --part, the last one is 'join'. The files are the same to the bit.
join --dir D --pieces N: makes the files for engines of what such jobs have built.
count --pieces N [--plies] [--prove] [--threads T]: solves up to N pieces (2 to 5) in memory and
  counts wins, losses and draws of the side to move: a line for each kind of position,
  '1m2k-0m1k' for a man and two kings to move against a king, then one for all with as many
  pieces, with both colours to move. --plies also finds how long the longest win takes.
  --prove checks every value by the moves of its position.
count --pieces N --dir D: counts what build has left in D/work of just N pieces (5 to 7). How long
  the longest win takes is told only where the build has found it.
verify [--dir D] [--pieces N (5)] [--threads T]: solves up to 5 pieces again, takes more of them
  from D/work, proves every value and compares all that the database has. Of a database of 6
  pieces say --pieces 6; D/work is needed for that. A file that cannot be used, or a kind of
  position that is missing, fails it.
info [--dir D]: what the files hold.
probe --fen F [--dir D]: what a position is worth: WIN, LOSS, DRAW or UNKNOWN, with plies to the
  end of the game where they are known.
speed [--dir D] [--positions N]: how long opening takes, how long a look-up of a position takes
  that was never asked for, of N positions (a million when left out), and how many positions a
  second are looked up.
cost [--dir D]: what searches of a tenth of a second, of 34 English positions, lose and gain by
  asking databases: nodes a second and depth, with them and without.
Without --dir it is the database built into this program. Draw rules play no part. Exit status 1
when a check fails or the work was stopped, 2 when there is no folder D.)",
    {egdb_options, "build, plan, join, count, verify, info, probe, speed or cost", 1, 1},
    run_egdb};

}  // namespace defiance
