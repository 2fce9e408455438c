// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The facts of provenance: the device's folder, time, commit, command, processor, hashes.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <memory>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/record/provenance.hpp"

namespace podium::record {
namespace {

constexpr std::size_t longest_slug = 120;  // characters; file systems allow 255 bytes a name

// Whether an absolute path may begin at `at`: where a word, its value, or the value of an option ("-I/opt")
// begins.
bool begins_path(std::string_view word, std::size_t at) {
  const std::string_view before = word.substr(0, at);
  const bool option = (before.size() == 2 && before[0] == '-') || before == "-isystem";
  return before.empty() || option ||
         std::string_view("=:,;('\"`[").find(before.back()) != std::string_view::npos;
}

std::string without_folder(std::string_view word) {
  std::string result;
  for (std::size_t at = 0; at < word.size();) {
    const bool address = word.substr(at, 2) == "//";
    if (word[at] != '/' || address || !begins_path(word, at)) {
      result += word.substr(at, address ? 2 : 1);
      at += address ? 2 : 1;
      continue;
    }
    const std::size_t end = std::min(word.find_first_of(",;:=)'\"`]", at), word.size());
    const std::size_t last =
        word.rfind('/', end == at + 1 ? at : end - 2);  // of "/a/b/" the last part is "b/"
    result += word.substr(last + 1, end - last - 1);
    at = end;
  }
  return result;
}

// A processor's name without what says nothing: "(R)", "(TM)", "CPU @ 2.90GHz".
std::string without_noise(std::string name) {
  name.resize(std::min(name.find('@'), name.size()));
  for (const std::string_view noise : {"(R)", "(TM)", "(C)", "(r)", "(tm)", " CPU"})
    for (std::size_t at; (at = name.find(noise)) != std::string::npos;)
      name.replace(at, noise.size(), 1, ' ');
  return name;
}

std::string output_of(const std::string& command) {
  // NOLINTNEXTLINE(bugprone-command-processor): git, on a folder that the caller has quoted
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "re"), pclose);
  std::string text;
  for (std::array<char, 256> part{}; pipe && std::fgets(part.data(), part.size(), pipe.get());)
    text += part.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string slug(const DeviceKey& key) {
  const Backend* const vendors = backend_of(key.architecture);
  const std::string implied = vendors ? vendors->name : processor_backend().name;
  const std::string memory =
      key.memory > 0 ? fmt::format("{}g", std::llround(std::ldexp(static_cast<double>(key.memory), -30)))
                     : "";
  const std::string cap = key.power_cap > 0 ? fmt::format("{}w", std::llround(key.power_cap)) : "";
  const std::string text =
      fmt::format("{} {} {} {} {} {}", without_noise(key.product.empty() ? "unknown" : key.product),
                  key.architecture, memory, key.partition, cap, key.backend == implied ? "" : key.backend);

  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool keep = byte < 128 && (std::isalnum(byte) || c == '_' || c == '.');
    if (keep) result += static_cast<char>(std::tolower(byte));
    if (!keep && !result.empty() && result.back() != '-') result += '-';
    if (result == ".") result.clear();  // neither hidden nor a way out of the folder
  }
  result.resize(std::min(result.size(), longest_slug));
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result.empty() ? "unknown" : result;
}

std::string utc(std::chrono::sys_seconds time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string compact_utc(std::chrono::sys_seconds time) {
  return fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::filesystem::path run_folder(const std::filesystem::path& results, const DeviceKey& key,
                                 std::chrono::sys_seconds time, std::uint64_t random) {
  return results / slug(key) / fmt::format("{}-{:04x}", compact_utc(time), random & 0xffff);
}

std::string commit_of(const std::optional<std::filesystem::path>& checkout, const std::string& built_in) {
  std::string found;
  if (checkout)
    found = output_of(fmt::format("git -C {} describe --always --dirty --abbrev=12 2>/dev/null",
                                  quoted(checkout->string())));
  return !found.empty() ? found : built_in.empty() ? "unknown" : built_in;
}

std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string result;
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("'{}'", result);
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments)
    text += fmt::format("{}{}", text.empty() ? "" : " ", quoted(without_folder(argument)));
  return text;
}

std::vector<std::string> without_folders(const std::vector<std::string>& flags) {
  std::vector<std::string> result;
  for (const std::string& flag : flags) result.push_back(without_folder(flag));
  return result;
}

std::string without_folders_in(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const bool evidence = std::ranges::any_of(
        std::array{"/proc/", "/dev/", "/sys/"},
        [&](std::string_view folder) { return word.find(folder) != std::string_view::npos; });
    result += evidence ? std::string(word) : without_folder(word);
    result += text.substr(end, 1);
    begin = end + 1;
  }
  return result;
}

std::string cpu_model(std::string_view proc_cpuinfo) {
  for (std::size_t begin = 0; begin < proc_cpuinfo.size();) {
    const std::size_t end = std::min(proc_cpuinfo.find('\n', begin), proc_cpuinfo.size());
    const std::string_view line = proc_cpuinfo.substr(begin, end - begin);
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return std::string(line.substr(colon + 2));
    begin = end + 1;
  }
  return "unknown";
}

std::string kernel_release() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown";
}

std::string sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw Error("this machine's OpenSSL provides no SHA-256");
  std::string result;
  for (unsigned int i = 0; i < length; ++i) result += fmt::format("{:02x}", digest[i]);
  return result;
}

}  // namespace podium::record
