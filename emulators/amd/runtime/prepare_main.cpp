// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// prepare FILE...: translates the device code of programs, plugins and code objects into the cache, before
// anybody waits for it under a time limit. Says on standard error what could not be translated; whoever runs
// it is told again.
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "emulators/amd/runtime/code_object.hpp"
#include "emulators/amd/runtime/target.hpp"
#include "emulators/amd/runtime/translation.hpp"
#include "suite/base/error.hpp"
#include "suite/fatbin/bundle.hpp"

namespace {

namespace bundle = podium::bundle;

void translate_all(const char* image) {
  const podium::amd::CodeObject code(image, podium::amd::target());
  std::set<int> waves;
  for (const auto& [name, kernel] : code.kernels()) waves.insert(kernel.wave);
  for (const int wave : waves) podium::amd::translate(code, wave, podium::amd::target().name);
}

// Not any four letters of a program.
bool is_compressed_bundle(std::string_view bytes) {
  try {
    return bundle::header_of(bytes).stored_bytes <= bytes.size();
  } catch (const podium::Error&) {
    return false;
  }
}

// A code object, or whatever holds bundles of them: a host program has one for each of its translation units.
bool prepare(const char* name) {
  std::ifstream file(name, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string_view text(bytes.data(), bytes.size());
  constexpr std::size_t machine_at = 18;
  constexpr char amdgpu = static_cast<char>(224);
  bool well = !bytes.empty();
  const auto attempt = [&](std::size_t at) {
    try {
      translate_all(bytes.data() + at);
    } catch (const std::exception& e) {
      fmt::print(stderr, "{}: {}\n", name, e.what());
      well = false;
    }
  };
  if (text.starts_with("\177ELF") && bytes.size() > machine_at && bytes[machine_at] == amdgpu) attempt(0);
  for (const auto magic : {bundle::magic, bundle::compressed_magic})
    for (auto at = text.find(magic); at != std::string_view::npos; at = text.find(magic, at + 1))
      if (magic != bundle::compressed_magic || is_compressed_bundle(text.substr(at))) attempt(at);
  return well;
}

}  // namespace

int main(int argc, char** argv) {
  bool well = true;
  for (int i = 1; i < argc; ++i) well = prepare(argv[i]) && well;
  return well ? 0 : 1;
}
