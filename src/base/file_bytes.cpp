#include <defiance/base/file_bytes.hpp>

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

/// Disks that are built in. Sticks and cards have other buses, disks of the network and of virtual
/// machines that are files have none of these either.
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

/// The bus of a volume given as "\\.\C:".
std::optional<STORAGE_BUS_TYPE> bus_of(const std::wstring& volume) {
    const HANDLE device = CreateFileW(volume.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                      nullptr, OPEN_EXISTING, 0, nullptr);
    if (device == INVALID_HANDLE_VALUE) return std::nullopt;
    STORAGE_PROPERTY_QUERY query{};
    query.PropertyId = StorageDeviceProperty;
    query.QueryType = PropertyStandardQuery;
    STORAGE_DEVICE_DESCRIPTOR descriptor{};
    DWORD size = 0;
    const bool is_known = DeviceIoControl(device, IOCTL_STORAGE_QUERY_PROPERTY, &query,
                                          sizeof query, &descriptor, sizeof descriptor, &size,
                                          nullptr) != 0;
    CloseHandle(device);
    if (!is_known || size < sizeof descriptor || descriptor.RemovableMedia) return std::nullopt;
    return descriptor.BusType;
}

#endif

}  // namespace

bool can_be_mapped_safely([[maybe_unused]] const std::string& path) {
#ifdef _WIN32
    std::array<wchar_t, MAX_PATH + 1> root{};
    if (GetVolumePathNameW(to_utf16(path).c_str(), root.data(), MAX_PATH) == 0) return false;
    // A folder into which another volume is mounted is left alone: only letters are asked about.
    const std::wstring volume = root.data();
    if (volume.size() != 3 || volume[1] != L':' || GetDriveTypeW(root.data()) != DRIVE_FIXED)
        return false;
    const auto bus = bus_of(L"\\\\.\\" + volume.substr(0, 2));
    return bus && is_internal(*bus);
#else
    return false;
#endif
}

Result<FileBytes> FileBytes::open(const std::string& path) {
    Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    FileBytes bytes(*std::move(file));
    if (can_be_mapped_safely(path)) {
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
