#include <string_view>

#include <tools/maintenance/tasks.hpp>
#include <tools/support/verb_tasks.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr VerbTask store_tasks[] = {
    {"info", "dir store", 0, describe_store},
    {"verify", "dir store", 0, verify_store},
    {"compact", "dir store", 0, compact_store},
    {"dump", "dir store out", 0, dump_store},
    {"load", "dir store", VerbTask::any_words, load_store},
    {"merge", "dir store", VerbTask::any_words, merge_stores},
};

ExitCode run_store(const Arguments& arguments) {
    return run_task("store", store_tasks, arguments);
}

constexpr Option store_options[] = {path_option("dir"), path_option("store"), path_option("out")};

}  // namespace

const Verb store_verb = {
    "store",
    "info|verify|compact|dump|load|merge --dir D [--game G] ...",
    "looks after the positions that serve and book build keep",
    "The store is the folder D, or with --store redis://HOST:PORT/N on a server. One program at a\n"
    "time uses a folder. All games when --game is left out.\n"
    "info: of each game how many positions it has, how many of them have scores of all moves, how\n"
    "  many moves have one, how many positions are queued, and the bytes of the file.\n"
    "verify: reads every record and every value; changes nothing. Exit status 1 when something is\n"
    "  damaged. Folders only.\n"
    "compact: writes the files anew without values that were replaced. Folders only.\n"
    "dump [--out FILE]: a line for each position, those nearest to the start first:\n"
    "    FEN; ply 3; 11-15 4 22 search; 9-14 -3 17 expansion; from FEN\n"
    "  black to move, the best move first: move, score in 1/100 man, depth, and where the score\n"
    "  comes from (search; expansion: from the position after it; egdb; final: proven). ply "
    "counts\n"
    "  from the start; from: a position that leads here. 'game english 30' stands before the\n"
    "  positions of a game, with their number.\n"
    "load FILES: puts such lines into the store, '-' for standard input. A score that is there "
    "stays\n"
    "  when it is better founded. Then scores are carried up. Faulty lines are named and left "
    "out;\n"
    "  exit status 1 when there were any. With --game only that game, also of lines before the\n"
    "  first 'game'. A move may lack its source: it was searched then.\n"
    "merge STORES: puts the positions of other stores into the store in the same way, but not "
    "what\n"
    "  is queued there.\n"
    "After Ctrl-C, with exit status 1, the same load or merge goes on; compact and dump leave "
    "what\n"
    "was there. A dump that was killed leaves a file whose name is FILE and two numbers.",
    {store_options, "info, verify, compact, dump, load or merge, and files", 1, 1000},
    run_store};

}  // namespace defiance
