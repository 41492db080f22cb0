#include <tools/tuning/unbalanced_openings.hpp>

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/search/search.hpp>
#include <tools/support/openings.hpp>

namespace defiance {
namespace {

/// Enough for a million nodes, and quickly cleared.
constexpr std::uint32_t judge_mebibytes = 16;

/// Candidates between two writings of the file; the same for any number of threads.
constexpr std::uint64_t candidates_of_step = 64;

class StoppableObserver : public SearchObserver {
public:
    explicit StoppableObserver(const std::function<bool()>& is_stopped) : is_stopped_(is_stopped) {}
    bool must_stop(std::uint64_t) override { return is_stopped_(); }

private:
    const std::function<bool()>& is_stopped_;
};

/// Says by how much a side is ahead. Depends on the position and the nodes only.
class Judge {
public:
    explicit Judge(const GameCore& core)
        : table_(judge_mebibytes), search_(core.make_search(table_)) {}

    [[nodiscard]] bool has_memory() const { return table_.size_mebibytes() == judge_mebibytes; }

    /// In hundredths of a man, whoever it is. Meaningless once the search is stopped.
    [[nodiscard]] int lead(const Position& position, std::uint64_t nodes,
                           SearchObserver& observer) {
        table_.clear();
        SearchLimits limits;
        limits.nodes = nodes;
        const SearchResult result = search_->run(std::span(&position, 1), limits, observer);
        return std::abs(in_centimen(result.score));
    }

private:
    TranspositionTable table_;
    std::unique_ptr<GameSearch> search_;
};

/// The settings of an order as the first line of its file has them: what stands before each value,
/// and what a user knows it as.
struct HeadSetting {
    std::string_view before;
    std::string_view name;
};
constexpr auto head_settings =
    std::to_array<HeadSetting>({{"# Unbalanced openings, ", "game"},
                                {": a side is ", "least lead"},
                                {" to ", "greatest lead"},
                                {" hundredths of a man ahead after ", "nodes"},
                                {" nodes; seed ", "seed"},
                                {", program ", "program"}});
using HeadValues = std::array<std::string, head_settings.size()>;

HeadValues head_values_of(const UnbalancedOrder& order) {
    return {std::string(order.core->rules.file_word),
            std::to_string(order.least),
            std::to_string(order.most),
            std::to_string(order.nodes),
            std::to_string(order.seed),
            order.program};
}

std::string head_text(const HeadValues& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += std::string(head_settings[i].before) + values[i];
    return text;
}

/// The values in the first line of a file; nothing when it is no such file.
std::optional<HeadValues> read_head_values(std::string_view line) {
    HeadValues values;
    if (!line.starts_with(head_settings.front().before)) return std::nullopt;
    line.remove_prefix(head_settings.front().before.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t end =
            i + 1 == values.size() ? line.size() : line.find(head_settings[i + 1].before);
        if (end == std::string_view::npos) return std::nullopt;
        values[i] = line.substr(0, end);
        if (i + 1 < values.size()) line.remove_prefix(end + head_settings[i + 1].before.size());
    }
    return values;
}

/// What the file of an order says and is to say.
class OpeningsFile {
public:
    explicit OpeningsFile(const UnbalancedOrder& order)
        : path_(order.file), rules_(order.core->rules), head_(head_values_of(order)) {}

    /// Reads what an interrupted search has left. Error: it is something else.
    [[nodiscard]] std::optional<Error> read() {
        if (!file_exists(path_)) return write();
        const Result<std::string> text = read_file(path_);
        if (!text) return Error{text.error()};
        std::string_view rest = *text;
        if (const auto problem = problem_of_head(take_line(rest)))
            return file_error(path_, *problem);
        const auto seen = parse_integer(value_of(take_line(rest)), 0, INT64_MAX / 2);
        if (!seen) return file_error(path_, "is damaged");
        candidates_ = static_cast<std::uint64_t>(*seen);
        if (rest.empty()) return std::nullopt;
        const auto found = read_openings(rules_, rest);
        if (!found) return file_error(path_, found.error());
        for (const Opening& opening : *found)
            static_cast<void>(add(opening.position));
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Error> write() const {
        std::string text =
            head_text(head_) + '\n' + std::string(seen_word) + std::to_string(candidates_);
        for (const std::string& fen : fens_)
            text += '\n' + fen;
        return write_file(path_, text + '\n');
    }

    /// False when it is there already.
    bool add(const Position& position) {
        std::string fen = to_fen(rules_, position);
        if (!known_.insert(fen).second) return false;
        fens_.push_back(std::move(fen));
        return true;
    }

    void set_candidates(std::uint64_t number) { candidates_ = number; }
    [[nodiscard]] std::uint64_t candidates() const { return candidates_; }
    [[nodiscard]] std::size_t size() const { return fens_.size(); }

private:
    static constexpr std::string_view seen_word = "# candidates ";

    static std::string_view take_line(std::string_view& text) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        return line;
    }
    static std::string_view value_of(std::string_view line) {
        return line.starts_with(seen_word) ? line.substr(seen_word.size()) : std::string_view{};
    }

    /// Why a file that begins with the line is not of this order; nothing when it is.
    [[nodiscard]] std::optional<std::string> problem_of_head(std::string_view line) const {
        const std::optional<HeadValues> found = read_head_values(line);
        if (!found) return "is not a file of such openings; name another one";
        for (std::size_t i = 0; i < head_.size(); ++i)
            if ((*found)[i] != head_[i])
                return "is of other settings: " + std::string(head_settings[i].name) + ' ' +
                       shown((*found)[i]) + " instead of " + head_[i];
        return std::nullopt;
    }

