// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scratch folders that clean up after themselves, and after processes that could not.
#include "suite/build/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "suite/base/error.hpp"

namespace podium::build {
namespace {

namespace fs = std::filesystem;
constexpr auto settling =
    std::chrono::minutes(10);  // between the making of a folder and its lock passes far less

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw Error(
      fmt::format("{}: {}; free space, or let PODIUM_CACHE name another folder", path.string(), what));
}

// Removes what killed processes left behind: folders that are old enough and locked by nobody.
void remove_stale(const fs::path& all) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(all, ignored)) {
    if (fs::file_time_type::clock::now() - entry.last_write_time(ignored) < settling || ignored) continue;
    const Descriptor lock(::open((entry.path() / "lock").c_str(), O_RDWR | O_CLOEXEC));
    if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
    fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

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
    refuse(folder, fmt::format("cannot be made: {}", std::strerror(errno)));
}

Scratch::Scratch(const fs::path& cache) {
  const auto all = cache / "scratch";
  make_folder(all);
  remove_stale(all);
  auto name = (all / fmt::format("{}.XXXXXX", ::getpid())).string();
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

void write_private(const fs::path& file, const std::string& text) {
  const auto part = file.string() + fmt::format(".{}.part", ::getpid());
  const Descriptor descriptor(
      ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  std::size_t done = 0;
  while (descriptor && done < text.size()) {
    const auto count = ::write(descriptor.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    done += std::size_t(count);
  }
  if (descriptor && done == text.size() && ::rename(part.c_str(), file.c_str()) == 0) return;
  const int error = errno;
  ::unlink(part.c_str());
  refuse(file, fmt::format("cannot be written: {}", std::strerror(error)));
}

}  // namespace podium::build
