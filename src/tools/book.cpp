#include <tools/book/book_order.hpp>
#include <tools/book/tasks.hpp>
#include <tools/expansion/drop_out_graph.hpp>
#include <tools/support/verb_tasks.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr VerbTask book_tasks[] = {
    {"build", "dir store positions nodes threads out ballots alpha shard", 0, build_book},
    {"plan", "dir positions nodes threads out ballots alpha shards for", 0, plan_book},
    {"info", "", 1, describe_book},
    {"verify", "sample seconds threads", 1, verify_book},
    {"export", "out userbook", 1, export_book},
    {"import", "out plies games", VerbTask::any_words, import_book},
    {"merge", "", VerbTask::any_words, merge_books},
};

ExitCode run_book(const Arguments& arguments) {
    return run_task("book", book_tasks, arguments);
}

constexpr Option book_options[] = {
    path_option("dir"),
    path_option("store"),
    integer_option("positions", 1, 10'000'000),
    integer_option("nodes", 1, 1'000'000'000),
    integer_option("threads", 1, 256),
    path_option("out"),
    path_option("ballots"),
    decimal_option("alpha", ExpansionCosts::max_alpha),
    text_option("shard"),
    integer_option("shards", 1, max_book_shards),
    text_option("for"),
    integer_option("plies", 1, 512),
    integer_option("games", 1, 1'000'000),
    flag_option("userbook"),
    integer_option("sample", 1, 1'000'000),
    decimal_option("seconds", 1'000'000),
};

}  // namespace

const Verb book_verb = {
    "book",
    "build|plan|info|verify|export|import|merge [--game G] ...",
    "makes opening books and shows what is in them",
    R"(build --dir D --positions N --out FILE [--nodes K] [--ballots B] [--alpha A] [--threads T]
  [--store redis://HOST:PORT/N]: lets the position database in folder D grow until it knows N
  positions, and writes all that it knows as a book. Every legal move is searched for K nodes
  (5000); positions that D has already keep the searches that they have. Searched next is the
  position with the cheapest line to it: each move costs a ply, and A more (3) for each tenth of a
  man that it gives away. Lines begin at the start position and at the ballots B: 3-move (the
  default in English), 11-man (in the other games), none, or a file of openings.
  After Ctrl-C or worse the same command goes on; exit status 1 when it was stopped. The same
  settings make the same book from an empty folder, whatever the number of threads. Only where
  kings of both sides can move round may a book that was interrupted take other positions.
  --shard i/n: only the i-th of n parts, counted from 0, in a folder of its own in D: the places
  where lines begin are dealt out, the start position to 0, and the positions divided.
plan ... --shards n [--for make|slurm]: prints the same for many machines that share a folder:
  a job for each of n shards, and one that merges their books. Of a position that several shards
  know the first one counts, and support counts positions of one shard: it differs from the
  book of one process. A plan that is printed again, as for more positions, runs all jobs again;
  what is complete takes them little time.
Of a book that is read the game need not be named.
info FILE: how a book was made and what it holds.
verify FILE [--sample N] [--seconds S] [--threads T]: checks every byte and that every move is
  legal; also searches N of the positions with a move that `book 3` plays for S seconds (1). Exit
  status 1 when the book is damaged or such a move is worse by a man than that of the search, 2
  when the file cannot be opened or is of another game.
export FILE [--out FILE]: a line for each position, black to move: FEN; move score depth support;
  ..., the best move first, scores in 1/100 man; support is how many positions after the move were
  searched, at most 255, left out when none.
  --userbook: instead the best moves of the 10000 positions nearest to the start, as a user book of
  CheckerBoard (--out needed).
import --out FILE [--plies P] [--games G] FILES: a book from games in PDN (.pdn), user books
  (.bin), or such lines (any other name).
  Of games the first P plies count (--plies, 30) and moves played in G games (--games, 2); the
  score tells how well they did, depth and support how often they were played. A game without a
  result that is understood, in its tag or at its end, counts as drawn. Games whose tag GameType
  names another game are left out, and so are moves at positions beyond the first 2000000. How
  many games and moves that concerns is told.
merge OUT FILES: writes one book out of several to OUT. A position that is in many is taken from
  the first.)",
    {book_options, "build, plan, info, verify, export, import or merge, and files", 1, 1000},
    run_book};

}  // namespace defiance
