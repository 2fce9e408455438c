// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/command.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/paths.hpp"

namespace podium::test {
namespace {

std::string content(int fd) {
  std::string text;
  char part[4096];
  off_t at = 0;
  for (ssize_t got; (got = pread(fd, part, sizeof part, at)) > 0; at += got)
    text.append(part, static_cast<std::size_t>(got));
  return text;
}

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();  // of a process that ends meanwhile: nothing, and no exception
  return text.str();
}

std::string program_of(pid_t pid) { return slurp(fs::path("/proc") / std::to_string(pid) / "cmdline"); }

// Results, or a zero for a process that has ended.
pid_t parent_of(pid_t pid) {
  const std::string stat = slurp(fs::path("/proc") / std::to_string(pid) / "stat");
  const auto close = stat.rfind(')');
  if (close == std::string::npos || stat.substr(close + 2, 1) == "Z") return 0;
  return std::stoi(stat.substr(close + 4));
}

}  // namespace

Scratch::Scratch() {
  std::string pattern = (fs::temp_directory_path() / "podium-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no scratch folder");
  path_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path Scratch::write(const fs::path& file, const std::string& text) const {
  const fs::path at = path_ / file;
  fs::create_directories(at.parent_path());
  std::ofstream(at, std::ios::binary) << text;
  return at;
}

fs::path Scratch::copy_of(const std::string& problem) const {
  const fs::path folder = path_ / "problems" / problem;
  fs::create_directories(folder);
  fs::copy(fs::path(source_dir()) / "kernels" / problem, folder, fs::copy_options::recursive);
  return folder;
}

std::vector<record::Run> Scratch::runs() const {
  std::vector<fs::path> folders;
  if (fs::exists(results()))
    for (const auto& entry : fs::recursive_directory_iterator(results()))
      if (entry.path().filename() == "run.json") folders.push_back(entry.path().parent_path());
  // Names tell runs of one second apart, but not which was first.
  std::ranges::sort(folders, {}, [](const auto& folder) { return fs::last_write_time(folder / "run.json"); });
  std::vector<record::Run> all;
  for (const auto& folder : folders) all.push_back(record::read(folder));
  return all;
}

Command::Command(const std::vector<std::string>& arguments)
    : out_(memfd_create("out", MFD_CLOEXEC)), err_(memfd_create("err", MFD_CLOEXEC)) {
  const std::string program = programs_dir() + "/podium";
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out_, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);  // whatever started the test
    setenv("PODIUM_CACHE", cache_dir().c_str(), 1);
    // Of tests/cheats, what knows Podium's own headers.
    const std::string suite = source_dir() + "/suite/";
    setenv("PODIUM_INCLUDE",
           (suite + "base/verdict.hpp:" + suite + "protocol:" + suite + "problem/program").c_str(), 0);
    if (std::getenv("PODIUM_TEST_PROGRAMS"))  // which do not lie beside it
      setenv("PODIUM_TOOLCHAIN", toolchain().c_str(), 1);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
}

Command::~Command() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

Ended Command::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out_), content(err_)};
}

bool Command::running() {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

std::vector<pid_t> Command::children() const {
  std::vector<pid_t> all;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); })) continue;
    const pid_t pid = std::stoi(name);
    for (pid_t at = parent_of(pid); at > 1; at = parent_of(at))
      if (at == pid_) {
        all.push_back(pid);
        break;
      }
  }
  return all;
}

std::vector<pid_t> Command::processes(const std::string& name) const {
  auto all = children();
  std::erase_if(all, [&](pid_t pid) { return program_of(pid).find(name) == std::string::npos; });
  return all;
}

std::string device() {
  const char* named = std::getenv("PODIUM_TEST_DEVICE");
  return named ? named : "host";
}

Ended podium(const std::vector<std::string>& arguments) { return Command(arguments).wait(); }

const record::Entry* find(const record::Run& run, const std::string& contestant, const std::string& verdict) {
  for (const auto& entry : run.entries)
    if (entry.contestant == contestant && entry.verdict.word() == verdict) return &entry;
  return nullptr;
}

}  // namespace podium::test
