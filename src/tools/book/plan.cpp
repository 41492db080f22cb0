#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/book/book_order.hpp>
#include <tools/book/tasks.hpp>
#include <tools/support/job_plan.hpp>

namespace defiance {

/// A job for each shard of the roots and positions, and one that merges their books.
ExitCode plan_book(const Arguments& arguments) {
    const Result<BookOrder> order = book_order_given(arguments);
    if (!order) return fail("book plan: " + order.error());
    const auto shards = arguments.integer("shards");
    if (!shards) return fail("book plan: --shards is missing");
    if (const auto error = check_shards(*order, static_cast<std::uint32_t>(*shards)))
        return fail("book plan: " + error->text);
    const Result<JobPlan::Format> format = plan_format_given(arguments);
    if (!format) return fail("book plan: " + format.error());
    const std::int64_t threads = arguments.integer("threads").value_or(1);
    const std::string game(order->core->rules.file_word);
    std::string common = "book build --game " + game + " --threads " + std::to_string(threads);
    for (const auto& [name, value] : arguments.given()) {
        const bool is_of_plan = name == "game" || name == "threads" || name == "out" ||
                                name == "shards" || name == "for";
        if (is_of_plan) continue;
        if (!is_plain_word(value))
            return fail("book plan: --" + std::string(name) + ": '" + shown(value) +
                        "': only letters, digits and _ . / + , @ - can be in a plan");
        common += " --" + std::string(name) + ' ' + std::string(value);
    }
    if (!is_plain_word(order->out))
        return fail("book plan: --out: only letters, digits and _ . / + , @ - can be in a plan");
    JobPlan plan("The book " + order->out + " of " + game + '.', static_cast<int>(threads));
    std::string merge = "book merge --game " + game + ' ' + order->out;
    std::vector<std::size_t> jobs;
    for (std::int64_t i = 0; i < *shards; ++i) {
        const std::string part = order->out + ".part" + std::to_string(i);
        merge += ' ' + part;
        jobs.push_back(plan.add(common + " --shard " + std::to_string(i) + '/' +
                                    std::to_string(*shards) + " --out " + part,
                                part, {}));
    }
    DEFIANCE_ASSERT(!jobs.empty());
    plan.add(merge, order->out, jobs);
    if (const auto error = plan.check()) return fail("book plan: " + error->text);
    print_line(plan.text(*format));
    return exit_done;
}

}  // namespace defiance
