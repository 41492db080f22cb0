#include <tools/training/selfplay_file.hpp>
#include <tools/training/tasks.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr Option options[] = {
    integer_option("games", 1, max_selfplay_games),
    integer_option("nodes", 1, max_selfplay_nodes),
    integer_option("seed", 0, INT64_MAX),
    text_option("out"),
    integer_option("threads", 1, 1024),
    text_option("shard"),
};

}  // namespace

const Verb selfplay_verb = {"selfplay",
                            "--games N --nodes K --seed S --out FILE [--threads T] [--shard i/n]",
                            "plays games and keeps their positions for training",
                            "",
                            {options, "", 0, 0},
                            play_selfplay};

}  // namespace defiance
