// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scratch folders that clean up after themselves, and after processes that could not.
#include "suite/compile/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <regex>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/compile/amount.hpp"
#include "suite/compile/content.hpp"

namespace podium::compile {
namespace {

namespace fs = std::filesystem;
constexpr auto settling =
    std::chrono::minutes(10);  // between the making of a folder and its lock passes far less
// As long as a process of another machine is taken for alive: longer than clusters let a job run.
constexpr auto longest_job = std::chrono::hours(14 * 24);

std::string first_bytes(const fs::path& file, std::size_t most) {
  std::string text(most, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), std::streamsize(most));
  text.resize(std::size_t(stream.gcount()));
  return text;
}

fs::path seal_of(const fs::path& product) { return product.string() + ".sha256"; }

// This machine since it was started; containers on it have the same. Process ids are of a machine.
const std::string& this_machine() {
  constexpr std::size_t enough = 8;  // digits
  static const std::string id = first_bytes("/proc/sys/kernel/random/boot_id", enough);
  return id;
}
std::string this_process() { return fmt::format("{}.{}", this_machine(), ::getpid()); }

// Whether the process that a name in the cache belongs to may be one of another machine, whose locks count
// for nothing here.
bool is_elsewhere(const fs::path& name, fs::file_time_type since) {
  return !name.filename().string().starts_with(this_machine() + ".") &&
         fs::file_time_type::clock::now() - since < longest_job;
}

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw Error(
      fmt::format("{}: {}; free space, or let PODIUM_CACHE name another folder", path.string(), what));
}

// Removes what killed processes left behind: folders that are old enough and locked by nobody.
void remove_stale(const fs::path& all) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(all, ignored)) {
    const auto since = entry.last_write_time(ignored);
    if (ignored || fs::file_time_type::clock::now() - since < settling || is_elsewhere(entry.path(), since))
      continue;
    const Descriptor lock(::open((entry.path() / "lock").c_str(), O_RDWR | O_CLOEXEC));
    if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
    fs::remove_all(entry.path(), ignored);
  }
}

// All files of an entry are called <name>.<32 hexadecimal digits>.<suffix>.
std::string entry_of(const fs::path& file) {
  static const std::regex form("(.*\\.[0-9a-f]{32})\\..*");
  const auto name = file.filename().string();
  std::smatch parts;
  return std::regex_match(name, parts, form) ? (file.parent_path() / parts[1].str()).string() : "";
}

struct Entry {
  fs::file_time_type used = fs::file_time_type::min();
  std::int64_t bytes = 0;
  std::vector<fs::path> files;
};

std::map<std::string, Entry> entries_of(const fs::path& cache) {
  std::map<std::string, Entry> all;
  std::error_code gone;
  for (const auto& folder : fs::directory_iterator(cache, gone)) {
    if (!folder.is_directory(gone) || folder.path().filename() == "scratch") continue;
    for (const auto& file : fs::directory_iterator(folder, gone)) {
      const auto name = entry_of(file.path());
      if (name.empty() || !file.is_regular_file(gone)) continue;
      auto& entry = all[name];
      entry.used = std::max(entry.used, file.last_write_time(gone));
      entry.bytes += static_cast<std::int64_t>(file.file_size(gone));
      entry.files.push_back(file.path());
    }
  }
  return all;
}

Descriptor locked(const fs::path& file, int how) {
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (lock && ::flock(lock.get(), how) != 0) lock.reset();
  return lock;
}

// When the process began that has used the cache longest.
fs::file_time_type oldest_user(const fs::path& users) {
  auto oldest = fs::file_time_type::max();
  std::error_code gone;
  for (const auto& user : fs::directory_iterator(users, gone)) {
    const auto since = user.last_write_time(gone);
    if (gone) continue;
    if (is_elsewhere(user.path(), since) || !locked(user.path(), LOCK_EX | LOCK_NB))
      oldest = std::min(oldest, since);
    else
      fs::remove(user.path(), gone);  // its process has ended
  }
  return oldest;
}

// A process's entry among the users of a cache, which it takes back unless it is killed.
class Presence {
 public:
  explicit Presence(fs::path file)
      : file_(std::move(file)), owner_(::getpid()), lock_(locked(file_, LOCK_SH)) {}
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;
  ~Presence() {
    if (!lock_ || owner_ != ::getpid()) return;  // a forked child's copy
    // Unless a process of the same number, in another container, has it too.
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(file_.c_str());
  }

 private:
  fs::path file_;
  pid_t owner_;
  Descriptor lock_;
};

// When it was last used, as its file system knows: a network file system asks its server at open().
fs::file_time_type used_by_now(const Entry& entry) {
  auto used = entry.used;
  for (const auto& file : entry.files) {
    const Descriptor asked(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::error_code gone;
    const auto time = fs::last_write_time(file, gone);
    if (asked && !gone) used = std::max(used, time);
  }
  return used;
}

}  // namespace

Cache::Cache(fs::path folder) : folder_(std::move(folder)) {
  static std::map<fs::path, Presence> used;  // till this process ends
  if (used.contains(folder_)) return;
  std::error_code ignored;
  if (!fs::exists(folder_, ignored) || ::access(folder_.c_str(), W_OK) != 0) return;
  make_folder(folder_ / "users");
  const auto lock = looking_up();  // nobody takes the new file for one of a process that has ended
  used.try_emplace(folder_, folder_ / "users" / this_process());
}

Descriptor Cache::looking_up() const { return locked(folder_ / "lock", LOCK_SH); }

