#pragma once

#include <string>
#include <utility>
#include <variant>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Why something could not be done, as one clear line for the user, without a final stop.
struct Error {
    std::string text;
};

/// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::move(value)) {}      // NOLINT: meant to convert
    Result(Error error) : content_(std::move(error)) {}  // NOLINT: meant to convert

    [[nodiscard]] explicit operator bool() const { return content_.index() == 0; }
    /// The value; there must be one.
    [[nodiscard]] const T& operator*() const& {
        DEFIANCE_ASSERT(*this);
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] T&& operator*() && {
        DEFIANCE_ASSERT(*this);
        return std::move(*std::get_if<0>(&content_));
    }
    [[nodiscard]] const T* operator->() const {
        DEFIANCE_ASSERT(*this);
        return std::get_if<0>(&content_);
    }
    /// The reason; there must be no value.
    [[nodiscard]] const std::string& error() const {
        DEFIANCE_ASSERT(!*this);
        return std::get_if<1>(&content_)->text;
    }

private:
    std::variant<T, Error> content_;
};

}  // namespace defiance
