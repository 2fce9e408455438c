// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run's files, written so that a kill, a crash or a full disk loses nothing that was finished.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

std::string dumped(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

// Returns 0, or the errno of the write that did not take everything.
int write_whole(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    done += static_cast<std::size_t>(written);
  }
  return 0;
}

void sync_folder(const fs::path& folder) {  // so that a new name in it survives a power cut
  const Descriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems know no fsync of a folder (EINVAL); then there is nothing to be done.
  if (!descriptor || (fsync(descriptor.get()) != 0 && errno != EINVAL))
    throw Error(fmt::format("{}: cannot be synced: {}", folder.string(), reason(errno)));
}

// Where a file system knows no permissions nothing is lost: seeds are not there yet, or may be seen.
void permit(const fs::path& folder, fs::perms permissions) {
  std::error_code unknown;
  fs::permissions(folder, permissions, unknown);
}

// What the umask takes.
fs::perms masked() {
  const mode_t mask = umask(0);
  umask(mask);
  return static_cast<fs::perms>(mask);
}

}  // namespace

void write_file(const fs::path& file, const std::string& text, unsigned mode) {
  const fs::path temporary = file.string() + ".tmp";
  const Descriptor descriptor(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  int error = descriptor ? write_whole(descriptor.get(), text) : errno;
  if (!error && fsync(descriptor.get()) != 0) error = errno;
  if (!error && rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error) {
    unlink(temporary.c_str());
    throw Error(fmt::format("{}: cannot be written: {}; make room or choose another folder with --results",
                            file.string(), reason(error)));
  }
  sync_folder(file.has_parent_path() ? file.parent_path() : ".");
}

Descriptor claim(const fs::path& folder) {
  Descriptor claimed(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!claimed)
    throw Error(
        fmt::format("{}: cannot be opened: {}; expected a run's folder, as `podium run` leaves in "
                    "results/<device>/",
                    folder.string(), reason(errno)));
  // Some file systems have no locks; then nobody is kept away.
  if (flock(claimed.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(fmt::format("{}: another podium writes this run; wait until it has ended", folder.string()));
  return claimed;
}

Writer::Writer(const fs::path& folder, const nlohmann::json& provenance)
    : folder_(folder), provenance_(provenance) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    throw Error(fmt::format("{}: the folder cannot be created: {}; choose another with --results",
                            folder_.string(), error.message()));
  opened_ = fs::status(folder_).permissions();
  const fs::path file = folder_ / "entries.jsonl";
  file_.reset(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, private_file));
  if (!file_)
    throw Error(errno == EEXIST
                    ? fmt::format("{}: the folder already holds a run; give the new one a folder of its own",
                                  folder_.string())
                    : fmt::format("{}: cannot be created: {}; choose another folder with --results",
                                  file.string(), reason(errno)));
  try {
    claimed_ = claim(folder_);
    permit(folder_, fs::perms::owner_all);
    update(provenance);
  } catch (...) {
    unlink(file.c_str());  // half a run is none
    throw;
  }
}

Writer::Writer(const fs::path& folder, Descriptor claimed, const nlohmann::json& provenance,
               const std::vector<nlohmann::json>& lines)
    : folder_(folder), opened_(fs::perms::all & ~masked()), claimed_(std::move(claimed)) {
  permit(folder_, fs::perms::owner_all);
  for (const nlohmann::json& line : lines) earlier_ += dumped(line, -1);
  const fs::path file = folder_ / "entries.jsonl";
  write_file(file, earlier_, private_file);
  bytes_ = static_cast<std::int64_t>(earlier_.size());
  file_.reset(open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file_) throw Error(fmt::format("{}: cannot be opened: {}", file.string(), reason(errno)));
  update(provenance);
}

void Writer::update(const nlohmann::json& provenance) {
  provenance_ = provenance;
  provenance_["schema"] = schema;
  nlohmann::json told = provenance_;
  told.erase("order_seed");
  if (told.contains("segments")) told["segments"].back().erase("order_seed");
  write_file(folder_ / "run.json", dumped(told, 2), private_file);
}

void Writer::keep(const std::string& text) {
  const fs::path folder = folder_ / "sources", file = folder / sha256(text);
  std::error_code error;
  if (fs::exists(file, error)) return;
  fs::create_directory(folder, error);
  if (error)
    throw Error(fmt::format("{}: the folder cannot be created: {}", folder.string(), error.message()));
  write_file(file, text);
}

Entry published(Entry entry) {
  for (std::string* text : {&entry.text, &entry.printed, &entry.telemetry.source})
    *text = without_folders_in(*text);
  for (const Metric* metric : metrics()) {
    std::string& text = entry.measured[*metric].text;
    text = without_folders_in(text);
  }
  if (!entry.again.empty()) entry.text += "; again: " + without_folders_in(std::exchange(entry.again, {}));
  return entry;
}

void Writer::append(const Entry& entry) {
  Entry told = entry;
  told.seeds.clear();
  told.again.clear();
  const std::string line = dumped(to_json(published(std::move(told))), -1);
  int error = write_whole(file_.get(), line);
  if (!error && fdatasync(file_.get()) != 0) error = errno;
  if (error) {
    // The part that was written goes, so that what follows is a line of its own. If even that fails, the file
    // ends in a cut line, which read() leaves out.
    const bool cut = ftruncate(file_.get(), bytes_) == 0;
    throw Error(fmt::format(
        "{}: {} of {} could not be written: {}; {} entries before it are kept{}; make room and run again",
        (folder_ / "entries.jsonl").string(), entry.problem, entry.contestant, reason(error),
        std::ranges::count(earlier_, '\n') + std::ssize(entries_), cut ? "" : ", the last line is cut"));
  }
  bytes_ += static_cast<std::int64_t>(line.size());
  entries_.push_back(published(entry));
}

void Writer::finish(const nlohmann::json& additions) {
  provenance_.update(additions);
  provenance_["schema"] = schema;
  write_file(folder_ / "run.json", dumped(provenance_, 2));
  std::string lines = earlier_;
  for (const Entry& entry : entries_) lines += dumped(to_json(entry), -1);
  write_file(folder_ / "entries.jsonl", lines);
  file_.reset();  // of a file that is no more
  permit(folder_, opened_);
}

}  // namespace podium::record
