#pragma once

#include <filesystem>
#include <string>

#include <defiance/base/file.hpp>
#include <defiance/base/library.hpp>
#include <defiance/base/system.hpp>

#include "../base/temporary.hpp"

namespace defiance {

/// A folder with the fake driver (tests/egdb/fake_driver.cpp) under the name that engines look
/// for. The driver is loaded for as long as this lives.
class DriverFolder {
public:
    DriverFolder() {
        std::filesystem::copy_file(folder_of(module_path()) + DEFIANCE_FAKE_DRIVER, driver_path());
        Result<Library> loaded = Library::load(driver_path());
        if (loaded) driver_ = *std::move(loaded);
    }

    [[nodiscard]] std::string path() const { return folder_.path() + '/'; }
    [[nodiscard]] std::string driver_path() const {
        return path() + (sizeof(void*) == 8 ? "egdb64.dll" : "egdb.dll");
    }
    /// How often the driver was asked so far.
    [[nodiscard]] int look_ups() const { return driver_.find<int (*)()>("fake_look_ups")(); }

private:
    TemporaryFolder folder_;
    Library driver_;  // gone before the folder is removed
};

}  // namespace defiance
