// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/staging.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <wordexp.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "suite/base/error.hpp"
#include "suite/compile/cache.hpp"
#include "suite/record/calibration.hpp"
#include "suite/record/record.hpp"
#include "suite/sandbox/locked_folder.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

// "$TMPDIR/x" as a shell has it in double quotes, without commands.
std::string expanded(const std::string& home) {
  std::string quoted = "\"";
  for (const char c : home) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  wordexp_t words{};
  const int failed = ::wordexp((quoted + "\"").c_str(), &words, WRDE_NOCMD | WRDE_UNDEF);
  const std::string first = !failed && words.we_wordc == 1 ? words.we_wordv[0] : "";
  if (!failed) ::wordfree(&words);
  if (first.empty() || first.front() != '/')
    throw Error(fmt::format(
        "scratch: found \"{}\", expected a folder of the node, in which every variable is set", home));
  return first;
}

std::string usual_home() {
  const char* given = std::getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

std::string text_of_file(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

bool is_text(const fs::path& file) {
  const auto name = file.filename();
  return name == "run.json" || name == "entries.jsonl" || file.extension() == ".tmp";
}

// A product, or its seal or log, as a cache wants it.
void publish_copy(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  if (fs::exists(to, failure)) return;
  std::string part;
  const Descriptor made = compile::part_of(to, part);
  if (made && fs::copy_file(from, part, fs::copy_options::overwrite_existing, failure) &&
      compile::publish(part, to))
    return;
  if (made) ::unlink(part.c_str());
}

// Of one problem's folder of a cache. Seals go last: what has one is whole.
void copy_products(const fs::path& from, const fs::path& to) {
  std::error_code none;
  std::vector<fs::path> seals;
  for (const auto& entry : fs::directory_iterator(from, none)) {
    if (!entry.is_regular_file(none) || entry.path().extension() == ".part") continue;
    if (entry.path().extension() == ".sha256")
      seals.push_back(entry.path());
    else
      publish_copy(entry.path(), to / entry.path().filename());
  }
  for (const auto& seal : seals) publish_copy(seal, to / seal.filename());
}

}  // namespace

void keep_problems(const fs::path& campaign, const fs::path& problems) {
  const fs::path kept = campaign / "problems", part = campaign / "problems.part";
  std::error_code failure;
  const bool begun = fs::directory_iterator(campaign / "shards", failure) != fs::directory_iterator();
  if (begun && fs::exists(kept, failure)) return;
  fs::remove_all(part, failure);
  copy_in(problems, part, "the campaign's problems");
  fs::remove_all(kept, failure);
  fs::rename(part, kept, failure);
  if (failure) throw Error(fmt::format("{}: cannot be made: {}", kept.string(), failure.message()));
}

NodeScratch::NodeScratch(const std::string& home, const std::string& campaign) {
  const fs::path at = expanded(home.empty() ? usual_home() : home);
  const std::string prefix = "podium-" + campaign + "-";
  std::error_code failure;
  fs::create_directories(at, failure);
  sandbox::each_abandoned_folder(at, prefix.c_str(), [](const fs::path& left) {
    std::error_code ignored;
    fs::remove_all(left, ignored);
  });
  auto [path, lock] = sandbox::make_locked_folder(at, prefix.c_str());
  if (!lock)
    throw Error(
        fmt::format("scratch: {}: no folder can be made there: {}; let the partition's scratch name another",
                    at.string(), std::strerror(errno)));
  folder_ = std::move(path);
  lock_ = std::move(lock);
}

NodeScratch::~NodeScratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void copy_in(const fs::path& from, const fs::path& to, const std::string& what) {
  std::error_code failure;
  fs::create_directories(to.parent_path(), failure);
  if (!failure)
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, failure);
  if (failure)
    throw Error(fmt::format("{}: {} cannot be copied there: {}", to.string(), what, failure.message()));
}

void stage_products(const fs::path& campaign, const fs::path& cache,
                    const std::vector<std::string>& problems) {
  std::error_code ignored;
  for (const std::string& problem : problems) {
    if (!fs::exists(campaign / "products" / problem, ignored)) continue;
    compile::make_folder(cache / problem);
    copy_products(campaign / "products" / problem, cache / problem);
  }
}

void bring_products(const fs::path& cache, const fs::path& campaign) {
  std::error_code none;
  for (const auto& folder : fs::directory_iterator(cache, none)) {
    const auto name = folder.path().filename();
    if (!folder.is_directory(none) || name == "scratch" || name == "users") continue;
    compile::make_folder(campaign / "products" / name);
    copy_products(folder.path(), campaign / "products" / name);
  }
}

void bring_calibrations(const fs::path& campaign) {
  std::error_code none;
  for (const auto& file : fs::directory_iterator(campaign / "calibrations", none)) {
    if (file.path().extension() != ".json") continue;
    const auto calibration = record::read_calibration(file.path());
    const fs::path to = record::calibration_file(campaign / "results", calibration.provenance.device);
    if (!fs::exists(to, none) ||
        record::read_calibration(to).provenance.started < calibration.provenance.started)
      record::write_calibration(to, calibration);
  }
}

std::int64_t entries_bytes(const fs::path& run) {
  std::error_code none;
  const auto bytes = fs::file_size(run / "entries.jsonl", none);
  return none ? 0 : static_cast<std::int64_t>(bytes);
}

void bring_run(const fs::path& run, const fs::path& to, bool ended) {
  std::error_code failure;
  fs::create_directories(to, failure);
  if (failure) throw Error(fmt::format("{}: cannot be made: {}", to.string(), failure.message()));
  // Read in the other order: an entry's sources and board are there before it is.
  const std::string entries = text_of_file(run / "entries.jsonl"),
                    provenance = text_of_file(run / "run.json");
  if (provenance.empty()) return;
  const unsigned mode = ended ? record::public_file : record::private_file;
  for (fs::recursive_directory_iterator at(run, failure), end; !failure && at != end; at.increment(failure)) {
    const fs::path copy = to / at->path().lexically_relative(run);
    if (at->is_directory()) {
      fs::create_directories(copy, failure);
      continue;
    }
    const bool source = at->path().parent_path().filename() == "sources";
    if (is_text(at->path()) || (source ? fs::exists(copy) : !ended)) continue;
    record::write_file(copy, text_of_file(at->path()), record::public_file);
  }
  record::write_file(to / "run.json", provenance, mode);
  record::write_file(to / "entries.jsonl", entries, mode);
  fs::permissions(to, fs::status(run).permissions(), failure);
}

}  // namespace podium::cluster
