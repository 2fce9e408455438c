// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// SHA-256 through OpenSSL, and the files that a compilation is given.
#include "suite/compile/content.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "suite/compile/contestant.hpp"

namespace podium::compile {
namespace {

constexpr std::size_t largest_source = 16 << 20;  // bytes
constexpr std::size_t most_helpers = 2000;
constexpr std::uintmax_t most_of_helpers = 64 << 20;  // bytes
constexpr std::size_t most_entries = 20'000;          // of a folder and all below it
constexpr const char* unusual = "\n\r\\\"";           // in names, which compilers do not take
constexpr const char* problem_file = "problem.yaml";
namespace fs = std::filesystem;

EVP_MD_CTX* evp(const std::shared_ptr<void>& context) { return static_cast<EVP_MD_CTX*>(context.get()); }

std::string hex_of(const unsigned char* bytes, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

// Folders below a contestant's that are none of its helpers': hidden ones, and runs.
bool left_out(const fs::directory_entry& folder) {
  std::error_code absent;
  return folder.path().filename().string().starts_with('.') || fs::exists(folder.path() / "run.json", absent);
}

std::vector<fs::path> files_of(const fs::path& folder, bool deep) {
  std::vector<fs::path> files;
  const auto take = [&](const auto& entry) {
    const bool hidden = entry.path().filename().string().starts_with('.');  // an editor's
    // A link may lead to what only podium's user can read.
    std::error_code gone;
    if (!hidden && !entry.is_symlink(gone) && entry.is_regular_file(gone)) files.push_back(entry.path());
  };
  std::error_code fault;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, fault);
  if (!fault && ::access(folder.c_str(), R_OK | X_OK) != 0) fault.assign(errno, std::generic_category());
  if (fault) throw Error(fmt::format("{}: cannot be read: {}", folder.string(), fault.message()));
  for (std::size_t seen = 0; at != fs::recursive_directory_iterator(); at.increment(fault)) {
    if (!deep || left_out(*at)) at.disable_recursion_pending();
    take(*at);
    if (deep && ++seen > most_entries) return files_of(folder, false);
  }
  std::ranges::sort(files);
  return files;
}

// Folders and files, as PODIUM_INCLUDE names them.
std::vector<fs::path> more_to_include() {
  std::vector<fs::path> all;
  const char* const stated = std::getenv("PODIUM_INCLUDE");
  std::istringstream words(stated ? stated : "");
  for (std::string word; std::getline(words, word, ':');)
    if (!word.empty()) all.push_back(fs::absolute(word).lexically_normal());
  return all;
}

}  // namespace

Digest::Digest() : context_(EVP_MD_CTX_new(), [](void* c) { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(c)); }) {
  if (!context_ || EVP_DigestInit_ex(evp(context_), EVP_sha256(), nullptr) != 1)
    throw Error("this machine's OpenSSL provides no SHA-256; Podium's build cache needs it");
}

Digest& Digest::add(std::string_view piece) {
  const auto length = fmt::format("{}:", piece.size());
  EVP_DigestUpdate(evp(context_), length.data(), length.size());
  EVP_DigestUpdate(evp(context_), piece.data(), piece.size());
  return *this;
}

Digest& Digest::add(const std::vector<std::string>& pieces) {
  add(std::to_string(pieces.size()));
  for (const auto& piece : pieces) add(piece);
  return *this;
}

std::string Digest::hex() const {
  const Digest copy;
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned count = 0;
  EVP_MD_CTX_copy_ex(evp(copy.context_), evp(context_));
  EVP_DigestFinal_ex(evp(copy.context_), bytes, &count);
  return hex_of(bytes, count);
}

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned count = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &count, EVP_sha256(), nullptr) != 1)
    throw Error("this machine's OpenSSL provides no SHA-256; Podium's build cache needs it");
  return hex_of(digest, count);
}

