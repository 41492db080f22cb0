#include <tools/support/verb_tasks.hpp>
#include <tools/training/selfplay_file.hpp>
#include <tools/training/tasks.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr VerbTask selfplay_tasks[] = {
    {"", "games nodes seed out threads egdb shard", 0, play_selfplay},
    {"plan", "games nodes seed out threads egdb shards for", 0, plan_selfplay},
    {"info", "", 1, describe_selfplay},
    {"dump", "first", 1, dump_selfplay},
    {"merge", "", VerbTask::any_words, merge_selfplay},
    {"rescore", "egdb", 2, rescore_selfplay},
};

ExitCode run_selfplay_verb(const Arguments& arguments) {
    return run_task("selfplay", selfplay_tasks, arguments);
}

constexpr Option selfplay_options[] = {
    integer_option("games", 1, max_selfplay_games),
    integer_option("nodes", 1, max_selfplay_nodes),
    integer_option("seed", 0, INT64_MAX),
    path_option("out"),
    integer_option("threads", 1, 1024),
    path_option("egdb"),
    text_option("shard"),
    integer_option("shards", 1, max_merged_shards),
    text_option("for"),
    integer_option("first", 1, INT64_MAX),
};

}  // namespace

const Verb selfplay_verb = {
    "selfplay",
    "--games N --nodes K --seed S --out FILE [--threads T] [--shard i/n] [--egdb DIR] | "
    "plan|info|dump|merge|rescore ...",
    "plays games against itself and keeps their positions for training",
    R"(Both sides search K nodes a move. A game begins with the start position, an 11-man ballot or,
  in English, a three-move opening, and 4 to 12 random plies; one side may not be more than half
  a man ahead after them. Later there is at most one random move. When it is a mistake, the
  positions before it do not count.
FILE gets each position in which neither side could capture, with the score of its search and
  the result of its game for the side to move. The built-in endgame databases give results
  where they know them, and with --egdb DIR the larger ones of that folder. Games also end
  by the draw rules, after 200 plies, when a score stays above 800 for 6 plies, or below 12
  for 30 plies after the 80th; a man is worth some 300.
The same settings make the same file, whatever the number of threads. After Ctrl-C or worse the
  same command goes on from where FILE ends; exit status 1 when it was stopped. --shard i/n
  plays every n-th block of 64 games, from the i-th on (0 to n - 1): for n machines, up to 900.
plan ... --shards n [--for make|slurm]: the same as jobs for many machines that share a
  folder: a Makefile, or a script for Slurm; the same file to the bit. For other settings, more
  games too, name another FILE or delete FILE and its parts: they are not overwritten.
info FILE: settings, games, results, positions by number of pieces.
dump FILE [--first N]: a line for each position, black to move (with white to move the board is
  turned): FEN, score, result 1, 0 or -1.
merge OUT FILES: all shards of a run as one file, the same as without shards.
rescore OUT FILE --egdb DIR: the same games with results from larger databases: a known position
  has its own, and those before it have that of the next known one.
OUT gets its name when all is written; before that it is OUT.new. The same command again does
  nothing more; of a FILE that was incomplete it rescores the games that came later, too. Another
  file of the name OUT stays as it is.)",
    {selfplay_options, "plan, info, dump, merge or rescore, and files", 0, max_shards},
    run_selfplay_verb};

}  // namespace defiance
