// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A scratch folder and a child a job; one loop that starts, watches and ends them.
#include "suite/compile/compile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "suite/base/interrupt.hpp"
#include "suite/base/user.hpp"
#include "suite/compile/amount.hpp"
#include "suite/compile/cache.hpp"
#include "suite/compile/readable.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::compile {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;
using sandbox::Means;

constexpr std::int64_t memory_of_one = std::int64_t{2} << 30;  // nvcc on CUB's radix sort takes 1.5 GiB
constexpr std::int64_t most_memory = std::int64_t{16} << 30;   // CUTLASS's largest kernels take 6 GiB
constexpr int patience = 4;                // a machine that does other work makes a compiler wait
constexpr int between_looks = 20;          // milliseconds
constexpr std::size_t kept_log = 1 << 20;  // bytes
constexpr const char* sources = "sources";
constexpr const char* temporary = "temporary";

std::int64_t installed_memory() { return std::int64_t(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE); }

std::int64_t free_memory() {
  std::ifstream lines("/proc/meminfo");
  for (std::string word; lines >> word;)
    if (std::int64_t kib; word == "MemAvailable:" && lines >> kib) return kib << 10;
  return std::numeric_limits<std::int64_t>::max();
}

std::size_t parallel_jobs(const Limits& limits) {
  if (limits.parallel > 0) return std::size_t(limits.parallel);
  const auto processors = std::max(1u, std::thread::hardware_concurrency());
  return std::size_t(std::clamp<std::int64_t>(free_memory() / memory_of_one, 1, processors));
}

std::int64_t memory_limit(const Limits& limits) {
  return limits.bytes > 0 ? limits.bytes : std::min(most_memory, installed_memory());
}

// nvcc takes what is for the host compiler apart at blanks and commas, however quoted. Only the name that
// __FILE__ gives is lost with such a flag.
bool split_by_nvcc(const std::string& flag) {
  return flag.starts_with("-Xcompiler=") && flag.find_first_of(" ,'\"\\\t") != std::string::npos;
}

