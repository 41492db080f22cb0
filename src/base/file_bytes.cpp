#include <defiance/base/file_bytes.hpp>

#include <algorithm>

#include <defiance/base/file.hpp>

#ifdef _WIN32
#include <windows.h>
#include <winioctl.h>

#include <array>

#include "windows_text.hpp"
#endif

namespace defiance {
namespace {

#ifdef _WIN32

/// Disks that are built in. Sticks, cards and disks outside have other buses.
bool is_internal(STORAGE_BUS_TYPE bus) {
    switch (bus) {
        case BusTypeScsi:
        case BusTypeAtapi:
        case BusTypeAta:
        case BusTypeRAID:
        case BusTypeSas:
        case BusTypeSata:
        case static_cast<STORAGE_BUS_TYPE>(17):  // NVMe, which the headers of Windows 7 lack
            return true;
        default:
            return false;
    }
}

/// A handle that closes itself.
class OpenHandle {
public:
    OpenHandle(const std::wstring& path, DWORD access)
        : handle_(CreateFileW(path.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                              OPEN_EXISTING, 0, nullptr)) {}
    ~OpenHandle() {
        if (handle_ != INVALID_HANDLE_VALUE) CloseHandle(handle_);
    }
    OpenHandle(const OpenHandle&) = delete;
    OpenHandle& operator=(const OpenHandle&) = delete;

    [[nodiscard]] explicit operator bool() const { return handle_ != INVALID_HANDLE_VALUE; }
    [[nodiscard]] HANDLE get() const { return handle_; }

private:
    HANDLE handle_;
};

/// The drive on which a file really lies, links followed, such as "C:"; empty when it has no letter
/// or the file may be somewhere else, as with those that are fetched when they are read.
std::wstring drive_of(const std::wstring& path) {
    const OpenHandle file(path, FILE_READ_ATTRIBUTES);
    BY_HANDLE_FILE_INFORMATION information{};
    if (!file || GetFileInformationByHandle(file.get(), &information) == 0) return {};
    constexpr DWORD recall_on_data_access = 0x400000;
    if ((information.dwFileAttributes &
         (FILE_ATTRIBUTE_OFFLINE | FILE_ATTRIBUTE_REPARSE_POINT | recall_on_data_access)) != 0)
        return {};
    std::array<wchar_t, 1024> buffer{};
    const DWORD length = GetFinalPathNameByHandleW(
        file.get(), buffer.data(), static_cast<DWORD>(buffer.size()), VOLUME_NAME_DOS);
    const std::wstring prefix = L"\\\\?\\";
    if (length < prefix.size() + 2 || length >= buffer.size()) return {};
    const std::wstring final_path(buffer.data(), length);
    if (!final_path.starts_with(prefix) || final_path[prefix.size() + 1] != L':') return {};
    return final_path.substr(prefix.size(), 2);
}

/// True when the system says that the disk of this volume, or the medium in it, may be taken out
/// while it runs, or does not say: a disk outside can have the bus of one inside (Thunderbolt,
/// eSATA).
bool may_be_pulled_out(const OpenHandle& volume) {
    STORAGE_HOTPLUG_INFO info{};
    DWORD size = 0;
    const bool is_known = DeviceIoControl(volume.get(), IOCTL_STORAGE_GET_HOTPLUG_INFO, nullptr, 0,
                                          &info, sizeof info, &size, nullptr) != 0;
    if (!is_known || size < sizeof info) return true;
    return info.MediaRemovable || info.MediaHotplug || info.DeviceHotplug;
}

/// The bus of a drive such as "C:"; nothing for one that may be pulled out.
std::optional<STORAGE_BUS_TYPE> bus_of(const std::wstring& drive) {
    const OpenHandle volume(L"\\\\.\\" + drive, 0);
    if (!volume || may_be_pulled_out(volume)) return std::nullopt;
    STORAGE_PROPERTY_QUERY query{};
    query.PropertyId = StorageDeviceProperty;
    query.QueryType = PropertyStandardQuery;
    STORAGE_DEVICE_DESCRIPTOR descriptor{};
    DWORD size = 0;
    const bool is_known =
        DeviceIoControl(volume.get(), IOCTL_STORAGE_QUERY_PROPERTY, &query, sizeof query,
                        &descriptor, sizeof descriptor, &size, nullptr) != 0;
    if (!is_known || size < sizeof descriptor || descriptor.RemovableMedia) return std::nullopt;
    return descriptor.BusType;
}

#endif

/// Reads all of it once. A sector that cannot be read is an error here; in a mapped file it would
/// end the program.
bool can_be_read(const RandomAccessFile& file) {
    constexpr std::uint64_t step = 1 << 20;
    std::vector<std::uint8_t> buffer(step);
    for (std::uint64_t offset = 0; offset < file.size(); offset += step) {
        const auto size = static_cast<std::size_t>(std::min(step, file.size() - offset));
        if (!file.read_at(offset, std::span(buffer).first(size))) return false;
    }
    return true;
}

}  // namespace

bool can_be_mapped_safely([[maybe_unused]] const std::string& path) {
#ifdef _WIN32
    const std::wstring drive = drive_of(to_utf16(path));
    if (drive.empty() || GetDriveTypeW((drive + L'\\').c_str()) != DRIVE_FIXED) return false;
    const auto bus = bus_of(drive);
    return bus && is_internal(*bus);
#else
    return false;
#endif
}

Result<FileBytes> FileBytes::open(const std::string& path) {
    Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    FileBytes bytes(*std::move(file));
    // A small file is read sooner than it is known where it lies.
    constexpr std::uint64_t min_mapped = 4 << 20;
    if (bytes.file_.size() >= min_mapped && can_be_mapped_safely(path)) {
        if (!can_be_read(bytes.file_)) return file_error(path, "cannot be read");
        Result<MappedFile> mapped = MappedFile::open(path);
        if (mapped) {
            bytes.mapped_ = *std::move(mapped);
            return bytes;
        }
    }
    auto read = bytes.file_.read_part(0, bytes.file_.size());
    if (!read) return Error{path + ": " + read.error()};
    bytes.read_ = *std::move(read);
    return bytes;
}

}  // namespace defiance
