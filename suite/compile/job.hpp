// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One compilation: what goes into it, and where its product will be.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "suite/compile/command.hpp"
#include "suite/compile/content.hpp"

namespace podium::compile {

struct Product {
  enum class Status {
    built,
    failed,
    unavailable,  // a library or compiler that it needs is missing
    unsuited,     // its `arch` does not admit the device
    faulty        // what its file says of it cannot be read, or is wrong
  };
  Status status = Status::built;
  bool cached = false;         // nothing was compiled for it
  std::filesystem::path file;  // plugin or program, if built
  std::filesystem::path log;   // the compiler's whole output: if it failed, or warned just now
  std::string message;  // if not built, one sentence: the line of the log that matters; a judge's program may
                        // have one for each wrong line of the problem
  // Files besides its own that it could include, as named from its folder, and their hashes.
  std::map<std::string, std::string> included{};
  std::map<std::string, std::shared_ptr<const std::string>> texts{};  // of these, by hash
};

// Of one compilation; docs/trust.md says what honest ones take.
struct Limits {
  int seconds = 300;                          // of processor time of a process, and a quarter of all its time
  std::int64_t bytes = 0;                     // of memory; 0: 16 GiB, or what the machine has
  std::int64_t disk = std::int64_t{2} << 30;  // bytes of all files that it writes
  std::int64_t log = 16 << 20;                // bytes that it says
  int parallel = 0;  // compilations at a time; 0: as many as processors and free memory allow
};

// As PODIUM_COMPILE_LIMITS changes them, "seconds=600,memory=32GiB,disk=4GiB". Throws podium::Error if it is
// none such.
Limits limits_of_compilation();

struct Job {
  std::string what;                     // for people: "softmax/f32/online.gpu.cpp for cuda sm_90"
  std::filesystem::path source, shown;  // absolute, and as the user knows it
  Command command;
  std::string stub;                 // what is compiled: includes "${source}", or is the generated program
  std::string header_name, header;  // the generated header; contestants only
  std::string generated;            // header or program as it goes into the key: without paths
  std::vector<std::string> names;   // that the problem's terms may use; judge's programs only
  std::vector<Input> inputs;        // all files that the compilation can read, but for the tool chain's
  std::string searched;             // state of the folders that compilers search besides: search_path.hpp
  bool names_source = false;        // its source is one of several files of the problem's, all by their names
  bool trusted = false;             // no text of a contestant's: compiled outside of the sandbox
  std::filesystem::path file, log;  // in the cache
  Product::Status obstacle = Product::Status::built;  // why it cannot be compiled now, if it cannot
  std::string message;                                // of the obstacle
  // Of a sealed contestant, which is compiled in parts, jobs of their own: makes one product of theirs.
  // Nothing else is set then but `what`, `shown` and obstacles.
  std::vector<std::size_t> parts;
  std::function<Product(const std::vector<Product>& parts)> assemble;
};

// Generated text leads errors back to the problem by its path, which is no part of the content.
std::string without_path(std::string text, const std::string& path);

// Notes why it cannot be compiled; the first reason counts.
inline void note_obstacle(Job& job, Product::Status obstacle, const std::string& sentence) {
  if (job.obstacle != Product::Status::built) return;
  job.obstacle = obstacle;
  job.message = sentence;
}

// Variables besides the command that change what compilers do.
const std::vector<const char*>& compiler_variables();

// Digest of all that determines the product: 64 hexadecimal digits. Paths of checkout, build folder and cache
// do not.
std::string key_of(const Job& job);

}  // namespace podium::compile
