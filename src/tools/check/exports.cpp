#include <tools/check/finding.hpp>

namespace defiance {
namespace {

Finding check_exports(CheckedEngine& engine) {
    const std::string width = std::to_string(engine.bits()) + "-bit, exports ";
    if (engine.has_is_legal()) return pass(width + "getmove, enginecommand and islegal");
    const std::string seen = width + "getmove and enginecommand, no islegal";
    if (engine.plays_english()) return note(seen + "; CheckerBoard uses its own rules of English");
    if (engine.has_movelist()) return note(seen + ", but tells its moves by get movelist");
    return fault(seen + " and no get movelist",
                 "CheckerBoard lets the user play by the rules of English");
}

}  // namespace

std::vector<Check> export_checks() {
    return {{"file", check_exports}};
}

}  // namespace defiance
