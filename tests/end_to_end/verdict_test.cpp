// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants that cheat or err get the verdict their files expect, and the honest are still ranked. Files:
// tests/{cheats,wrong,honest}/<problem>/NAME, each with lines
//   // expect: verdict    several: `a | b`; `right` alone: nothing else, ever
//   // class: words       of docs/trust.md, where it cheats
//   // with: options      of `podium run` for it, such as a limit of memory; those with the same run together
//   // needs: sandbox     left out, and said so, where the machine grants none
//   // needs: triton      or cutile: the same, where that compiler is not installed
//   // needs: python      likewise; but with PODIUM_TEST_PYTHON set it fails there
//   // needs: python NAME left out where the interpreter for contestants has no such package
//   // needs: hold        the same, where podium may not hold workers between their turns
//   // needs: memory group   the same, where podium may not make control groups
//   // needs: two devices the same, where there is one, or the others cannot be hidden
//   // void: graph        that column of its has no time
//   // gains nothing over: FILE   of a cheat that is ranked: the honest one that is no slower
//   // beside: FILE       the honest one that runs with it
// Whom a file so names must be right in every row.
// A folder with a problem.yaml of its own is a problem like those of kernels/.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "suite/base/pressure.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/record/metrics.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/end_to_end/verdict_rows.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

const std::string backend = device().substr(0, device().find(':'));

struct Subject {
  fs::path file;
  std::string name, cheats, with, needs, void_column, honest, beside;
  std::vector<std::string> expected;
  bool right() const { return expected == std::vector<std::string>{"right"}; }
  bool lies() const { return std::ranges::find(expected, "clock") != expected.end(); }
  // Its verdict, or its rank, is of times.
  bool timed() const { return lies() || right() || !honest.empty(); }
  bool needs_compiler() const {
    return needs == "triton" || needs == "cutile" || needs.starts_with("python ") ||
           (needs == "python" && !std::getenv("PODIUM_TEST_PYTHON"));
  }
};

bool runs_here(const std::string& file) {
  if (file.ends_with(".sealed.yaml") || file.ends_with(".sealed.py")) return backend == "cuda";
  if (file.find(".sealed.") != std::string::npos && backend == "host") return false;
  if (file.ends_with(".py")) return backend == "host";
  if (file.ends_with(".gpu.cpp")) return true;
  if (file.ends_with(".cu")) return backend == "cuda";
  if (file.ends_with(".hip")) return backend == "hip";
  return file.ends_with(".cpp") && backend == "host";
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(" \r") + 1);
  return text;
}

std::vector<std::string> words(const std::string& text, char between) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, between);)
    if (!trimmed(word).empty()) all.push_back(trimmed(word));
  return all;
}

