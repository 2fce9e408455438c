// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A shell script a job, one build.ninja that runs them, and ninja's status lines read as they come.
#include "suite/build/ninja.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <regex>
#include <thread>

#include "suite/base/error.hpp"
#include "suite/build/subprocess.hpp"

namespace podium::build {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t memory_of_one = std::int64_t(2)
                                       << 30;  // bytes; nvcc on CUB's radix sort takes 1.5 GiB
constexpr int grace = 10;                      // seconds between asking a compiler to end and ending it

std::int64_t installed_memory() { return std::int64_t(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE); }

std::int64_t free_memory() {
  std::ifstream lines("/proc/meminfo");
  for (std::string word; lines >> word;)
    if (std::int64_t kib; word == "MemAvailable:" && lines >> kib) return kib << 10;
  return std::numeric_limits<std::int64_t>::max();
}

int parallel_jobs(const Limits& limits) {
  if (limits.parallel > 0) return limits.parallel;
  const auto processors = std::max(1u, std::thread::hardware_concurrency());
  return int(std::clamp<std::int64_t>(free_memory() / memory_of_one, 1, processors));
}

void replace(std::string& text, std::string_view mark, const std::string& by) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

// nvcc takes what is for the host compiler apart at blanks and commas, however quoted. Only the name that
// __FILE__ gives is lost with such a flag.
bool taken_apart(const std::string& flag) {
  return flag.starts_with("-Xcompiler=") && flag.find_first_of(" ,'\"\\\t") != std::string::npos;
}

std::string command_line(const Toolchain& toolchain, const Job& job, const std::string& number) {
  std::string line = shell_quoted(job.command.compiler);
  for (const auto& argument : job.command.arguments) {
    auto text = argument;
    replace(text, "${in}", number + "." + job.command.language);
    replace(text, "${out}", number + ".part");
    replace(text, "${generated}", number);
    replace(text, "${sdk}", toolchain.sdk.string());
    replace(text, "${program}", toolchain.program.string());
    replace(text, "${python}", toolchain.python.string());
    replace(text, "${bin}", toolchain.bin.string());
    replace(text, "${host_compiler}", job.command.host_compiler);
    replace(text, "${folder}", job.source.parent_path().string());
    if (!taken_apart(text)) line += " " + shell_quoted(text);
  }
  return line;
}

// The limit is on the heap, not on address space: what compilers map costs nothing.
std::string script(const Toolchain& toolchain, const Job& job, const std::string& number, std::int64_t heap) {
  return fmt::format(R"(# {what}
ulimit -d {kib} 2> /dev/null
ulimit -c 0 2> /dev/null
set -e
{command}
[ -s {n}.part ] || {{ echo 'podium: the compiler wrote no output' >&2; exit 1; }}
sha256sum --check --status {n}.inputs || {{ echo 'podium: a source file changed while it was compiled; run again' >&2; exit 1; }}
chmod 444 {n}.part
sync {n}.part
mv -f {n}.part {file}
)",
                     fmt::arg("what", job.what), fmt::arg("kib", heap >> 10),
                     fmt::arg("command", command_line(toolchain, job, number)), fmt::arg("n", number),
                     fmt::arg("file", shell_quoted(job.file.string())));
}

std::string checksums(const Job& job) {
  std::string lines;
  for (const auto& input : job.inputs) lines += fmt::format("{}  {}\n", input.sha256, input.file.string());
  return lines;
}

// `exec` leaves timeout at the head of the process group that ninja ends when it is interrupted. Descriptor 3
// keeps ninja's pipe open: at its end ninja stops heeding signals and other jobs, and waits for this one.
std::string build_file(const std::vector<const Job*>& jobs, const Limits& limits) {
  auto text = fmt::format(
      "rule compile\n  command = exec timeout --verbose --kill-after={} {} sh $in 3>&1 > $out.log 2>&1\n  "
      "description = $what\n",
      grace, limits.seconds);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    text += fmt::format("build {}: compile {}.sh\n  what = {}\n", i, i, jobs[i]->what);
  return text;
}

void write(const Toolchain& toolchain, const Scratch& scratch, const std::vector<const Job*>& jobs,
           const Limits& limits) {
  const auto heap = limits.bytes > 0 ? limits.bytes : std::max(installed_memory(), memory_of_one);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& job = *jobs[i];
    const auto number = std::to_string(i);
    make_folder(job.file.parent_path());
    scratch.write(number + "." + job.command.language, job.stub);
    if (!job.header_name.empty()) scratch.write(fs::path(number) / "podium" / job.header_name, job.header);
    scratch.write(number + ".inputs", checksums(job));
    scratch.write(number + ".sh", script(toolchain, job, number, heap));
  }
  scratch.write("build.ninja", build_file(jobs, limits));
  make_folder(scratch.folder() / "temporary");
}

// "[3/7] what", as NINJA_STATUS asks for.
void report(const std::string& line, const Progress& progress) {
  static const std::regex form("\\[([0-9]{1,6})/([0-9]{1,6})\\] (.*)");
  std::smatch parts;
  if (progress && std::regex_match(line, parts, form))
    progress(std::stoi(parts[1]), std::stoi(parts[2]), parts[3]);
}

}  // namespace

void compile(const Toolchain& toolchain, const Scratch& scratch, const std::vector<const Job*>& jobs,
             const Limits& limits, const Progress& progress) {
  write(toolchain, scratch, jobs, limits);
  if (progress) progress(0, int(jobs.size()), "");
  std::string said;
  bool interrupted = false;
  // TMPDIR: what a killed compiler leaves behind goes with the scratch folder.
  const int status = run_program(
      {toolchain.ninja.string(), "-k", "0", "-j", std::to_string(parallel_jobs(limits)), "-C",
       scratch.folder().string()},
      {{"NINJA_STATUS", "[%f/%t] "}, {"LC_ALL", "C"}, {"TMPDIR", (scratch.folder() / "temporary").string()}},
      [&](const std::string& line) {
        if (line.starts_with("ninja: error:")) said = line;
        if (line.find("interrupted by user") != std::string::npos) interrupted = true;
        report(line, progress);
      });
  if (interrupted) throw Error("interrupted while compiling; what was finished is kept");
  if (WIFSIGNALED(status))
    throw Error(fmt::format(
        "{} was ended by signal {} while compiling; what was finished is kept, run again for the rest",
        toolchain.ninja.string(), WTERMSIG(status)));
  if (!said.empty()) throw Error(fmt::format("{}: {}", toolchain.ninja.string(), said));
}

}  // namespace podium::build