    std::string path_;
    const GameRules& rules_;
    HeadValues head_;
    std::vector<std::string> fens_;
    std::set<std::string> known_;
    std::uint64_t candidates_ = 0;
};

/// The candidate with this number, from 0; nothing when the moves drawn lead to no quiet position.
std::optional<Position> candidate(const GameRules& rules, const std::vector<Position>& ballots,
                                  std::uint64_t seed, std::uint64_t number) {
    Random random(Random(seed).next() + number);
    Position position = ballots[random.below(ballots.size())];
    const std::uint64_t plies = 2 + random.below(std::uint64_t{7});
    for (std::uint64_t ply = 0; ply < plies; ++ply) {
        MoveList moves;
        rules.generate_moves(position, moves);
        if (moves.empty()) return std::nullopt;
        position = rules.after(position, moves[random.below(moves.size())]);
    }
    if (rules.count_moves(position) == 0 || rules.can_capture(position)) return std::nullopt;
    return position;
}

/// Whether a side is ahead by what the order says. A short search first tells most of those that
/// are far from it.
bool is_unbalanced(const UnbalancedOrder& order, const Position& position, Judge& judge,
                   SearchObserver& observer) {
    constexpr std::uint64_t glances = 20;  // a short search has this part of the nodes
    constexpr int slack = 20;              // and may be wrong by so much
    const std::uint64_t glance_nodes = std::max<std::uint64_t>(order.nodes / glances, 1);
    const int glance = judge.lead(position, glance_nodes, observer);
    if (glance < order.least - slack || glance > order.most + slack) return false;
    const int lead = judge.lead(position, order.nodes, observer);
    return lead >= order.least && lead <= order.most;
}

using Found = std::array<std::optional<Position>, candidates_of_step>;

/// Looks at the next candidates, each with its own search, on a thread for each judge.
Found search_candidates(const UnbalancedOrder& order, const std::vector<Position>& ballots,
                        std::uint64_t first, std::vector<std::unique_ptr<Judge>>& judges,
                        const UnbalancedMonitor& monitor) {
    Found found;
    const auto task = [&](std::uint64_t i, std::uint64_t, int thread) {
        if (monitor.is_stopped()) return;
        const auto position = candidate(order.core->rules, ballots, order.seed, first + i);
        StoppableObserver observer(monitor.is_stopped);
        Judge& judge = *judges[static_cast<std::size_t>(thread)];
        if (position && is_unbalanced(order, *position, judge, observer))
            found[static_cast<std::size_t>(i)] = position;
    };
    parallel_for(candidates_of_step, 1, static_cast<int>(judges.size()), task);
    return found;
}

/// Says now and then how far the work is.
class OpeningsProgress {
public:
    OpeningsProgress(const UnbalancedOrder& order, const OpeningsFile& file,
                     const UnbalancedMonitor& monitor)
        : count_(order.count), file_(file), size_before_(file.size()), monitor_(monitor) {}

    void tell_now_and_then() {
        constexpr double seconds_between = 10;
        if (stopwatch_.seconds() < next_note_) return;
        next_note_ = stopwatch_.seconds() + seconds_between;
        tell();
    }

    void tell() const {
        // A larger list of before has more than are wanted now.
        const std::string wanted = file_.size() > count_ ? "" : " of " + std::to_string(count_);
        std::string text = "openings " + std::to_string(file_.size()) + wanted + ", " +
                           std::to_string(file_.candidates()) + " candidates";
        if (file_.size() > size_before_ && file_.size() < count_) {
            const double of_one =
                stopwatch_.seconds() / static_cast<double>(file_.size() - size_before_);
            text +=
                ", " + fixed(of_one * static_cast<double>(count_ - file_.size()), 0) + " s left";
        }
        monitor_.note(text);
    }

private:
    const std::size_t count_;
    const OpeningsFile& file_;
    const std::size_t size_before_;
    const UnbalancedMonitor& monitor_;
    Stopwatch stopwatch_;
    double next_note_ = 2;
};

}  // namespace

Result<bool> find_unbalanced_openings(const UnbalancedOrder& order,
                                      const UnbalancedMonitor& monitor) {
    DEFIANCE_ASSERT(order.core != nullptr && order.nodes > 0 && order.threads > 0);
    DEFIANCE_ASSERT(order.least >= 0 && order.least <= order.most && order.count > 0);
    OpeningsFile file(order);
    if (auto error = file.read()) return *std::move(error);
    const std::vector<Position> ballots = eleven_man_ballots(order.core->rules);
    std::vector<std::unique_ptr<Judge>> judges;
    for (int i = 0; i < order.threads; ++i) {
        judges.push_back(std::make_unique<Judge>(*order.core));
        if (!judges.back()->has_memory()) return Error{"there is too little memory"};
    }

    OpeningsProgress progress(order, file, monitor);
    std::uint64_t last_found = file.candidates();
    while (file.size() < order.count) {
        const std::uint64_t first = file.candidates();
        const Found found = search_candidates(order, ballots, first, judges, monitor);
        if (monitor.is_stopped()) {
            monitor.note("stopped; the same command goes on");
            return false;
        }
        for (std::size_t i = 0; i < found.size() && file.size() < order.count; ++i) {
            file.set_candidates(first + i + 1);
            if (found[i] && file.add(*found[i])) last_found = file.candidates();
        }
        if (auto error = file.write()) return *std::move(error);
        const bool is_in_vain = file.candidates() - last_found > max_fruitless_candidates;
        if (is_in_vain && file.size() == 0) {
            remove_file(order.file);  // for matches it would be a list without openings
            return Error{
                "there are no such openings; another --lead or more --nodes may find some"};
        }
        if (is_in_vain)
            return Error{"there are no more such openings; " + std::to_string(file.size()) +
                         " are in the file"};
        progress.tell_now_and_then();
    }
    progress.tell();
    return true;
}

}  // namespace defiance
