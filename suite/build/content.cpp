// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// SHA-256 through OpenSSL, and a scanner for include directives that errs towards too many.
#include "suite/build/content.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"

namespace podium::build {
namespace {

constexpr std::size_t largest_source = 16 << 20;  // bytes
namespace fs = std::filesystem;

EVP_MD_CTX* evp(const std::shared_ptr<void>& context) { return static_cast<EVP_MD_CTX*>(context.get()); }

std::string hex_of(const unsigned char* bytes, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

std::string_view skip_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

struct Includes {
  std::vector<std::string> spelt;
  bool computed = false;
};

// Directives at the beginning of a line, comments and conditions ignored: too many files in a key do no harm.
Includes includes_of(std::string_view text) {
  Includes found;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = skip_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with('#')) continue;
    line = skip_blanks(line.substr(1));
    if (!line.starts_with("include")) continue;
    line = skip_blanks(line.substr(std::strlen("include")));
    if (line.starts_with('<') || line.starts_with('"')) {
      const auto close = line.find(line[0] == '<' ? '>' : '"', 1);
      if (close == std::string_view::npos) continue;
      const auto name = line.substr(1, close - 1);
      if (line[0] == '"' || name.starts_with('/')) found.spelt.emplace_back(name);
    } else {
      found.computed = true;
    }
  }
  return found;
}

std::vector<fs::path> files_of(const fs::path& folder, bool deep) {
  std::vector<fs::path> files;
  const auto take = [&](const auto& entry) {
    const bool hidden = entry.path().filename().string().starts_with('.');  // an editor's
    if (!hidden && entry.is_regular_file()) files.push_back(entry.path());
  };
  try {
    if (deep)
      for (const auto& entry : fs::recursive_directory_iterator(folder)) take(entry);
    else
      for (const auto& entry : fs::directory_iterator(folder)) take(entry);
  } catch (const fs::filesystem_error& e) {
    throw Error(fmt::format("{}: cannot be read: {}", folder.string(), e.code().message()));
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

Digest::Digest() : context_(EVP_MD_CTX_new(), [](void* c) { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(c)); }) {
  if (!context_ || EVP_DigestInit_ex(evp(context_), EVP_sha256(), nullptr) != 1)
    throw Error("OpenSSL gives no SHA-256 here; Podium's build cache needs it");
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
    throw Error("OpenSSL gives no SHA-256 here; Podium's build cache needs it");
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
  const auto text = read_text(path);
  auto includes = includes_of(text);
  return files_[path] = {sha256_hex(text), std::move(includes.spelt), includes.computed};
}

std::vector<Input> Contents::tree(const fs::path& folder, const std::string& as) {
  auto known = trees_.find(folder);
  if (known == trees_.end()) known = trees_.emplace(folder, files_of(folder, true)).first;
  std::vector<Input> inputs;
  for (const auto& path : known->second)
    inputs.push_back({path, as + "/" + path.lexically_relative(folder).generic_string(), file(path).sha256});
  return inputs;
}

std::vector<Input> Contents::closure(const fs::path& source) {
  std::vector<Input> inputs;
  std::set<fs::path> seen;
  std::vector<fs::path> waiting = {source.lexically_normal()};
  const auto home = waiting.front().parent_path();
  while (!waiting.empty()) {
    const auto path = waiting.back();
    waiting.pop_back();
    if (!seen.insert(path).second) continue;
    const auto& content = file(path);
    inputs.push_back({path, path.lexically_relative(home).generic_string(), content.sha256});
    for (const auto& spelt : content.includes) {
      const auto target = (path.parent_path() / spelt).lexically_normal();
      std::error_code missing;
      if (fs::is_regular_file(target, missing)) waiting.push_back(target);
    }
    if (content.computed)
      for (const auto& neighbour : files_of(path.parent_path(), false))
        waiting.push_back(neighbour.lexically_normal());
  }
  return inputs;
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

}  // namespace podium::build
