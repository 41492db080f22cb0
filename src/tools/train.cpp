#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/eval/network.hpp>
#include <tools/support/games.hpp>
#include <tools/training/training_run.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

class ConsoleMonitor : public TrainingMonitor {
public:
    void note(const std::string& line) override { print_note(line); }
    [[nodiscard]] bool is_stopped() override { return is_interrupted(); }
};

/// The names between commas.
std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (comma != 0) names.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

/// Reads the shape of the network: that of the one to begin with, or what the options say.
std::optional<Error> read_shape(const Arguments& arguments, TrainingOrder& order) {
    NetworkShape& shape = order.trainer.shape;
    const auto hidden = arguments.integer("hidden");
    const auto second = arguments.integer("second");
    const auto buckets = arguments.integer("buckets");
    const auto start = arguments.text("start");
    if (!start) {
        shape.hidden = static_cast<int>(hidden.value_or(shape.hidden));
        shape.hidden = (shape.hidden + pair_group - 1) / pair_group * pair_group;
        shape.second = static_cast<int>(second.value_or(shape.second));
        shape.buckets = static_cast<int>(buckets.value_or(shape.buckets));
        return std::nullopt;
    }
    if (hidden || second || buckets)
        return Error{"with --start the network has the shape of the one that it begins with"};
    order.start_file = *start;
    Result<NetworkParameters> network = read_network_file(order.start_file, order.game_name);
    if (!network) return Error{network.error()};
    shape = {network->hidden, network->buckets, network->second};
    order.start = *std::move(network);
    return std::nullopt;
}

/// Reads the options. Error: one of them makes no sense.
Result<TrainingOrder> order_of(const Arguments& arguments) {
    TrainingOrder order;
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return Error{core.error()};
    order.game_name = (*core)->rules.name;
    order.data.game = (*core)->rules.file_word;
    order.files = names_in(*arguments.text("data"));
    order.out = *arguments.text("out");
    order.table = arguments.text("csv").value_or(order.out + ".csv");
    order.picture = arguments.text("svg").value_or(order.out + ".svg");
    TrainerSettings& s = order.trainer;
    if (const auto error = read_shape(arguments, order)) return *error;
    s.epochs = static_cast<int>(arguments.integer("epochs").value_or(s.epochs));
    s.rate = arguments.decimal("rate").value_or(s.rate);
    if (s.rate <= 0) return Error{"--rate must be above 0"};
    s.result_share = arguments.decimal("result-share").value_or(s.result_share);
    // A network tells what it was made with, and two of different settings must tell apart.
    const auto has_decimals_beyond = [](double number, int decimals) {
        return parse_decimal(fixed(number, decimals), 1) != number;
    };
    if (has_decimals_beyond(s.rate, TrainingOrder::rate_decimals))
        return Error{"--rate takes 6 decimals at most"};
    if (has_decimals_beyond(s.result_share, TrainingOrder::share_decimals))
        return Error{"--result-share takes 4 decimals at most"};
    s.batch = static_cast<int>(arguments.integer("batch").value_or(s.batch));
    s.seed = static_cast<std::uint64_t>(arguments.integer("seed").value_or(1));
    s.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    order.data.holdout_share = arguments.decimal("holdout").value_or(order.data.holdout_share);
    order.data.seed = s.seed;
    order.description = arguments.text("description").value_or("");
    if (order.description.size() > NetworkParameters::max_description_bytes)
        return Error{"--description is too long"};
    if (const auto error = check_files(order)) return *error;
    return order;
}

ExitCode run_train(const Arguments& arguments) {
    const Result<TrainingOrder> order = order_of(arguments);
    if (!order) return fail("train: " + order.error());
    const Result<Dataset> data = read_dataset(order->files, order->data);
    if (!data) return fail("train: " + data.error());
    if (data->unfinished_files != 0)
        print_note("files that end before their last game: " +
                   std::to_string(data->unfinished_files) + "; what is whole in them is used");
    catch_interrupts();
    ConsoleMonitor monitor;
    const auto outcome = run_training(*order, *data, monitor);
    if (!outcome) return fail("train: " + outcome.error());
    if (!*outcome) return exit_no;
    constexpr int digits = 6;
    print_line("positions " + std::to_string((*outcome)->positions) + " loss " +
               fixed((*outcome)->training_loss, digits) + " holdout " +
               fixed((*outcome)->holdout_loss, digits));
    return exit_done;
}

constexpr Option train_options[] = {
    required(path_option("data")),
    required(path_option("out")),
    path_option("csv"),
    path_option("svg"),
    path_option("start"),
    integer_option("hidden", 1, NetworkParameters::max_hidden),
    integer_option("buckets", 1, NetworkParameters::max_buckets),
    integer_option("second", 0, NetworkParameters::max_second),
    integer_option("epochs", 1, 100'000),
    decimal_option("rate", 1),
    decimal_option("result-share", 1),
    decimal_option("holdout", 1),
    integer_option("seed", 0, INT64_MAX),
    integer_option("threads", 1, 256),
    integer_option("batch", 1, 1'000'000),
    text_option("description"),
};

}  // namespace

const Verb train_verb = {
    "train",
    "--data FILE[,FILE...] --out NET [--game G] [--hidden N] [--epochs N] ...",
    "makes an evaluation network from games of self-play",
    R"(--data: files that 'defiance selfplay' has made, with commas between them, each once.
--out NET: the network. NET.state keeps what is needed to go on: after Ctrl-C or worse the same
  command continues after the last epoch finished. No two files read or written may be the same.
  A network of other settings or data stays as it is, and so does any file of another kind.
--csv FILE (NET.csv), --svg FILE (NET.svg): the losses after each epoch, as a table and a picture.
--hidden N (256): hidden units, up to 512; rounded up to a multiple of 64. --buckets N (8): sets of
  output weights, by the number of pieces. --second N (8): units of a second layer; 0: none.
--start NET: begin with the weights of this network, whose shape it keeps, instead of random ones.
--epochs N (10): passes over the data. --rate R (0.003; up to 6 decimals): of learning; it rises
  at first and falls to a hundredth. --batch N (4096): positions of one step.
--result-share S (0.3; up to 4 decimals): the network learns S times the result and 1-S times what
  the search thought of it; the loss is the mean squared error.
--holdout S (0.02): the part of the games that only tests what was learned.
--seed N (1): of all chance. The same data and settings give the same file, with any --threads T
  (all processors).
--description TEXT: kept in the network; else the settings. With it no network is replaced.
The last line is 'positions N loss L holdout H': positions learned from, the loss of the last
epoch, and that of the finished network on the games held out.)",
    {train_options, {}, 0, 0},
    run_train};

}  // namespace defiance
