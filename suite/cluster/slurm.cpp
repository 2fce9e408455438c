// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/slurm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "suite/base/error.hpp"
#include "suite/cluster/program.hpp"

namespace podium::cluster {
namespace {

// Of squeue; states are not abbreviated.
constexpr const char* task_format = "%i|%T|%N|%r";

std::string value_of(const std::string& text, const std::string& key) {
  const auto at = text.find(" " + key + "=");
  if (at == text.npos) return "";
  const auto begin = at + key.size() + 2;
  return text.substr(begin, text.find_first_of(" \n", begin) - begin);
}

// "FAILED" and "1:0" (status, signal).
std::string ended_text(const std::string& state, const std::string& code) {
  const auto colon = code.find(':');
  if (state.empty() || colon == code.npos) return state;
  const std::string status = code.substr(0, colon), signal = code.substr(colon + 1);
  if (signal != "0") return fmt::format("{}, by signal {}", state, signal);
  return status == "0" ? state : fmt::format("{}, exit status {}", state, status);
}

}  // namespace

std::string submit_job(const std::vector<std::string>& options, const std::string& script) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script);
  const Said said = run_tool(words);
  if (said.status != 0) throw Error("sbatch: " + last_sentence(said.err.empty() ? said.out : said.err));
  std::string job = said.out.substr(0, said.out.find_first_of(";\n"));  // "JOB;CLUSTER"
  if (job.empty() || job.find_first_not_of("0123456789") != job.npos)
    throw Error(fmt::format("sbatch: found \"{}\", expected a job's number", said.out));
  return job;
}

Tasks tasks_in(const std::string& answer) {
  Tasks all;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string id;
    Task task;
    if (std::getline(fields, id, '|') && std::getline(fields, task.state, '|')) {
      std::getline(fields, task.node, '|');
      std::getline(fields, task.reason, '|');
      all.emplace(id, std::move(task));
    }
  }
  return all;
}

Tasks tasks_of(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const Said said =
      run_tool({"squeue", "--noheader", "--array", fmt::format("--user={}", ::getuid()),
                fmt::format("--name={}", fmt::join(names, ",")), fmt::format("--format={}", task_format)});
  if (said.status != 0) throw Error("squeue: " + last_sentence(said.err.empty() ? said.out : said.err));
  return tasks_in(said.out);
}

std::string end_of(const std::string& task) {
  const Said shown = run_tool({"scontrol", "--oneliner", "show", "job", task});
  if (shown.status == 0) return ended_text(value_of(shown.out, "JobState"), value_of(shown.out, "ExitCode"));
  const Said accounted = run_tool(
      {"sacct", "--noheader", "--parsable2", "--allocations", "--jobs=" + task, "--format=State,ExitCode"});
  const auto line = accounted.out.substr(0, accounted.out.find('\n'));
  const auto bar = line.find('|');
  if (accounted.status != 0 || bar == line.npos) return "";
  return ended_text(line.substr(0, bar), line.substr(bar + 1));
}

void cancel_jobs(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return;
  std::vector<std::string> words{"scancel"};
  words.insert(words.end(), jobs.begin(), jobs.end());
  const Said said = run_tool(words);
  if (said.status != 0) throw Error("scancel: " + last_sentence(said.err.empty() ? said.out : said.err));
}

int largest_array() {
  constexpr int usual = 1001;  // Slurm's default
  const Said said = run_tool({"scontrol", "show", "config"});
  if (said.status != 0) throw Error("scontrol: " + last_sentence(said.err.empty() ? said.out : said.err));
  const auto at = said.out.find("MaxArraySize");
  const auto equals = at == said.out.npos ? at : said.out.find('=', at);
  const long found =
      equals == said.out.npos ? usual : std::strtol(said.out.c_str() + equals + 1, nullptr, 10);
  return found > 0 ? static_cast<int>(found) : usual;
}

}  // namespace podium::cluster