void Cache::use(const fs::path& product) { ::utimensat(AT_FDCWD, product.c_str(), nullptr, 0); }

Cache::Contents Cache::contents() const {
  Contents sum;
  for (const auto& [name, entry] : entries_of(folder_)) {
    ++sum.entries;
    sum.bytes += entry.bytes;
  }
  return sum;
}

std::int64_t Cache::limit() const {
  constexpr std::int64_t usual = std::int64_t{20} << 30;
  const auto read = [](const std::string& text, const std::string& where) {
    if (const auto bytes = parse_amount(text)) return *bytes;
    throw Error(fmt::format("{}: found '{}', expected an amount such as 20GiB", where, text));
  };
  if (const char* stated = std::getenv("PODIUM_CACHE_LIMIT"); stated && *stated)
    return read(stated, "PODIUM_CACHE_LIMIT");
  const auto file = folder_ / "limit";
  std::string text;
  if (std::ifstream in(file); std::getline(in, text)) return read(text, file.string());
  return usual;
}

void Cache::set_limit(std::int64_t bytes) const {
  write_private(folder_ / "limit", fmt::format("{}\n", bytes));
}

Cache::Contents Cache::trim(std::int64_t most) const {
  Contents removed;
  const auto lock = locked(folder_ / "lock", LOCK_EX);
  if (!lock) return removed;
  const auto kept_since = oldest_user(folder_ / "users");
  const auto all = entries_of(folder_);
  std::int64_t left = 0;
  std::vector<const Entry*> oldest_first;
  for (const auto& [name, entry] : all) {
    left += entry.bytes;
    oldest_first.push_back(&entry);
  }
  std::ranges::sort(oldest_first, {}, &Entry::used);
  for (const auto* entry : oldest_first) {
    if (left <= most || entry->used >= kept_since) break;
    if (used_by_now(*entry) >= kept_since) continue;
    std::error_code gone;
    for (const auto& file : entry->files) fs::remove(file, gone);
    left -= entry->bytes;
    removed.bytes += entry->bytes;
    ++removed.entries;
  }
  return removed;
}

fs::path default_cache() {
  const auto set = [](const char* name) { return std::getenv(name) && *std::getenv(name); };
  if (set("PODIUM_CACHE")) return std::getenv("PODIUM_CACHE");
  if (set("XDG_CACHE_HOME")) return fs::path(std::getenv("XDG_CACHE_HOME")) / "podium";
  if (set("HOME")) return fs::path(std::getenv("HOME")) / ".cache" / "podium";
  throw Error(
      "no folder for compiled contestants: neither PODIUM_CACHE, XDG_CACHE_HOME nor HOME is set; set one");
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder.parent_path(), failure);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && (errno != EEXIST || !fs::is_directory(folder)))
    refuse(folder, fmt::format("cannot be created: {}", std::strerror(errno)));
}

Scratch::Scratch(const fs::path& cache) {
  const auto all = cache / "scratch";
  make_folder(all);
  remove_stale(all);
  auto name = (all / (this_process() + ".XXXXXX")).string();
  if (!::mkdtemp(name.data())) refuse(all, fmt::format("is not writable: {}", std::strerror(errno)));
  folder_ = name;
  lock_.reset(::open((folder_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_) refuse(folder_, fmt::format("is not writable: {}", std::strerror(errno)));
  ::flock(lock_.get(), LOCK_EX | LOCK_NB);
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Scratch::write(const fs::path& name, const std::string& text) const {
  make_folder((folder_ / name).parent_path());
  write_private(folder_ / name, text);
}

Descriptor part_of(const fs::path& file, std::string& part) {
  constexpr std::string_view suffix = ".part";
  part = fmt::format("{}.XXXXXX{}", file.string(), suffix);
  return Descriptor(::mkostemps(part.data(), suffix.size(), O_CLOEXEC));
}

std::string bytes_of(const fs::path& file) {
  std::error_code missing;
  const auto bytes = fs::file_size(file, missing);
  return missing ? "" : first_bytes(file, static_cast<std::size_t>(bytes));
}

bool publish(const std::string& part, const fs::path& file) {
  if (::link(part.c_str(), file.c_str()) != 0) {
    // Without a seal it is whole, too: whoever has just named it has yet to seal it.
    std::error_code ignored;
    const bool stays =
        errno == EEXIST && (fs::exists(seal_of(file), ignored) ? intact(file) : !bytes_of(file).empty());
    // Damaged; or a file system that has no links.
    if (!stays) return ::rename(part.c_str(), file.c_str()) == 0;
  }
  ::unlink(part.c_str());
  return true;
}

void seal(const fs::path& product) {
  if (!intact(product)) write_private(seal_of(product), sha256_hex(bytes_of(product)));
}

bool intact(const fs::path& product) {
  constexpr std::size_t more_than_a_hash = 128;
  const auto hash = first_bytes(seal_of(product), more_than_a_hash);
  if (hash.empty()) return false;
  const auto bytes = bytes_of(product);
  return !bytes.empty() && hash == sha256_hex(bytes);
}

void write_private(const fs::path& file, const std::string& text) {
  std::string part;
  const auto descriptor = part_of(file, part);
  std::size_t done = 0;
  while (descriptor && done < text.size()) {
    const auto count = ::write(descriptor.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    done += std::size_t(count);
  }
  if (descriptor && done == text.size() && ::rename(part.c_str(), file.c_str()) == 0) return;
  const int error = errno;
  if (descriptor) ::unlink(part.c_str());
  refuse(file, fmt::format("cannot be written: {}", std::strerror(error)));
}

}  // namespace podium::compile
