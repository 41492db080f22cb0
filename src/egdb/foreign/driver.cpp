#include <algorithm>
#include <mutex>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/encoding.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/library.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/board.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/italian.hpp>

#include "driver_interface.hpp"
#include "readers.hpp"

namespace defiance {
namespace {

constexpr SquareOrder to_driver([](Coordinate c) { return English::square_number(c) - 1; });
// Some squares in Italian, by the numbers that the driver expects.
static_assert(to_driver(bit(Numbering<Italian>::index(4))) == 1);
static_assert(to_driver(bit(Numbering<Italian>::index(1))) == 1 << 3);
static_assert(to_driver(bit(Numbering<Italian>::index(8))) == 1 << 4);
static_assert(to_driver(bit(Numbering<Italian>::index(29))) == Bitboard{1} << 31);

/// What a database tells.
enum class Content : std::uint8_t { wld, dtc, dtw };

struct KindOfDatabase {
    driver::Kind kind;
    int game_type;
    Content content;
    const char* author;
};

constexpr KindOfDatabase known_kinds[] = {
    {driver::cake, English::game_type, Content::wld, "Cake"},
    {driver::chinook, English::game_type, Content::wld, "Chinook"},
    {driver::kingsrow_1, English::game_type, Content::wld, "Kingsrow"},
    {driver::kingsrow_2, English::game_type, Content::wld, "Kingsrow"},
    {driver::kingsrow_conversion, English::game_type, Content::dtc, "Kingsrow"},
    {driver::kingsrow_end, English::game_type, Content::dtw, "Kingsrow"},
    {driver::chinook_italian, Italian::game_type, Content::wld, "Chinook"},
    {driver::kingsrow_italian_1, Italian::game_type, Content::wld, "Kingsrow"},
    {driver::kingsrow_italian_2, Italian::game_type, Content::wld, "Kingsrow"},
    {driver::kingsrow_italian_conversion, Italian::game_type, Content::dtc, "Kingsrow"},
    {driver::kingsrow_italian_end, Italian::game_type, Content::dtw, "Kingsrow"},
};

Error folder_error(const std::string& folder, const std::string& problem) {
    return Error{"the folder '" + shown(folder, 200) + "' " + problem};
}

/// The messages of the driver do not say which database they are about.
void ignore_message(char*) {}

/// The driver in memory.
class Driver {
public:
    static Result<std::shared_ptr<const Driver>> load(const std::string& path) {
        auto driver = std::make_shared<Driver>();
        Result<Library> library = Library::load(path);
        if (!library)
            return Error{"the driver for endgame databases cannot be loaded: " +
                         shown(library.error(), 300)};
        driver->library_ = *std::move(library);
        driver->identify = driver->library_.find<driver::Identify*>("egdb_identify");
        driver->open = driver->library_.find<driver::Open*>("egdb_open");
        if (driver->identify == nullptr || driver->open == nullptr)
            return file_error(path, "is no driver for endgame databases");
        return std::shared_ptr<const Driver>(std::move(driver));
    }

    driver::Identify* identify = nullptr;
    driver::Open* open = nullptr;

private:
    Library library_;
};

/// Held while a driver opens or closes databases: nothing says that it can do so in two threads.
/// One for all of the program, because those who load the same file share the driver's state.
std::mutex& driver_mutex() {
    static std::mutex mutex;
    return mutex;
}

/// The driver opens files in ANSI.
std::string name_for_driver(const std::string& folder) {
    return ansi_from_utf8(path_for_ansi(folder).value_or(folder));
}

/// What the driver knows in a folder.
struct KnownDatabases {
    const KindOfDatabase* kind;
    int pieces;  // as many as are asked for, 2 or more
};

/// Databases of this game with values, or else with distances. Error: the folder has none.
Result<KnownDatabases> find_databases(const Driver& driver, const std::string& folder,
                                      const DriverRequest& request, bool with_values) {
    int number = -1;
    int pieces = 0;
    const std::string name = name_for_driver(folder);
    std::unique_lock lock(driver_mutex());
    if (driver.identify(name.c_str(), &number, &pieces) != 0)
        return folder_error(folder, "has no endgame databases that the driver knows");
    lock.unlock();
    const auto* const kind =
        std::find_if(std::begin(known_kinds), std::end(known_kinds), [&](const auto& known) {
            return known.kind == number && known.game_type == request.game_type &&
                   (known.content == Content::wld) == with_values;
        });
    if (kind == std::end(known_kinds))
        return folder_error(
            folder, with_values ? "has no endgame databases of this game with wins and losses"
                                : "has no endgame databases of this game with distances");
    pieces = std::min(pieces, request.max_pieces);
    if (pieces < 2)
        return folder_error(folder, "has no endgame databases of as few pieces as are looked up");
    return KnownDatabases{kind, pieces};
}

/// Databases of one kind in one folder, open.
class OpenFolder {
public:
    static Result<OpenFolder> open(std::shared_ptr<const Driver> driver, const std::string& folder,
                                   const KnownDatabases& databases, std::uint64_t memory);

