#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tools/http/client.hpp>
#include <tools/posdb/scoring_pool.hpp>
#include <tools/posdb/write_token.hpp>

namespace defiance {

/// Takes jobs from a server of the position database over HTTP, see 'defiance help work'.
class HttpJobSource : public JobSource {
public:
    HttpJobSource(HttpUrl url, WriteSecret secret)
        : url_(std::move(url)), secret_(std::move(secret)), client_(url_.host, url_.port) {}

    Result<std::vector<ScoringJob>> next() override;
    std::optional<DeliveryFailure> deliver(const ScoringJob& job,
                                           const std::vector<KnownMove>& moves) override;
    void give_back(const ScoringJob&) override {}

private:
    [[nodiscard]] Result<std::string> post(const std::string& form);

    HttpUrl url_;
    WriteSecret secret_;
    HttpClient client_;
};

}  // namespace defiance
