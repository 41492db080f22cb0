#include <tools/training/loss_picture.hpp>

#include <algorithm>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr double picture_width = 720;
constexpr double picture_height = 420;
constexpr double plot_left = 80;
constexpr double plot_right = picture_width - 20;
constexpr double plot_top = 50;
constexpr double plot_bottom = picture_height - 60;
constexpr int loss_decimals = 6;

/// Where an epoch and a loss lie in the picture. The training loss of the first epoch may lie above
/// it: it is that of a network that knows nothing for a large part of the epoch.
class Plane {
public:
    explicit Plane(std::span<const EpochLosses> history)
        : epochs_(static_cast<int>(history.size())) {
        low_ = high_ = history.front().holdout;
        for (const EpochLosses& losses : history) {
            low_ = std::min({low_, losses.training, losses.holdout});
            high_ = std::max(high_, losses.holdout);
        }
        step_ = nice_step((high_ - low_) / 5);
        low_ = step_ * static_cast<double>(static_cast<std::int64_t>(low_ / step_));
        high_ = low_ +
                step_ * static_cast<double>(static_cast<std::int64_t>((high_ - low_) / step_) + 1);
    }

    [[nodiscard]] double x(int epoch) const {
        return epochs_ == 1 ? (plot_left + plot_right) / 2
                            : plot_left + (plot_right - plot_left) * (epoch - 1) / (epochs_ - 1);
    }
    [[nodiscard]] double y(double loss) const {
        return plot_bottom - (plot_bottom - plot_top) * (loss - low_) / (high_ - low_);
    }
    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double high() const { return high_; }
    [[nodiscard]] double step() const { return step_; }
    [[nodiscard]] int epochs() const { return epochs_; }

private:
    /// 1, 2 or 5 times a power of ten, not below the number.
    static double nice_step(double least) {
        double power = 1e-6;
        while (true) {
            for (const double factor : {1.0, 2.0, 5.0})
                if (power * factor >= least || power > 1) return power * factor;
            power *= 10;
        }
    }

    int epochs_;
    double low_;
    double high_;
    double step_ = 1;
};

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '&')
            result += "&amp;";
        else
            result += c;
    }
    return result;
}

std::string text_at(double x, double y, std::string_view attributes, std::string_view text) {
    return "<text x=\"" + fixed(x, 1) + "\" y=\"" + fixed(y, 1) + "\" " + std::string(attributes) +
           '>' + escaped(text) + "</text>\n";
}

std::string line_between(double x1, double y1, double x2, double y2, std::string_view kind) {
    return "<line class=\"" + std::string(kind) + "\" x1=\"" + fixed(x1, 1) + "\" y1=\"" +
           fixed(y1, 1) + "\" x2=\"" + fixed(x2, 1) + "\" y2=\"" + fixed(y2, 1) + "\"/>\n";
}

constexpr std::string_view anchor_middle = "text-anchor=\"middle\"";
constexpr std::string_view anchor_end = "text-anchor=\"end\"";

std::string axes(const Plane& plane) {
    std::string svg;
    const int lines = static_cast<int>((plane.high() - plane.low()) / plane.step() + 0.5);
    for (int i = 0; i <= lines; ++i) {
        const double loss = plane.low() + i * plane.step();
        svg += line_between(plot_left, plane.y(loss), plot_right, plane.y(loss), "grid");
        svg += text_at(plot_left - 8, plane.y(loss) + 4, anchor_end, fixed(loss, loss_decimals));
    }
    const int stride = (plane.epochs() - 1) / 10 + 1;
    for (int epoch = 1; epoch <= plane.epochs(); epoch += stride) {
        svg += line_between(plane.x(epoch), plot_bottom, plane.x(epoch), plot_bottom + 5, "axis");
        svg += text_at(plane.x(epoch), plot_bottom + 20, anchor_middle, std::to_string(epoch));
    }
    svg += line_between(plot_left, plot_bottom, plot_right, plot_bottom, "axis");
    svg += line_between(plot_left, plot_top, plot_left, plot_bottom, "axis");
    svg += text_at((plot_left + plot_right) / 2, picture_height - 15, anchor_middle, "epoch");
    svg += text_at(plot_left, plot_top - 10, anchor_middle, "loss");
    return svg;
}

