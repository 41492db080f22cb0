#pragma once

#include <string>
#include <string_view>

#include <defiance/base/library.hpp>
#include <tools/support/engine_calls.hpp>

namespace defiance {

/// Any CheckerBoard engine, loaded from a DLL or shared object. Unloaded with the
/// object.
///
/// The calls go straight to the engine, on the thread they are made on.
class EngineDll final : public EngineCalls {
public:
    EngineDll() = default;
    /// Loads the file. Empty afterwards when it cannot be loaded or does not export what an engine
    /// must; `problem` then says why.
    EngineDll(const std::string& path, std::string& problem);

    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(library_); }

    /// Sends a command, in memory of its own that ends with the end mark. The reply buffer has the
    /// 1024 bytes of the API and behind them a margin in which an overflow shows.
    [[nodiscard]] EngineReply command(std::string_view text) const override;
    int get_move(CbBoard& board, int color, const MoveRequest& request) const override;
    [[nodiscard]] bool has_is_legal() const override { return is_legal_ != nullptr; }
    [[nodiscard]] int is_legal(CbBoard board, int color, int from, int to,
                               CBmove* move) const override;

private:
    using GetMove = int(DEFIANCE_CALL*)(int[8][8], int, double, char*, int*, int, int, CBmove*);
    using Command = int(DEFIANCE_CALL*)(char*, char*);
    using IsLegal = int(DEFIANCE_CALL*)(int[8][8], int, int, int, CBmove*);

    Library library_;
    GetMove get_move_ = nullptr;
    Command command_ = nullptr;
    IsLegal is_legal_ = nullptr;
};

}  // namespace defiance