// Whatever podium's umask: another user is to read it.
void write_for_all(const fs::path& file, std::string_view text) {
  const Descriptor to(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
  bool well = to && ::fchmod(to.get(), 0444) == 0;
  while (well && !text.empty()) {
    const auto count = ::write(to.get(), text.data(), text.size());
    well = count > 0 || errno == EINTR;
    if (count > 0) text.remove_prefix(std::size_t(count));
  }
  if (!well)
    throw Error(
        fmt::format("{}: cannot be written: {}; free space there", file.string(), std::strerror(errno)));
}

void make_for_all(const fs::path& folder) {
  if (fs::exists(folder)) return;
  make_for_all(folder.parent_path());
  ::mkdir(folder.c_str(), 0755);
  ::chmod(folder.c_str(), 0755);
}

void stage(const fs::path& folder, const Input& input) {
  const auto copy = staged(folder, input.file);
  make_for_all(copy.parent_path());
  if (!fs::exists(copy)) write_for_all(copy, *input.text);
}

// Of those inputs that many compilations have: copied once, for all users to read.
sandbox::ScratchFolder common_copies(const std::vector<const Job*>& jobs) {
  sandbox::ScratchFolder folder(::geteuid());
  ::chmod(folder.path().c_str(), 0755);
  std::set<fs::path> done;
  for (const auto* job : jobs)
    for (const auto& input : job->inputs)
      if (input.common && done.insert(input.file).second) stage(folder.path(), input);
  return folder;
}

// Bytes of the files that a compiler has written.
std::int64_t written(const fs::path& folder) {
  std::int64_t sum = 0;
  std::error_code gone;
  for (fs::recursive_directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone)) {
    if (at.depth() == 0 && at->path().filename() == sources) at.disable_recursion_pending();
    struct stat status{};
    if (::lstat(at->path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
      sum += std::max<std::int64_t>(status.st_blocks * 512, status.st_size);
  }
  return sum;
}

// Copies what the compiler made, if it is a plain file. False: it made none.
bool take(const fs::path& made, const fs::path& file) {
  const Descriptor from(::open(made.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!from || ::fstat(from.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
    return false;
  std::string part;
  const auto to = part_of(file, part);
  off_t rest = status.st_size;
  while (to && rest > 0) {
    const auto count = ::copy_file_range(from.get(), nullptr, to.get(), nullptr, std::size_t(rest), 0);
    if (count <= 0) break;
    rest -= count;
  }
  char block[1 << 16];
  while (to && rest > 0) {  // where the two file systems have no such copy
    const auto count = ::read(from.get(), block, sizeof block);
    if (count <= 0 || ::write(to.get(), block, std::size_t(count)) != count) break;
    rest -= count;
  }
  // A worker opens its descriptor once more, by which the mode counts; the folder is closed to others.
  if (to && rest == 0 && ::fchmod(to.get(), 0444) == 0 && ::fsync(to.get()) == 0 && publish(part, file))
    return true;
  const int error = errno;
  if (to) ::unlink(part.c_str());
  throw Error(fmt::format("{}: cannot be written: {}; free space, or let PODIUM_CACHE name another folder",
                          file.string(), std::strerror(error)));
}

class Compilation {
 public:
  // `common`: the folder of copies that all have in common.
  Compilation(const Toolchain& toolchain, const fs::path& common, const Job& job, std::size_t index,
              const Limits& limits)
      : toolchain_(toolchain),
        common_(common),
        job_(job),
        index_(index),
        number_(std::to_string(index)),
        limits_(limits) {
    if (!job.trusted) confine();
    folder_ = sandbox::ScratchFolder(uid_.value_or(::geteuid()));
    fill_folder();
    log_.reset(::memfd_create("podium-log", MFD_CLOEXEC));
    child_ = sandbox::Child(start());
  }

  std::size_t index() const { return index_; }
  int descriptor() const { return child_.descriptor(); }

  // Whether it has ended, or is ended now because it exceeds a limit.
  bool has_ended() {
    if (const auto end = child_.ended(0)) {
      end_ = end;
      if (child_.ran_out()) excess_ = too_much(memory_limit(limits_), "memory");
      return true;
    }
    excess_ = excess();
    return !excess_.empty();
  }

  Compiled finish() {
    child_.end();
    Compiled result;
    result.log = log_text();
    if (excess_.empty()) excess_ = excess_in(result.log);
    result.excess = excess_;
    if (excess_.empty() && end_ == sandbox::succeeded) {
      if (!sources_are_whole())
        result.log += "podium: the compiler changed its sources\n";
      else if (!(result.built = take(folder_.path() / (number_ + ".part"), job_.file)))
        result.log += "podium: the compiler wrote no output\n";
    }
    std::error_code ignored;
    fs::remove(folder_.path() / (number_ + ".part"), ignored);
    fs::remove_all(folder_.path() / temporary, ignored);
    result.folder = std::move(folder_);
    return result;
  }

 private:
  void confine() {
    sandbox_.emplace();
    sandbox_->readable = readable_for(toolchain_, job_.command);
    sandbox_->readable.push_back(common_);
    sandbox_->file_bytes = limits_.disk;
    sandbox_->memory_bytes = memory_limit(limits_);
    const bool own_view = sandbox_->means.has(Means::mounts);
    // Where that user could not read the tool chain, podium's own compiles: better than nothing at all.
    if (sandbox_->means.has(Means::uid) && std::ranges::all_of(sandbox_->readable, [&](const auto& path) {
          return open_to_others(path, !own_view);
        }))
      uid_ = worker_uid();
    sandbox_->uid = uid_;
  }

  void fill_folder() {
    const auto& folder = folder_.path();
    for (const auto& input : job_.inputs)
      if (!input.common) stage(folder, input);
    auto stub = job_.stub;
    replace_all(stub, "${source}", staged(folder, job_.source).string());
    write_for_all(folder / (number_ + "." + job_.command.language), stub);
    if (!job_.header_name.empty()) {
      make_for_all(folder / number_ / "podium");
      write_for_all(folder / number_ / "podium" / job_.header_name, job_.header);
    }
    fs::create_directory(folder / temporary);
    if (uid_ && ::chown((folder / temporary).c_str(), *uid_, *uid_) != 0)
      throw Error(fmt::format("{}: changing its owner to user {} failed: {}", folder.string(), *uid_,
                              std::strerror(errno)));
  }

  std::string argument(std::string text) const {
    const auto& folder = folder_.path();
    replace_all(text, "${in}", number_ + "." + job_.command.language);
    replace_all(text, "${out}", number_ + ".part");
    replace_all(text, "${generated}", number_);
    replace_all(text, "${sdk}", staged(common_, toolchain_.sdk));
    replace_all(text, "${program}", staged(common_, toolchain_.program));
    replace_all(text, "${python}", staged(common_, toolchain_.python));
    replace_all(text, "${bin}", toolchain_.bin);
    replace_all(text, "${host_compiler}", job_.command.host_compiler);
    replace_all(text, "${source}", staged(folder, job_.source).string());
    replace_all(text, "${folder}", staged(folder, job_.source).parent_path());
    return text;
  }

  // By a shell, which sets the limits that one process can have. Of memory the heap is limited, not address
  // space: what compilers map costs nothing.
  sandbox::Start start() {
    constexpr int kib = 1024, block = 512;
    sandbox::Start start{.program = "/bin/sh", .output = log_.get()};
    start.arguments = {
        "-c",
        fmt::format("{{ ulimit -c 0; ulimit -d {}; ulimit -f {}; ulimit -S -t {}; ulimit -H -t {}; }} 2> "
                    "/dev/null; cd "
                    "\"$0\" && exec \"$@\"",
                    memory_limit(limits_) / kib, limits_.disk / block, limits_.seconds, limits_.seconds + 1),
        folder_.path().string(), job_.command.compiler};
    for (const auto& text : job_.command.arguments)
      if (auto word = argument(text); !split_by_nvcc(word)) start.arguments.push_back(std::move(word));
    const auto own = (folder_.path() / temporary).string();
    start.environment = {"LC_ALL=C", "TMPDIR=" + own};
    if (sandbox_) {
      start.environment.push_back("HOME=" + own);
      for (const char* name : compiler_variables())
        if (const char* value = std::getenv(name))
          start.environment.push_back(fmt::format("{}={}", name, value));
      sandbox_->folder = folder_.path();
      start.sandbox = sandbox_;
    }
    return start;
  }

  std::string excess() {
    if (clock::now() - began_ > std::chrono::seconds(patience * limits_.seconds)) return too_long();
    if (const auto most = memory_limit(limits_); child_.exceeds(most, child_.usage()))
      return too_much(most, "memory");
    if (written(folder_.path()) > limits_.disk) return too_much(limits_.disk, "disk");
    struct stat status{};
    if (::fstat(log_.get(), &status) == 0 && status.st_size >= limits_.log)
      return too_much(limits_.log, "messages");
    return {};
  }

  // What the kernel refused one process, which its compiler tells.
  std::string excess_in(const std::string& log) const {
    if (end_ == sandbox::succeeded) return {};
    if (killed_by(SIGXCPU) || log.find("CPU time limit exceeded") != std::string::npos) return too_long();
    if (killed_by(SIGXFSZ) || log.find("File too large") != std::string::npos ||
        log.find("File size limit exceeded") != std::string::npos)
      return too_much(limits_.disk, "disk");
    if (log.find("out of memory allocating") != std::string::npos ||
        log.find("virtual memory exhausted") != std::string::npos ||
        log.find("bad_alloc") != std::string::npos)
      return too_much(memory_limit(limits_), "memory");
    return {};
  }
  bool killed_by(int signal) const { return end_ == sandbox::End(sandbox::Killed{signal}); }
  std::string too_long() const { return fmt::format("longer than {} s", limits_.seconds); }
  static std::string too_much(std::int64_t most, const char* of) {
    return fmt::format("more than {} of {}", amount(most), of);
  }

  std::string log_text() const {
    std::string text(kept_log, '\0');
    const auto count = ::pread(log_.get(), text.data(), text.size(), 0);
    text.resize(count > 0 ? std::size_t(count) : 0);
    for (const auto& folder : {folder_.path(), common_})
      replace_all(text, (folder / sources).string() + "/", "/");
    return text;
  }

  bool sources_are_whole() const {
    return std::ranges::all_of(job_.inputs, [&](const Input& input) {
      std::ifstream copy(staged(input.common ? common_ : folder_.path(), input.file), std::ios::binary);
      std::string text(input.text->size() + 1, '\0');
      copy.read(text.data(), std::streamsize(text.size()));
      return std::size_t(copy.gcount()) == input.text->size() && text.starts_with(*input.text);
    });
  }

  const Toolchain& toolchain_;
  const fs::path& common_;
  const Job& job_;
  std::size_t index_;
  std::string number_;
  const Limits& limits_;
  std::optional<sandbox::Sandbox> sandbox_;
  std::optional<uid_t> uid_;
  sandbox::ScratchFolder folder_;
  Descriptor log_;
  clock::time_point began_ = clock::now();
  sandbox::Child child_;
  std::optional<sandbox::End> end_;
  std::string excess_;
};

void wait_for_one(const std::vector<std::unique_ptr<Compilation>>& running) {
  std::vector<pollfd> ends;
  for (const auto& one : running) ends.push_back({one->descriptor(), POLLIN, 0});
  ::poll(ends.data(), ends.size(), between_looks);
}

}  // namespace

fs::path staged(const fs::path& folder, const fs::path& path) {
  return folder / sources / path.lexically_normal().relative_path();
}

std::vector<Compiled> compile(const Toolchain& toolchain, const std::vector<const Job*>& jobs,
                              const Limits& limits, const Progress& progress) {
  const Interruptible interruptible;
  const std::size_t most = parallel_jobs(limits);
  const auto common = common_copies(jobs);
  std::vector<Compiled> results(jobs.size());
  std::vector<std::unique_ptr<Compilation>> running;
  std::size_t begun = 0;
  int done = 0;
  if (progress) progress(0, int(jobs.size()), "");
  while (begun < jobs.size() || !running.empty()) {
    for (; begun < jobs.size() && running.size() < most; ++begun)
      running.push_back(std::make_unique<Compilation>(toolchain, common.path(), *jobs[begun], begun, limits));
    wait_for_one(running);
    if (!interruption().empty()) throw Error("interrupted while compiling; finished builds are kept");
    std::erase_if(running, [&](const auto& one) {
      if (!one->has_ended()) return false;
      results[one->index()] = one->finish();
      if (progress) progress(++done, int(jobs.size()), jobs[one->index()]->what);
      return true;
    });
  }
  return results;
}

}  // namespace podium::compile