    OpenFolder(OpenFolder&& other) noexcept
        : driver_(std::move(other.driver_)),
          handle_(std::exchange(other.handle_, nullptr)),
          kind_(other.kind_),
          pieces_(other.pieces_) {}
    OpenFolder& operator=(OpenFolder&&) = delete;
    OpenFolder(const OpenFolder&) = delete;
    OpenFolder& operator=(const OpenFolder&) = delete;
    ~OpenFolder() {
        if (handle_ == nullptr) return;
        const std::lock_guard lock(driver_mutex());
        handle_->close(handle_);
    }

    [[nodiscard]] const KindOfDatabase& kind() const { return *kind_; }
    [[nodiscard]] int pieces() const { return pieces_; }

    /// The answer of the driver; 0, which means unknown, when there are too many pieces.
    [[nodiscard]] int look_up(const Position& p) const {
        if (p.black == 0 || p.white == 0 || count(p.occupied()) > pieces_) return 0;
        DEFIANCE_ASSERT((p.black & p.white) == 0 && handle_ != nullptr);
        driver::Board board = {to_driver(p.black), to_driver(p.white), to_driver(p.kings), 0};
        return handle_->look_up(handle_, &board, p.side == Side::black ? 0 : 1, 0);
    }

private:
    OpenFolder(std::shared_ptr<const Driver> driver, driver::Handle* handle,
               const KindOfDatabase& kind, int pieces)
        : driver_(std::move(driver)), handle_(handle), kind_(&kind), pieces_(pieces) {}

    std::shared_ptr<const Driver> driver_;  // loaded for as long as the handle is open
    driver::Handle* handle_;
    const KindOfDatabase* kind_;
    int pieces_;
};

Result<OpenFolder> OpenFolder::open(std::shared_ptr<const Driver> driver, const std::string& folder,
                                    const KnownDatabases& databases, std::uint64_t memory) {
    DEFIANCE_ASSERT(databases.pieces >= 2);
    constexpr std::uint64_t max_mebibytes = sizeof(void*) == 4 ? 1 << 10 : 1 << 20;
    const auto mebibytes = static_cast<int>(std::min(memory >> 20, max_mebibytes));
    const std::string name = name_for_driver(folder);
    const std::lock_guard lock(driver_mutex());
    driver::Handle* const handle = driver->open(driver::normal_board, databases.pieces, mebibytes,
                                                name.c_str(), ignore_message);
    if (handle == nullptr || handle->look_up == nullptr || handle->close == nullptr)
        return folder_error(folder,
                            "has endgame databases that the driver cannot open: a file may be "
                            "missing or damaged, or memory too little");
    return OpenFolder(std::move(driver), handle, *databases.kind, databases.pieces);
}

/// One line about distances that go with no values.
std::string description_of_distances(const OpenFolder& distances, const std::string& folder) {
    return std::string(distances.kind().author) + ", distances of " +
           std::to_string(distances.pieces()) + " pieces, in " + folder;
}

/// Values, distances or both.
class DriverDatabase final : public ForeignDatabase {
public:
    /// To be called before add_distances.
    void add_values(OpenFolder values, const std::string& folder) {
        DEFIANCE_ASSERT(!values_ && !distances_);
        values_.emplace(std::move(values));
        description_ = std::string(values_->kind().author) + ", " +
                       std::to_string(values_->pieces()) + " pieces, in " + folder;
    }

    void add_distances(OpenFolder distances, const std::string& folder) {
        DEFIANCE_ASSERT(!distances_);
        distances_.emplace(std::move(distances));
        if (values_)
            description_ +=
                ", distances of " + std::to_string(distances_->pieces()) + " in " + folder;
        else
            description_ = description_of_distances(*distances_, folder);
    }

