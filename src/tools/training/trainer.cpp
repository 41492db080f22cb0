#include <tools/training/trainer.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>

namespace defiance {
namespace {

/// Different for each purpose and epoch.
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t purpose) {
    return Random(Random(seed).next() + purpose).next();
}

std::int64_t rounded_up(int size) {
    constexpr int line = 16;
    return (size + line - 1) / line * line;
}

double sum_of(const std::vector<double>& losses) {
    double sum = 0;
    for (const double loss : losses)
        sum += loss;
    return sum;
}

template <class Action>
void for_each_number(Adam& adam, FloatNetwork& network, Action action) {
    for (AlignedArray<float>* numbers :
         {&network.values(), &adam.first_moments(), &adam.second_moments()})
        action(reinterpret_cast<char*>(numbers->data()), numbers->size() * sizeof(float));
    action(reinterpret_cast<char*>(&adam.powers()), sizeof(Adam::Powers));
}

}  // namespace

Trainer::Trainer(const TrainerSettings& settings, const Dataset& data,
                 const TrainingKernels& kernels)
    : settings_(settings),
      data_(data),
      kernels_(kernels),
      network_(settings.shape, derived_seed(settings.seed, 0)),
      adam_(network_),
      gradient_stride_(rounded_up(network_.layout().size())),
      gradients_(static_cast<std::size_t>(slices * gradient_stride_)),
      team_(settings.threads) {
    DEFIANCE_ASSERT(!data.training.empty() && !data.holdout.empty() && settings.batch > 0);
    for (int thread = 0; thread < settings.threads; ++thread)
        runners_.emplace_back(settings.shape, kernels, static_cast<float>(settings.result_share));
}

void Trainer::begin_with(const FloatNetwork& network) {
    DEFIANCE_ASSERT(epoch() == 0 && network.shape() == network_.shape());
    std::copy(network.values().data(), network.values().data() + network.values().size(),
              network_.values().data());
}

std::uint64_t Trainer::batches() const {
    const auto batch = static_cast<std::uint64_t>(settings_.batch);
    return (data_.training.size() + batch - 1) / batch;
}

std::optional<EpochLosses> Trainer::run_epoch(
    const std::function<bool(std::uint64_t)>& is_stopped) {
    DEFIANCE_ASSERT(!is_done());
    const std::uint64_t size = data_.training.size();
    const Permutation order(size,
                            derived_seed(settings_.seed, static_cast<std::uint64_t>(epoch()) + 1));
    const auto per_epoch = static_cast<std::int64_t>(batches());
    const auto batch = static_cast<std::uint64_t>(settings_.batch);
    EpochLosses losses;
    for (std::int64_t number = 0; number < per_epoch; ++number) {
        const std::uint64_t begin = static_cast<std::uint64_t>(number) * batch;
        const std::uint64_t end = std::min(begin + batch, size);
        losses.rate = settings_.rate *
                      rate_factor(epoch() * per_epoch + number, settings_.epochs * per_epoch);
        losses.training += run_batch(order, begin, static_cast<int>(end - begin), losses.rate);
        if (is_stopped(end)) return std::nullopt;
    }
    losses.training /= static_cast<double>(size);
    losses.holdout = holdout_loss();
    history_.push_back(losses);
    return losses;
}

double Trainer::run_batch(const Permutation& order, std::uint64_t begin, int size, double rate) {
    const int slice = (size + slices - 1) / slices;
    const int count = (size + slice - 1) / slice;
    std::vector<double> losses(static_cast<std::size_t>(count));
    team_.run(count, [&](int number, int thread) {
        float* gradients = gradients_.data() + number * gradient_stride_;
        std::fill_n(gradients, gradient_stride_, 0.0F);
        const int last = std::min((number + 1) * slice, size);
        losses[static_cast<std::size_t>(number)] = run_slice(
            order, begin + static_cast<std::uint64_t>(number * slice),
            begin + static_cast<std::uint64_t>(last), runners_[static_cast<std::size_t>(thread)],
            network_.layout().parts(gradients));
    });
    adam_.begin_step(rate, size);
    team_.run(adam_.parts(), [&](int part, int) {
        adam_.take(part, kernels_, network_, gradients_.data(), count, gradient_stride_);
    });
    return sum_of(losses);
}

double Trainer::run_slice(const Permutation& order, std::uint64_t begin, std::uint64_t end,
                          MicroBatchRunner& runner, const NetworkParts<float>& gradients) {
    double loss = 0;
    std::array<TrainingRecord, micro_batch_positions> records;
    while (begin < end) {
        const auto size =
            static_cast<std::size_t>(std::min<std::uint64_t>(micro_batch_positions, end - begin));
        for (std::size_t i = 0; i < size; ++i)
            records[i] = data_.training[static_cast<std::size_t>(order[begin + i])];
        runner.load(std::span(records).first(size));
        loss += runner.forward(network_.parts());
        runner.backward(network_.parts(), gradients);
        begin += size;
    }
    return loss;
}

double Trainer::holdout_loss() {
    constexpr std::size_t block = 64 * micro_batch_positions;
    const std::span<const TrainingRecord> all = data_.holdout;
    const std::size_t count = (all.size() + block - 1) / block;
    std::vector<double> losses(count);
    team_.run(static_cast<int>(count), [&](int number, int thread) {
        const auto index = static_cast<std::size_t>(number);
        MicroBatchRunner& runner = runners_[static_cast<std::size_t>(thread)];
        const std::size_t end = std::min((index + 1) * block, all.size());
        for (std::size_t i = index * block; i < end; i += micro_batch_positions) {
            runner.load(all.subspan(i, std::min<std::size_t>(micro_batch_positions, end - i)));
            losses[index] += runner.forward(network_.parts());
        }
    });
    return sum_of(losses) / static_cast<double>(all.size());
}

std::string Trainer::state() {
    std::string text;
    for_each_number(adam_, network_,
                    [&](const char* bytes, std::size_t size) { text.append(bytes, size); });
    text.append(reinterpret_cast<const char*>(history_.data()),
                history_.size() * sizeof(EpochLosses));
    return text;
}

bool Trainer::restore(std::string_view state) {
    std::size_t fixed_size = 0;
    for_each_number(adam_, network_, [&](char*, std::size_t size) { fixed_size += size; });
    if (state.size() < fixed_size || (state.size() - fixed_size) % sizeof(EpochLosses) != 0)
        return false;
    const std::size_t epochs = (state.size() - fixed_size) / sizeof(EpochLosses);
    if (epochs > static_cast<std::size_t>(settings_.epochs)) return false;
    for_each_number(adam_, network_, [&](char* bytes, std::size_t size) {
        std::memcpy(bytes, state.data(), size);
        state.remove_prefix(size);
    });
    history_.resize(epochs);
    if (epochs != 0) std::memcpy(history_.data(), state.data(), state.size());
    return true;
}

}  // namespace defiance