std::string read_text(const fs::path& file) {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}: {}", file.string(), what));
  };
  // Non-blocking, so that opening a pipe returns and is refused.
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!descriptor || ::fstat(descriptor.get(), &status) != 0)
    refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) refuse("found no regular file, expected a source file");
  std::string text;
  for (char block[1 << 16];;) {
    const auto count = ::read(descriptor.get(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (count == 0) return text;
    text.append(block, std::size_t(count));
    if (text.size() > largest_source) refuse("found more than 16 MiB, expected a source file");
  }
}

const Contents::File& Contents::file(const fs::path& path) {
  const auto known = files_.find(path);
  if (known != files_.end()) return known->second;
  auto text = std::make_shared<const std::string>(read_text(path));
  const auto sha256 = sha256_hex(*text);
  return files_[path] = {sha256, std::move(text)};
}

std::vector<Input> Contents::tree(const fs::path& folder, const std::string& as) {
  auto known = trees_.find(folder);
  if (known == trees_.end()) known = trees_.emplace(folder, files_of(folder, true)).first;
  std::vector<Input> inputs;
  for (const auto& path : known->second) {
    const auto& content = file(path);
    inputs.push_back({path, as + "/" + path.lexically_relative(folder).generic_string(), content.sha256,
                      content.text, true});
  }
  return inputs;
}

// A contestant's folder is its own to fill; somebody's home folder is not meant.
const std::vector<fs::path>& Contents::helpers(const fs::path& folder, bool deep) {
  auto& all = deep ? deep_helpers_ : helpers_;
  if (const auto known = all.find(folder); known != all.end()) return known->second;
  std::vector<std::pair<std::uintmax_t, fs::path>> candidates;
  for (const auto& path : files_of(folder, deep)) {
    std::error_code gone;
    const auto size = fs::file_size(path, gone);
    const bool named_badly = path.string().find_first_of(unusual) != std::string::npos;
    if (!gone && !named_badly && size <= largest_source && ::access(path.c_str(), R_OK) == 0 &&
        !is_contestant(path))
      candidates.emplace_back(size, path);
  }
  std::ranges::sort(candidates);  // the smallest first: what is too much is data
  std::vector<fs::path> found;
  std::uintmax_t bytes = 0;
  for (auto& [size, path] : candidates) {
    bytes += size;
    if (found.size() == most_helpers || bytes > most_of_helpers) break;
    found.push_back(std::move(path));
  }
  std::ranges::sort(found);
  return all[folder] = std::move(found);
}

std::vector<Input> Contents::around(const fs::path& source) {
  std::set<fs::path> files;
  const auto take = [&](const fs::path& folder, bool deep) {
    const auto& found = helpers(folder, deep);
    files.insert(found.begin(), found.end());
  };
  const auto take_around = [&](const fs::path& one) {
    files.insert(one);
    const auto folder = one.parent_path();
    take(folder, true);
    if (std::error_code absent; fs::exists(folder / problem_file, absent))
      for (const auto& entry : fs::directory_iterator(folder.parent_path(), absent))
        if (entry.path() != folder && fs::exists(entry.path() / problem_file, absent) &&
            ::access(entry.path().c_str(), R_OK | X_OK) == 0)
          take(entry.path(), false);
  };
  take_around(source);
  for (const auto& more : more_to_include())
    if (std::error_code absent; fs::is_directory(more, absent))
      take(more, true);
    else
      take_around(more);
  const auto home = source.parent_path();
  std::vector<Input> inputs;
  for (const auto& path : files) {
    const auto& content = file(path);
    inputs.push_back({path, path.lexically_relative(home).generic_string(), content.sha256, content.text});
  }
  return inputs;
}

Input Contents::alone(const fs::path& source) {
  const auto& content = file(source);
  return {source, source.filename().string(), content.sha256, content.text};
}

const std::string& this_processor() {
  // Of the first processor: its model (what to tune for) and features (what may be used); x86 and Arm
  // spellings.
  static const std::string digest = [] {
    constexpr std::string_view keys[] = {
        "vendor_id",       "cpu family", "model",    "stepping",    "cache size",
        "CPU implementer", "CPU part",   "Features", "CPU variant", "flags"};
    std::ifstream lines("/proc/cpuinfo");
    Digest all;
    for (std::string line; std::getline(lines, line) && !line.empty();) {
      const auto key = std::string_view(line).substr(0, line.find_first_of("\t:"));
      if (std::ranges::find(keys, key) != std::end(keys)) all.add(line);
    }
    return all.hex();
  }();
  return digest;
}

}  // namespace podium::compile
