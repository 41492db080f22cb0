#pragma once

#include <span>
#include <string>

#include <defiance/eval/network.hpp>
#include <tools/training/float_network.hpp>
#include <tools/training/records.hpp>

namespace defiance {

/// The network with its numbers rounded to those of the engine.
[[nodiscard]] NetworkParameters quantised(const FloatNetwork& network, std::string game,
                                          std::string description);

/// The network of the engine as a training begins with it. Its weights are cut to the bounds of a
/// training, which those that a training has made keep.
[[nodiscard]] FloatNetwork in_fractions(const NetworkParameters& parameters);

/// Mean loss of a network of the engine, evaluated as the engine does it, on so many threads.
[[nodiscard]] double loss_of(const Network& network, std::span<const TrainingRecord> records,
                             double result_share, int threads);

}  // namespace defiance