std::vector<Subject> subjects(const fs::path& folder) {
  std::vector<Subject> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename();
    if (!runs_here(file)) continue;
    Subject subject{.file = entry.path(), .name = file.substr(0, file.find('.'))};
    std::string expected;
    std::ifstream in(entry.path());
    const std::string comment = file.ends_with(".yaml") || file.ends_with(".py") ? "# " : "// ";
    const std::vector<std::pair<std::string, std::string*>> marks{
        {comment + "expect:", &expected},          {comment + "class:", &subject.cheats},
        {comment + "with:", &subject.with},        {comment + "needs:", &subject.needs},
        {comment + "void:", &subject.void_column}, {comment + "gains nothing over:", &subject.honest},
        {comment + "beside:", &subject.beside}};
    for (std::string line; std::getline(in, line);)
      for (const auto& [mark, value] : marks)
        if (line.starts_with(mark)) *value = trimmed(line.substr(mark.size()));
    subject.expected = words(expected, '|');
    if (!subject.expected.empty()) all.push_back(subject);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

bool waits_for_sandbox(const Subject& subject) {
  if (!subject.needs.starts_with("sandbox")) return false;
  static const bool granted = podium({"doctor", "--require-sandbox"}).status == 0;
  return !granted;
}

bool waits_for_means(const Subject& subject) {
  const std::map<std::string, std::string> names{{"hold", "held while parked"},
                                                 {"memory group", "memory group"}};
  const auto name = names.find(subject.needs);
  if (name == names.end()) return false;
  static const std::string said = podium({"doctor"}).out;
  return said.find("yes  " + name->second) == std::string::npos;
}

int devices_of(const std::string& kind) {
  const auto listed = podium({"list", "devices", "--format", "json"});
  if (listed.status != 0) return 0;
  int count = 0;
  for (const auto& one : nlohmann::json::parse(listed.out))
    count += one.at("available").get<bool>() && !one.contains("emulated") &&
             one.at("device").get<std::string>().starts_with(kind + ":");
  return count;
}

bool hides_devices() {
  const std::string said = podium({"doctor"}).out;
  return said.find("yes  one device") != std::string::npos &&
         said.find("no   one device") == std::string::npos;
}

bool waits_for_devices(const Subject& subject) {
  if (subject.needs != "two devices") return false;
  static const bool two = devices_of(backend) >= 2 && hides_devices();
  return !two;
}

// Where other processes take the processors nobody is accused of lying about time. Of what a liar says there
// only what makes it no faster than the baseline may pass: some tell the truth now and then.
bool got_no_lie(const record::Entry& entry, const record::Run& run) {
  if (entry.verdict.word() == "not attested") return true;
  if (entry.verdict.word() != "right") return false;
  constexpr double noise = 0.2;
  std::string baseline;
  for (const auto& board : run.provenance.at("boards"))
    if (board.at("problem") == entry.problem && board.at("types") == entry.types)
      baseline = board.at("baseline");
  const auto slower_than_baseline = [&](const record::Entry& other) {
    return other.problem == entry.problem && other.types == entry.types && other.workload == entry.workload &&
           other.round == entry.round && other.verdict.word() == "right" &&
           entry.median.value > (1 - noise) * other.median.value && other.contestant == baseline;
  };
  return entry.judged || std::ranges::any_of(run.entries, slower_than_baseline);
}

// The honest are ranked among themselves, whoever cheated beside them. A cheat has a rank only if what it
// tries comes to nothing: then it takes as long as the honest one that it names.
void expect_ranks(const Scratch& scratch, const std::vector<Subject>& cheats, bool busy) {
  fs::path file;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.results()))
    if (entry.path().filename() == "report.json") file = entry.path();
  const auto report = nlohmann::json::parse(std::ifstream(file));
  std::map<std::string, double> ranked;       // microseconds
  std::map<std::string, std::string> others;  // what is said of them
  for (const auto& board : report.at("boards"))
    for (const auto& row : board.at("rows"))
      if (row.at("rank").is_null())
        others.emplace(row.at("contestant"), row.at("verdict").dump() + ": " + row.at("text").dump());
      else
        ranked.emplace(row.at("contestant"), row.at("time_us"));
  const std::string baseline = backend == "host" ? "threads" : "cub";
  EXPECT_TRUE(ranked.contains(baseline)) << baseline << " has no rank; " << others[baseline];
  for (const auto& cheat : cheats) {
    if (!cheat.right() && (cheat.honest.empty() || !ranked.contains(cheat.name))) {
      EXPECT_FALSE(ranked.contains(cheat.name) && !(busy && cheat.lies())) << cheat.name << " was ranked";
      continue;
    }
    const std::string honest = cheat.honest.substr(0, cheat.honest.find('.'));
    ASSERT_TRUE(ranked.contains(cheat.name)) << cheat.name << " has no rank; " << others[cheat.name];
    ASSERT_TRUE(ranked.contains(honest))
        << cheat.name << " gains nothing over \"" << honest << "\": no rank; " << others[honest];
    constexpr double noise = 0.1;
    EXPECT_GT(ranked[cheat.name], (1 - noise) * ranked[honest]) << cheat.name << " gained, in microseconds";
  }
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const auto& each : all) text += (text.empty() ? "" : " | ") + each;
  return text;
}

// What became of one contestant against what its file expects.
void expect_verdict(const Subject& subject, const record::Run& run, Count& count) {
  bool lied = false;
  bool ahead = false;  // right where its answer takes long enough to be caught
  for (const auto& entry : run.entries) {
    if (entry.contestant != subject.name) continue;
    lied = lied || (entry.round >= 0 && !got_no_lie(entry, run));
    ahead = ahead || (entry.verdict.word() == "right" && entry.workload != "n=1" && entry.workload != "n=2");
    EXPECT_TRUE(std::none_of(entry.text.begin(), entry.text.end(),
                             [](unsigned char c) { return c < ' ' || c == 0x7f; }))
        << subject.name << ": control characters in its row";
    EXPECT_EQ(entry.text.find("\xc2\x9b"), std::string::npos)
        << subject.name << ": a control sequence, in one of C1";
    if (subject.void_column == "graph") {
      EXPECT_TRUE(entry.measured[record::graph].samples.empty()) << subject.name << " has a time as a graph";
    }
  }
  const Outcome outcome = outcome_of(run, subject.name);
  const auto& got = outcome.got;
  if (subject.needs_compiler() && got.size() == 1 && got.contains("missing library")) {
    print_row(subject.name, subject.cheats, joined(subject.expected), "left out: needs " + subject.needs);
    return;
  }
  print_row(subject.name, subject.cheats, joined(subject.expected), outcome.cell());
  const bool expected =
      (count.busy && subject.lies() && !lied) ||
      std::ranges::any_of(subject.expected, [&](const auto& verdict) { return got.contains(verdict); });
  const bool alone = !subject.right() || got.size() == 1;
  ++count.rows;
  count.judged += outcome.judged > 0;
  count.unexpected += !(expected && alone);
  EXPECT_TRUE(expected && alone) << subject.file << " got\n" << outcome.evidence();
  // One that prepares its answer ahead must never get away with it, not even once. Of one or two elements
  // the answer is made in the nanoseconds in which the threads of a process wake up one after the other.
  if (subject.name.starts_with("watching")) {
    EXPECT_FALSE(ahead) << subject.name << " got\n" << outcome.evidence();
  }
}