/// One loss by epoch, with its name at `name_x` above the plane.
std::string curve(const Plane& plane, std::span<const EpochLosses> history,
                  double EpochLosses::*loss, std::string_view kind, std::string_view name,
                  double name_x) {
    std::string points;
    std::string dots;
    for (int epoch = 1; epoch <= plane.epochs(); ++epoch) {
        const double y = plane.y(history[static_cast<std::size_t>(epoch - 1)].*loss);
        points += fixed(plane.x(epoch), 1) + ',' + fixed(y, 1) + ' ';
        dots += "<circle class=\"dot " + std::string(kind) + "\" cx=\"" + fixed(plane.x(epoch), 1) +
                "\" cy=\"" + fixed(y, 1) + "\" r=\"2.5\"/>\n";
    }
    points.pop_back();
    return "<g clip-path=\"url(#plane)\">\n<polyline class=\"" + std::string(kind) +
           "\" points=\"" + points + "\"/>\n" + dots + "</g>\n" +
           line_between(name_x, plot_top - 14, name_x + 24, plot_top - 14, kind) +
           text_at(name_x + 30, plot_top - 10, "", name);
}

constexpr std::string_view columns_of_table = "epoch,rate,training_loss,holdout_loss\n";

std::string head_of_picture() {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + fixed(picture_width, 0) +
           ' ' + fixed(picture_height, 0) + "\" font-family=\"sans-serif\" font-size=\"12\">\n";
}

}  // namespace

std::string loss_table(std::span<const EpochLosses> history) {
    std::string table(columns_of_table);
    for (std::size_t i = 0; i < history.size(); ++i)
        table += std::to_string(i + 1) + ',' + fixed(history[i].rate, max_decimals) + ',' +
                 fixed(history[i].training, max_decimals) + ',' +
                 fixed(history[i].holdout, max_decimals) + '\n';
    return table;
}

std::string loss_picture(std::span<const EpochLosses> history, std::string_view title) {
    DEFIANCE_ASSERT(!history.empty());
    const Plane plane(history);
    return head_of_picture() +
           "<style>\n"
           "text { fill: #24292f; } .axis { stroke: #24292f; } .grid { stroke: #d0d7de; }\n"
           ".training { stroke: #0a64c8; } .holdout { stroke: #c8501e; }\n"
           "polyline, line { fill: none; stroke-width: 1.5; } .grid { stroke-width: 0.7; }\n"
           ".dot { stroke: none; } .dot.training { fill: #0a64c8; } "
           ".dot.holdout { fill: #c8501e; }\n"
           ".ground { fill: #ffffff; }\n"
           "@media (prefers-color-scheme: dark) {\n"
           "text { fill: #e6edf3; } .axis { stroke: #e6edf3; } .grid { stroke: #3d444d; }\n"
           ".training { stroke: #58a6ff; } .holdout { stroke: #f0883e; }\n"
           ".dot { stroke: none; } .dot.training { fill: #58a6ff; } "
           ".dot.holdout { fill: #f0883e; }\n"
           ".ground { fill: #0d1117; }\n"
           "}\n"
           "</style>\n"
           "<clipPath id=\"plane\"><rect x=\"" +
           fixed(plot_left, 0) + "\" y=\"" + fixed(plot_top - 2, 0) + "\" width=\"" +
           fixed(plot_right - plot_left + 4, 0) + "\" height=\"" +
           fixed(plot_bottom - plot_top + 4, 0) +
           "\"/></clipPath>\n"
           "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n" +
           text_at((plot_left + plot_right) / 2, 20, anchor_middle, title) + axes(plane) +
           curve(plane, history, &EpochLosses::training, "training", "training", plot_right - 220) +
           curve(plane, history, &EpochLosses::holdout, "holdout", "held out", plot_right - 110) +
           "</svg>\n";
}

bool begins_loss_table(std::string_view text) {
    return text.starts_with(columns_of_table);
}

bool begins_loss_picture(std::string_view text) {
    return text.starts_with(head_of_picture());
}

}  // namespace defiance
