#include <string>
#include <utility>

#include <defiance/cb/checkerboard_engine.hpp>

#include "reply.hpp"

namespace defiance {

Reply CheckerBoardEngine::set_book_file(std::string_view text) {
    return set_path(book_file_option, text, engine_.book_file(),
                    [&](std::string path) { return engine_.set_book_file(std::move(path)); });
}

Reply CheckerBoardEngine::set_evaluation_file(std::string_view text) {
    return set_path(evaluation_file_option, text, engine_.evaluation_file(),
                    [&](std::string path) { return engine_.set_evaluation_file(std::move(path)); });
}

}  // namespace defiance