// Those that cheats name as honest, whatever runs beside them.
void expect_right(const std::set<std::string>& honest, const record::Run& run) {
  for (const auto& entry : run.entries)
    EXPECT_TRUE(!honest.contains(entry.contestant) || entry.verdict.word() == "right")
        << entry.contestant << ", in round " << entry.round << ", got " << entry.verdict.word() << ": "
        << entry.text;
}

// Contestants of one folder that run with the same options.
void expect_verdicts(const std::string& kind, const fs::path& folder, const std::vector<Subject>& all,
                     Count& total) {
  const std::string problem = folder.filename();
  const bool own = fs::exists(folder / "problem.yaml");
  const std::string& with = all.front().with;
  ASSERT_TRUE(with.empty() || with.starts_with("--")) << all.front().file << ": \"with: " << with << "\"";
  const bool held = std::ranges::any_of(all, [](const auto& s) { return !s.honest.empty(); });
  const bool ranks = kind == "cheats" && problem == "sum" && (with.empty() || held);
  // The wrong are seen when they are verified; what a run makes of them, of one problem's.
  const bool timed = kind != "wrong" || problem == "sum";
  const Scratch scratch;
  // Seconds that each who hangs takes of this test. A GPU's context alone takes one; emulated kernels take
  // long beside other tests, or under sanitizers.
#if defined(__SANITIZE_ADDRESS__)
  const char* timeout = "4";
#else
  const char* timeout = backend == "host" && kind == "cheats" ? "2" : "4";
#endif
  std::vector<std::string> arguments = {
      timed ? "run" : "verify", problem, "--device", device(), "--timeout", timeout};
  if (with.find("--setup-timeout") == std::string::npos)
    arguments.insert(arguments.end(), {"--setup-timeout", timeout});
  for (const auto& word : words(with, ' ')) arguments.push_back(word);
  if (timed) {
    arguments.insert(arguments.end(), {"--quick", "--results", scratch.results().string()});
    if (with.find("--rounds") == std::string::npos)
      arguments.insert(arguments.end(), {"--rounds", ranks ? "7" : "1"});  // with 7 there are ranks
    if (kind == "wrong") arguments.emplace_back("--cold-only");            // columns are later
  } else {
    const auto described = own ? folder : fs::path(source_dir()) / "kernels" / problem;
    arguments.insert(arguments.end(),
                     {"--contestant", problem::load(described / "problem.yaml").baseline.at(backend)});
  }
  if (own) arguments.insert(arguments.end(), {"--problems", folder.parent_path().string()});
  std::set<fs::path> files;
  std::set<std::string> honest_ones;
  for (const auto& subject : all) {
    files.insert(subject.file);
    for (const auto& other : {subject.honest, subject.beside}) {
      if (other.empty()) continue;
      files.insert(folder / other);
      honest_ones.insert(other.substr(0, other.find('.')));
    }
  }
  for (const auto& file : files) arguments.insert(arguments.end(), {"--contestant", file.string()});
  const double waited = waited_for_processors();
  const auto start = std::chrono::steady_clock::now();
  const auto ended = podium(arguments);
  const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
  const bool busy = waited_for_processors() - waited > 0.5 * wall.count();
  if (busy)
    print_row("(others took the processors: a liar is not accused, but must gain nothing)", "", "", "");
  constexpr int no_device = 3;
  if (ended.status == no_device && backend != "host") GTEST_SKIP() << ended.err;
  const auto runs = timed ? scratch.runs() : std::vector{record::Run{.entries = verified_rows(ended.out)}};
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  const auto all_are = [&](bool (Subject::*what)() const) {
    return std::ranges::all_of(all, [&](const Subject& s) { return (s.*what)(); });
  };
  if (!(busy && all_are(&Subject::lies))) {
    EXPECT_EQ(ended.status, all_are(&Subject::right) ? 0 : 1) << ended.err << ended.out;
  }
  Count count{.busy = busy};
  for (const auto& subject : all) expect_verdict(subject, runs[0], count);
  expect_right(honest_ones, runs[0]);
  total = {total.rows + count.rows, total.unexpected + count.unexpected, total.judged + count.judged,
           total.busy || busy};
  const auto honest =  // whatever the baseline is called here
      std::count_if(runs[0].entries.begin(), runs[0].entries.end(), [&](const record::Entry& e) {
        return (e.round >= 0 || !timed) && e.verdict.word() == "right" &&
               (own ||
                std::none_of(all.begin(), all.end(), [&](const auto& s) { return s.name == e.contestant; }));
      });
  EXPECT_GE(honest, timed ? 2 : 1) << "the baseline was not right beside them\n" << ended.out;
  if (ranks) expect_ranks(scratch, all, busy);
}

