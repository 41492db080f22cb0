#pragma once

#include <defiance/cb/api.hpp>
#include <defiance/engine/claim.hpp>

namespace defiance {

/// What getmove returns for a claim.
[[nodiscard]] constexpr int code_of(Claim claim) {
    switch (claim) {
        case Claim::win:
            return cb_win;
        case Claim::loss:
            return cb_loss;
        case Claim::draw:
            return cb_draw;
        default:
            return cb_unknown;
    }
}

}  // namespace defiance
