// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/translation.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace podium::amd {
namespace {

namespace fs = std::filesystem;

std::string digest(const std::vector<std::string>& parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  for (const std::string& part : parts) {
    const std::uint64_t bytes = part.size();
    EVP_DigestUpdate(context.get(), &bytes, sizeof bytes);
    EVP_DigestUpdate(context.get(), part.data(), part.size());
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
  unsigned length = 0;
  EVP_DigestFinal_ex(context.get(), value.data(), &length);
  std::string text;
  for (unsigned i = 0; i < 16; ++i) text += fmt::format("{:02x}", value[i]);
  return text;
}

// Beside this library lie the translator and the headers that translated code includes.
const fs::path& own_folder() {
  static const fs::path folder = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&translate), &info);
    return fs::absolute(info.dli_fname).parent_path();
  }();
  return folder;
}

// Of the translator and of what it includes: another translator, other translations.
const std::string& version() {
  static const std::string text = [] {
    std::vector<std::string> parts;
    for (const char* part : {"translate", "wave"})
      for (const auto& entry : fs::directory_iterator(own_folder() / part))
        if (entry.is_regular_file())
          parts.push_back(entry.path().filename().string() + '\n' + file_contents(entry));
    std::ranges::sort(parts);
    return digest(parts);
  }();
  return text;
}

bool may_write(const fs::path& folder) { return !folder.empty() && access(folder.c_str(), W_OK) == 0; }

fs::path variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::string entries(const CodeObject& code, int wave) {
  std::string text;
  for (const auto& [name, kernel] : code.kernels())
    if (kernel.wave == wave) text += fmt::format("{}{}", text.empty() ? "" : ",", kernel.entry);
  return text;
}

void make(const CodeObject& code, int wave, const std::string& target, const fs::path& out) {
  const auto folder = out.parent_path();
  const fs::path object = folder / fmt::format("{}.{}.object", out.stem().string(), getpid());
  const fs::path log = folder / fmt::format("{}.{}.log", out.stem().string(), getpid());
  std::ofstream(object, std::ios::binary)
      .write(code.file().data(), static_cast<std::streamsize>(code.file().size()));
  const std::vector<std::string> words = {PODIUM_EMULATOR_PYTHON,
                                          "-m",
                                          "translate",
                                          object.string(),
                                          "--entries",
                                          entries(code, wave),
                                          "--target",
                                          target,
                                          "--wave",
                                          std::to_string(wave),
                                          "--compiler",
                                          PODIUM_EMULATOR_COMPILER,
                                          "--level=" PODIUM_EMULATOR_LEVEL,
                                          "--out",
                                          out.string()};
  const std::string failed =
      run_program(words,
                  {"PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1", "TMPDIR=" + folder.string(),
                   fmt::format("PYTHONPATH={}:{}", own_folder().string(), PODIUM_EMULATOR_PACKAGES)},
                  log);
  std::error_code ignored;
  fs::remove(object, ignored);
  fs::remove(log, ignored);
  if (!failed.empty()) throw std::runtime_error("the translator failed: " + failed);
}

}  // namespace

std::string file_contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

fs::path scratch_folder() {
  const fs::path stated = variable("TMPDIR");
  return stated.empty() ? "/tmp" : stated;
}

std::string run_program(const std::vector<std::string>& words, const std::vector<std::string>& variables,
                        const fs::path& log) {
  std::vector<char*> argv, environment;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  for (const auto& text : variables) environment.push_back(const_cast<char*>(text.c_str()));
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, words[0].c_str(), &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return fmt::format("{} cannot be started: {}", words[0], std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  std::string said = file_contents(log);
  if (said.size() > 600) said = said.substr(said.size() - 600);
  return said.empty() ? fmt::format("it ended with status {}", status) : said;
}

Translation translate(const CodeObject& code, int wave, const std::string& target) {
  const std::string key =
      digest({version(), std::string(code.file().begin(), code.file().end()), std::to_string(wave), target,
              PODIUM_EMULATOR_COMPILER, PODIUM_EMULATOR_LEVEL});
  const fs::path kept = variable("PODIUM_EMULATOR_CACHE"), name = key + ".so";
  fs::path library = kept / name;
  if (kept.empty() || !fs::exists(library)) {
    if (!may_write(kept)) library = scratch_folder() / name;
    if (!fs::exists(library)) make(code, wave, target, library);
  }
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) throw std::runtime_error(fmt::format("its translation cannot be loaded: {}", dlerror()));
  const Translation found{reinterpret_cast<Run>(dlsym(opened, "podium_run")),
                          reinterpret_cast<Text>(dlsym(opened, "podium_text"))};
  if (!found.run || !found.text)
    throw std::runtime_error("its translation is damaged: empty the cache of translations");
  return found;
}

}  // namespace podium::amd