// Some contestants of a folder, all with the same options: what one test takes is bounded.
struct Part {
  std::string kind, problem;
  std::vector<Subject> subjects;
  bool timed = false;
  int number = 0;  // from 1 on; 0: the folder has this one alone
};

// A liar about time is looked at again and again, with rests between, and the longer the busier the machine
// is.
constexpr int most_in_a_part = 12, looks_of_a_liar = 6;
int weight(const Subject& subject) { return subject.lies() ? looks_of_a_liar : 1; }

struct Verdicts : testing::TestWithParam<Part> {};

TEST_P(Verdicts, AreThoseExpected) {
  const Part& part = GetParam();
  const fs::path folder = fs::path(source_dir()) / "tests" / part.kind / part.problem;
  std::vector<Subject> running, waiting;
  for (const auto& subject : part.subjects)
    (waits_for_sandbox(subject) || waits_for_means(subject) || waits_for_devices(subject) ? waiting : running)
        .push_back(subject);
  if (part.subjects.empty()) GTEST_SKIP() << "none of these run on " << backend;
  print_heading(part.kind + "/" + part.problem);
  Count count;
  if (!running.empty()) expect_verdicts(part.kind, folder, running, count);
  for (const auto& subject : waiting)
    print_row(subject.name, subject.cheats, joined(subject.expected), "left out: needs " + subject.needs);
  print_count(count);
}

std::vector<Part> parts_of(const std::string& kind, const fs::path& folder) {
  // By their options; accomplices meet in one run.
  std::map<std::tuple<bool, std::string, bool>, std::vector<Subject>> groups;
  for (const auto& subject : subjects(folder)) {
    const bool accomplice = subject.cheats == "accomplices";
    groups[{!accomplice && subject.timed(), subject.with, accomplice}].push_back(subject);
  }
  std::vector<Part> parts;
  for (const auto& [key, all] : groups) {
    const bool together = std::get<2>(key);
    int room = 0;
    for (const auto& subject : all) {
      if (!together && room < weight(subject)) room = 0;
      if (room == 0) {
        parts.push_back({.kind = kind, .problem = folder.filename(), .subjects = {}});
        room = most_in_a_part;
      }
      parts.back().subjects.push_back(subject);
      parts.back().timed = parts.back().timed || subject.timed();
      room -= together ? 0 : weight(subject);
    }
  }
  if (parts.empty()) parts.push_back({kind, folder.filename(), {}});
  for (std::size_t i = 0; parts.size() > 1 && i < parts.size(); ++i)
    parts[i].number = static_cast<int>(i) + 1;
  return parts;
}

std::vector<Part> all_parts() {
  std::vector<Part> all;
  for (const std::string kind : {"cheats", "honest", "wrong"}) {
    const auto folder = fs::path(source_dir()) / "tests" / kind;
    std::set<fs::path> folders;
    if (fs::exists(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_directory()) folders.insert(entry.path());
    for (const auto& each : folders)
      for (auto& part : parts_of(kind, each)) all.push_back(std::move(part));
  }
  return all;
}

std::string name_of(const Part& part) {
  const std::string name = part.kind + "_" + part.problem + (part.timed ? "_timed" : "");
  return part.number ? name + "_" + std::to_string(part.number) : name;
}
void PrintTo(const Part& part, std::ostream* out) { *out << name_of(part); }

INSTANTIATE_TEST_SUITE_P(Files, Verdicts, testing::ValuesIn(all_parts()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace podium::test
