// Files with secrets.

#include <catch2/catch.hpp>

#include <filesystem>
#include <iterator>
#include <optional>
#include <string>

#include <defiance/base/file.hpp>

#include "temporary.hpp"

#ifdef _WIN32
#include <windows.h>

#include <vector>
#else
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

using namespace defiance;

namespace {

std::string text_of_private(const std::string& path) {
    const Result<std::string> content = read_file(path);
    return content ? *content : content.error();
}

#ifdef _WIN32

/// Whether the rights of the file are for the user of this program, its owner and Windows only.
bool is_for_user_only(const std::string& path) {
    DWORD size = 0;
    GetFileSecurityA(path.c_str(), DACL_SECURITY_INFORMATION, nullptr, 0, &size);
    std::vector<char> descriptor(size);
    BOOL is_present = FALSE;
    BOOL is_default = FALSE;
    PACL list = nullptr;
    HANDLE token = nullptr;
    REQUIRE(GetFileSecurityA(path.c_str(), DACL_SECURITY_INFORMATION, descriptor.data(), size,
                             &size) != 0);
    REQUIRE(GetSecurityDescriptorDacl(descriptor.data(), &is_present, &list, &is_default) != 0);
    REQUIRE(OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) != 0);
    alignas(TOKEN_USER) char user[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
    REQUIRE(GetTokenInformation(token, TokenUser, user, sizeof user, &size) != 0);
    CloseHandle(token);
    if (is_present == 0 || list == nullptr) return false;
    char system[SECURITY_MAX_SID_SIZE];
    size = sizeof system;
    REQUIRE(CreateWellKnownSid(WinLocalSystemSid, nullptr, system, &size) != 0);
    char owner[SECURITY_MAX_SID_SIZE];
    size = sizeof owner;
    REQUIRE(CreateWellKnownSid(WinCreatorOwnerRightsSid, nullptr, owner, &size) != 0);
    for (DWORD i = 0; i < list->AceCount; ++i) {
        void* entry = nullptr;
        REQUIRE(GetAce(list, i, &entry) != 0);
        auto* const allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
        if (allowed->Header.AceType != ACCESS_ALLOWED_ACE_TYPE) continue;
        if (EqualSid(&allowed->SidStart, reinterpret_cast<TOKEN_USER*>(user)->User.Sid) == 0 &&
            EqualSid(&allowed->SidStart, system) == 0 && EqualSid(&allowed->SidStart, owner) == 0)
            return false;
    }
    return true;
}

#else

bool is_for_user_only(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && (status.st_mode & 0777) == 0600;
}

#endif

}  // namespace

TEST_CASE("only the user can read a secret, which is written once", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/secret";
    const std::optional<Error> problem = write_private_file(path, "0123456789");
    INFO((problem ? problem->text : ""));
    REQUIRE_FALSE(problem);
    CHECK(text_of_private(path) == "0123456789");
    CHECK(is_for_user_only(path));
    const std::optional<Error> again = write_private_file(path, "another");
    REQUIRE(again);
    CHECK(again->text.starts_with("the file '" + path + "' cannot be written: "));
    CHECK(text_of_private(path) == "0123456789");
    CHECK(write_private_file(folder.path() + "/no/secret", "0123456789"));
    // No part is left.
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

#ifndef _WIN32
TEST_CASE("a program that is killed while it writes a secret leaves none that is cut", "[base]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/secret";
    const pid_t child = ::fork();
    if (child == 0) {
        // The system kills it when it writes the first byte.
        const rlimit none = {0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        ::setrlimit(RLIMIT_FSIZE, &none);
        std::signal(SIGXFSZ, SIG_DFL);
        static_cast<void>(write_private_file(path, "0123456789"));
        ::_exit(0);
    }
    REQUIRE(child > 0);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGXFSZ);
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK_FALSE(write_private_file(path, "0123456789"));
    CHECK(text_of_private(path) == "0123456789");
}
#endif
