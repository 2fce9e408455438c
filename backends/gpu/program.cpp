// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/program.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

constexpr std::size_t most_words = 512;  // 4096 bytes: what a launch's arguments may hold on every GPU

std::vector<char> contents(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0)
    throw Error(fmt::format("the judge's program cannot be read from descriptor {}: {}", descriptor,
                            std::strerror(errno)));
  std::vector<char> bytes(static_cast<std::size_t>(status.st_size));
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = pread(descriptor, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw Error(fmt::format("the judge's program ends after {} of {} bytes: {}", at, bytes.size(),
                              count < 0 ? std::strerror(errno) : "it was cut while being read"));
    at += static_cast<std::size_t>(count);
  }
  return bytes;
}

// Loaders are not told the size: what does not begin like code, they might read to no end as text.
bool is_code(const std::vector<char>& bytes) {
  constexpr std::string_view magic[] = {"\177ELF", "__CLANG_OFFLOAD_BUNDLE__",
                                        "CCOB"};  // cubin, code object; HIP's bundles
  const std::string_view text(bytes.data(), bytes.size());
  return std::ranges::any_of(magic, [&](std::string_view m) { return text.starts_with(m); });
}

}  // namespace

CodeObject::CodeObject(int descriptor, api::Stream stream) : stream_(stream), bytes_(contents(descriptor)) {
  if (!is_code(bytes_)) throw Error("the judge's program is no code object; run `podium build` again");
  api::Module module{};
  const auto status = api::module_load_data(&module, bytes_.data());
  if (status != api::success) {
    static_cast<void>(api::last_error());
    throw Error(
        fmt::format("the judge's program cannot be loaded: {}; it may be for another architecture, run "
                    "`podium build` again",
                    describe(status)));
  }
  module_ = Module(module);
}

api::Function CodeObject::find(std::string_view name) {
  if (const auto known = kernels_.find(name); known != kernels_.end()) return known->second;
  const std::string text(name);
  api::Function function{};
  if (api::module_get_function(&function, module_, text.c_str()) != api::success) {
    static_cast<void>(api::last_error());
    throw Error(fmt::format("the judge's program has no kernel '{}'; run `podium build` again", text));
  }
  return kernels_[text] = function;
}

void CodeObject::run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) {
  if (words.size() > most_words)
    throw Error(
        fmt::format("kernel '{}' got {} words; a launch holds at most {}", kernel, words.size(), most_words));
  const api::Function function = find(kernel);
  if (groups < 1) return;
  // The launch copies as many bytes as the kernel declares, which may be more than there are words.
  std::array<std::uint64_t, most_words> argument{};
  std::ranges::copy(words, argument.begin());
  void* arguments[] = {argument.data()};
  check(api::launch(function, static_cast<unsigned>(groups), block_threads, stream_, arguments));
}

}  // namespace podium::gpu
