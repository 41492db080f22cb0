#pragma once

#include <string>

#include <tools/training/training_run.hpp>

#include "../base/temporary.hpp"

namespace defiance {

/// Keeps what is said, and stops a training after so many batches.
class TrainingTestMonitor : public TrainingMonitor {
public:
    explicit TrainingTestMonitor(int limit = -1) : left_(limit) {}

    void note(const std::string& line) override { text += line + '\n'; }
    [[nodiscard]] bool is_stopped() override {
        ++batches;
        return --left_ == 0;
    }

    std::string text;
    int batches = 0;

private:
    int left_;
};

inline void name_files(TrainingOrder& order, const std::string& path) {
    order.out = path;
    order.table = path + ".csv";
    order.picture = path + ".svg";
}

inline TrainingOrder small_order(const TemporaryFolder& folder) {
    TrainingOrder order;
    order.trainer.shape = {64, 2, 0};
    order.trainer.epochs = 3;
    order.trainer.batch = 300;
    order.data.game = "english";
    order.game_name = "English";
    name_files(order, folder.path() + "/net");
    return order;
}

}  // namespace defiance
