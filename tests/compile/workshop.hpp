// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A small checkout of its own in a temporary folder, and a compiler that is a shell script: fast, and it can
// be told to fail, to hang, and to kill.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "suite/compile/builder.hpp"
#include "suite/problem/parse/parse.hpp"

namespace podium::compile {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    auto name =
        (fs::temp_directory_path() / "podium test XXXXXX").string();  // with blanks, as users have them
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  fs::path write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  fs::path path_;
};

inline std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

constexpr const char* scale_yaml = R"yaml(podium: 1
title: Scaling
axes: [n]
types: { real: [f32, f64] }
tensors:
  x: { role: input, dtype: real, shape: [n], fill: ones }
  y: { role: output, dtype: real, shape: [n], tolerance: { ulp: 1, growth: 0 } }
reference:
  y: { index: [i], value: "2 * x(i)" }
workloads:
  test: [ { n: 5 } ]
  quick: [ { n: 100 } ]
  bench: [ { n: 1000 } ]
)yaml";

// A contestant of it, right and native.
constexpr const char* native = R"cpp(
#include <podium/scale.hpp>
  namespace {
  struct Contestant {
    void run(const problem::Arguments& a, podium::Stream) {
      for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = 2 * a.x(i);
    }
  };
  }  // namespace
)cpp";

// The last argument but one is what `-o` is followed by; the source is the one that ends in .cpp.
constexpr const char* script = R"sh(#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in -o) out=$2; shift;; *.cpp) in=$1;; esac
  shift
done
source=$(sed -n 's/^#include "\(.*\)"$/\1/p' $in)
[ -n "$source" ] || source=$in
echo "compiled $source" > $out
eval "$(sed -n 's|^// do: ||p' "$source")"
)sh";

// A checkout with problem `scale`, whose contestants are made by contestant(); `// do: COMMAND` in one is
// what the compiler does after writing its output to $out.
class Workshop {
 public:
  Workshop() {
    folder.write("sdk/podium/podium.hpp", "// the SDK\n");
    folder.write("program/podium_program.hpp", "// the program's header\n");
    folder.write("kernels/scale/problem.yaml", scale_yaml);
    folder.write("cc", script);
    fs::permissions(folder.path() / "cc", fs::perms::owner_all);
    auto& host = tools.backends["host"];
    host.compiler = host.program_compiler = (folder.path() / "cc").string();
    host.version = host.program_version = "cc 1.0";
    host.flags = {"-emulate"};
    host.native_flags = {"-native"};
    host.needs["there"] = {
        .found = true, .version = "1", .compile = {"-Ithere"}, .link = {"-lthere"}, .hint = ""};
    host.needs["absent"] = {
        .found = false, .version = "", .compile = {}, .link = {}, .hint = "install libabsent-dev"};
    tools.file = folder.path() / "toolchain.yaml";
    tools.sdk = folder.path() / "sdk";
    tools.program = folder.path() / "program";
  }

  fs::path contestant(const std::string& file, const std::string& body,
                      const std::string& metadata = "") const {
    return folder.write("kernels/scale/" + file, "// podium:\n//   title: t\n" + metadata + body);
  }
  problem::Problem problem() const { return problem::load(folder.path() / "kernels/scale/problem.yaml"); }
  std::vector<Contestant> contestants() const {
    return discover(problem(), problem_files(folder.path() / "kernels/scale"), "host");
  }
  fs::path cache() const { return folder.path() / "cache"; }

  // All contestants, for the first choice of types.
  std::vector<Product> build(const Limits& limits = {}, const Progress& progress = nullptr) const {
    Builder builder(tools, cache(), limits);
    const auto p = problem();
    for (const auto& c : contestants()) builder.add(p, p.choices[0], c, "host", "");
    return builder.run(progress);
  }

  Folder folder;
  Toolchain tools;
};

inline int files_in(const fs::path& folder) {
  std::error_code missing;
  int count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder, missing)) ++count;
  return count;
}

}  // namespace podium::compile
