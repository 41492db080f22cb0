#include <tools/book/run_progress.hpp>

#include <algorithm>

#include <defiance/base/text.hpp>
#include <tools/support/report.hpp>

namespace defiance {

void RunProgress::note(std::size_t done) {
    constexpr double interval = 10;
    const double now = stopwatch_.seconds();
    if (!first_) {
        first_ = done;
        since_ = now;
        next_ = now + interval / 5;
    }
    if (now < next_ || done <= *first_) return;
    next_ = now + interval;
    const double rate = static_cast<double>(done - *first_) / (now - since_);
    const double left = static_cast<double>(wanted_ - std::min(done, wanted_)) / rate;
    print_note(what_ + ' ' + std::to_string(done) + " of " + std::to_string(wanted_) + ", " +
               fixed(rate, 1) + " a second, " + fixed(left, 0) + " s left");
}

}  // namespace defiance
