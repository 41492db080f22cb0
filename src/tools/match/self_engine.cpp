#include <tools/match/self_engine.hpp>

#include <defiance/cb/host.hpp>

namespace defiance {
namespace {

class SelfEngine : public EngineCalls {
public:
    explicit SelfEngine(const GameCore& core) : engine_(core, "", "") {}

    EngineReply command(std::string_view text) const override {
        Reply reply = engine_.answer(text);
        return {reply.code, std::move(reply.text), {}, false};
    }

    int get_move(CbBoard& board, int color, const MoveRequest& request) const override {
        return engine_.get_move(board.squares, color, request.seconds, request.status,
                                request.play_now, request.info, request.more_info, request.move);
    }

    bool has_is_legal() const override { return true; }
    int is_legal(CbBoard board, int color, int from, int to, CBmove* move) const override {
        return engine_.is_legal(board.squares, color, from, to, move);
    }

private:
    mutable CheckerBoardEngine engine_;  // as an engine file it serves any thread
};

}  // namespace

std::unique_ptr<EngineCalls> make_self_engine(const GameCore& core) {
    return std::make_unique<SelfEngine>(core);
}

}  // namespace defiance