    [[nodiscard]] int pieces() const override { return values_ ? values_->pieces() : 0; }
    [[nodiscard]] const std::string& description() const override { return description_; }

    [[nodiscard]] std::optional<Wld> probe(const Position& position) const override {
        if (!values_) return std::nullopt;
        switch (values_->look_up(position)) {
            case driver::win:
                return Wld::win;
            case driver::loss:
                return Wld::loss;
            case driver::draw:
                return Wld::draw;
            default:
                return std::nullopt;
        }
    }

    [[nodiscard]] std::optional<int> dtw(const Position& position, Wld wld) const override {
        DEFIANCE_ASSERT(wld != Wld::draw);
        if (!has_dtw()) return std::nullopt;
        // The answer is half of the plies, rounded down: the moves that the side that loses still
        // has.
        const int answer = distances_->look_up(position);
        if (answer <= 0 || answer > max_moves) return std::nullopt;
        return 2 * answer + (wld == Wld::win ? 1 : 0);
    }

    [[nodiscard]] std::optional<int> dtc(const Position& position) const override {
        if (!distances_ || distances_->kind().content != Content::dtc) return std::nullopt;
        const int answer = distances_->look_up(position);
        if (answer == driver::below_ten) return dtc_below_ten;
        if (answer < driver::min_plies) return std::nullopt;
        return answer;
    }

    [[nodiscard]] bool has_dtw() const override {
        return distances_ && distances_->kind().content == Content::dtw;
    }

private:
    /// A larger answer can only come from a damaged database.
    static constexpr int max_moves = 10'000;

    std::optional<OpenFolder> values_;
    std::optional<OpenFolder> distances_;
    std::string description_;
};

Result<OpenFolder> open_distances(const std::shared_ptr<const Driver>& driver,
                                  const DriverRequest& request, std::uint64_t memory) {
    const Result<KnownDatabases> known =
        find_databases(*driver, request.distance_folder, request, false);
    if (!known) return Error{known.error()};
    return OpenFolder::open(driver, request.distance_folder, *known, memory);
}

}  // namespace

Result<OpenedByDriver> open_with_driver(const DriverRequest& request) {
    const Result<std::shared_ptr<const Driver>> driver = Driver::load(request.driver);
    if (!driver) return Error{driver.error()};
    OpenedByDriver opened;
    const Result<KnownDatabases> known = find_databases(**driver, request.folder, request, true);
    if (!known) {
        opened.warning = known.error();
        return opened;
    }
    const bool has_distances = !request.distance_folder.empty();
    const std::uint64_t for_distances = has_distances ? request.memory / 4 : 0;
    Result<OpenFolder> values =
        OpenFolder::open(*driver, request.folder, *known, request.memory - for_distances);
    if (!values) return Error{values.error()};
    auto database = std::make_unique<DriverDatabase>();
    database->add_values(*std::move(values), request.folder);
    if (has_distances) {
        Result<OpenFolder> distances = open_distances(*driver, request, for_distances);
        if (distances)
            database->add_distances(*std::move(distances), request.distance_folder);
        else
            opened.warning = distances.error();
    }
    opened.database = std::move(database);
    return opened;
}

Result<std::unique_ptr<ForeignDatabase>> open_distances_with_driver(const DriverRequest& request) {
    const Result<std::shared_ptr<const Driver>> driver = Driver::load(request.driver);
    if (!driver) return Error{driver.error()};
    Result<OpenFolder> distances = open_distances(*driver, request, request.memory);
    if (!distances) return Error{distances.error()};
    auto database = std::make_unique<DriverDatabase>();
    database->add_distances(*std::move(distances), request.distance_folder);
    return std::unique_ptr<ForeignDatabase>(std::move(database));
}

Result<std::string> describe_distances_with_driver(const DriverRequest& request) {
    const Result<std::shared_ptr<const Driver>> driver = Driver::load(request.driver);
    if (!driver) return Error{driver.error()};
    const Result<OpenFolder> distances = open_distances(*driver, request, request.memory);
    if (!distances) return Error{distances.error()};
    return description_of_distances(*distances, request.distance_folder);
}

}  // namespace defiance
