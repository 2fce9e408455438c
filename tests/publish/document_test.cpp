// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The document from which pages are made: valid by its schema, the same for the same runs, and whole.
#include "suite/publish/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/publish/index.hpp"
#include "suite/publish/problems.hpp"
#include "suite/record/metric.hpp"
#include "tests/paths.hpp"
#include "tests/report/sample_run.hpp"

#if __has_include(<valijson/validator.hpp>)
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#define PODIUM_HAS_VALIJSON 1
#endif

namespace podium::publish {
namespace {

namespace fs = std::filesystem;
namespace sample = report::sample;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* hostile = "</script><b onload=x>\"'`=HYPERLINK(\"http://x\")";

class Publish : public testing::Test {
 protected:
  Publish()
      : folder_(fs::path(testing::TempDir()) /
                (testing::UnitTest::GetInstance()->current_test_info()->name() + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~Publish() override { fs::remove_all(folder_); }

  // Records a made-up run.
  fs::path record(const std::string& name, const sample::Run& made) const {
    const record::Run run = made.get();
    const auto device = record::slug(record::provenance_from(run.provenance).device);
    const fs::path folder = results() / device / name;
    record::Writer writer(folder, run.provenance);
    for (const record::Entry& entry : run.entries) writer.append(entry);
    writer.finish(json::object());
    return folder;
  }
  fs::path results() const { return folder_ / "results"; }
  static fs::path kernels() { return fs::path(test::source_dir()) / "kernels"; }
  static std::vector<std::string> ids(const FoundRuns& found) {
    std::vector<std::string> all;
    for (const FoundRun& run : found.runs) all.push_back(run.id);
    return all;
  }

  fs::path folder_;
};

constexpr const char* device = "nvidia-h200-sm_90-140g";

TEST_F(Publish, FindsRunsBelowAnyFolderOnce) {
  sample::Run later = sample::everything();
  later.provenance().started = "2025-02-01T00:00:00Z";
  const fs::path second = record("a", later), first = record("b", sample::everything());
  const std::vector<std::string> both{std::string(device) + "/b", std::string(device) + "/a"};
  EXPECT_EQ(ids(find_runs({results()})), both);
  EXPECT_EQ(ids(find_runs({results() / device})), both);
  EXPECT_EQ(ids(find_runs({first, second, results()})), both);
  EXPECT_THAT(ids(find_runs({second})), ElementsAre(both[1]));
}

TEST_F(Publish, LooksNoDeeperThanResultsHaveIt) {
  const fs::path run = record("one", sample::everything());
  fs::create_directories(results() / "experiments/h200");
  fs::rename(run, results() / "experiments/h200/one");
  EXPECT_THROW(find_runs({results()}), Error);
  EXPECT_THAT(find_runs({results() / "experiments"}).runs, SizeIs(1));
}

TEST_F(Publish, NamesRunsWithoutEntriesAndDamagedOnes) {
  record("whole", sample::everything());
  fs::remove(record("bare", sample::everything()) / "entries.jsonl");
  std::ofstream(record("damaged", sample::everything()) / "run.json") << "{";
  const FoundRuns found = find_runs({results()});
  EXPECT_THAT(found.runs, SizeIs(1));
  EXPECT_THAT(found.without, ElementsAre(HasSubstr("bare: has no entries.jsonl")));
  EXPECT_THAT(found.unreadable, ElementsAre(HasSubstr("damaged/run.json: is not JSON")));
}

TEST_F(Publish, RefusesFoldersWithoutRuns) {
  fs::create_directories(results());
  const auto refused = [](const fs::path& folder) -> std::string {
    try {
      find_runs({folder});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused(results()), HasSubstr("found no run (a folder with run.json)"));
  EXPECT_THAT(refused(results()), HasSubstr("`scripts/evidence --unpack`"));
  EXPECT_THAT(refused(results() / "nowhere"), HasSubstr("is no folder"));
}

#ifdef PODIUM_HAS_VALIJSON
TEST_F(Publish, DocumentIsValidByItsSchema) {
  record("run", sample::everything());
  const json document = document_of(find_runs({results()}).runs, kernels()).json;
  const json root = json::parse(text_of(fs::path(test::source_dir()) / "docs/publish.schema.json"));
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(root), schema);
  valijson::ValidationResults faults;
  valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &faults);
  valijson::ValidationResults::Error fault;
  std::string text;
  while (faults.popError(fault))
    text += testing::PrintToString(fault.context) + ": " + fault.description + "\n";
  EXPECT_EQ(text, "");
}
#endif

TEST_F(Publish, TheSameRunsGiveTheSameDocument) {
  record("a", sample::everything());
  record("b", sample::everything());
  const auto once = document_of(find_runs({results()}).runs, kernels()).json.dump();
  EXPECT_EQ(document_of(find_runs({results()}).runs, kernels()).json.dump(), once);
}

TEST_F(Publish, AuditSaysWhatWasCheckedAndRefused) {
  record("run", sample::everything());
  const json run = document_of(find_runs({results()}).runs, {}).json["runs"][0];
  const json& audit = run["audit"];
  EXPECT_EQ(audit["attested"], true);
  EXPECT_EQ(audit["verdicts"]["wrong"], 1);
  EXPECT_EQ(audit["verdicts"]["did not compile"], 1);
  EXPECT_EQ(audit["verifications"].get<int>() + audit["timed_entries"].get<int>(), audit["entries"]);
  EXPECT_EQ(audit["samples"], 77);
  EXPECT_EQ(audit["worst_error"], 0.25);
  EXPECT_THAT(audit["refused"], SizeIs(4));
  EXPECT_EQ(audit["refused"][0]["contestant"], "half");
  EXPECT_EQ(audit["refused"][0]["failure"], false);
  EXPECT_EQ(audit["refused"][1]["verdict"], "did not compile");
  EXPECT_EQ(audit["refused"][1]["failure"], true);
}

TEST_F(Publish, AuditCountsWhatTheJudgeChecked) {
  sample::Run made = sample::everything();
  const record::Checked some{.calls = 3, .elements = 300, .compared = 30, .examined = 2, .bytes = 1000};
  for (const int round : {-1, 0})
    made.entry({.stage = round < 0 ? "test" : "bench",
                .workload = "rows=7",
                .contestant = "counted",
                .round = round,
                .verdict = Verdict::right,
                .checked = some});
  record("run", made);
  const json run = document_of(find_runs({results()}).runs, {}).json["runs"][0];
  const json twice{{"calls", 6}, {"elements", 600}, {"compared", 60}, {"examined", 4}, {"bytes", 2000}};
  EXPECT_EQ(run["audit"]["checked"], twice);
  EXPECT_EQ(run["report"]["checked"], twice);
  for (const json& one : run["audit"]["verified"])
    for (const json& workload : one["workloads"])
      EXPECT_EQ(workload["checked"]["calls"], one["contestant"] == "counted" ? 3 : 0) << one;
  const json& rows = run["report"]["boards"][0]["rows"];
  const auto counted =
      std::ranges::find_if(rows, [](const json& row) { return row["contestant"] == "counted"; });
  ASSERT_NE(counted, rows.end());
  EXPECT_EQ((*counted)["checked"], twice);
}

TEST_F(Publish, WhatWasEmulatedIsMarked) {
  record("run", sample::everything());
  sample::Run emulated;
  emulated.provenance().device = {
      .backend = "hip", .product = "AMD Instinct MI300X", .architecture = "gfx942", .emulated = true};
  emulated.verified("online");
  record("emulated", emulated);
  const json runs = document_of(find_runs({results()}).runs, {}).json["runs"];
  ASSERT_THAT(runs, SizeIs(2));
  for (const json& run : runs)
    EXPECT_EQ(run["emulated"], run["id"].get<std::string>().find("mi300x") != std::string::npos) << run["id"];
  for (const json& one : runs[1]["audit"]["verified"])
    EXPECT_EQ(one["emulated"], one["contestant"] == "emulated") << one;
}

TEST_F(Publish, NamesMetricsLanguagesAndVendors) {
  const json document = document_of({}, {}).json;
  EXPECT_EQ(document["metrics"][0]["key"], "hot_us");
  EXPECT_EQ(document["metrics"][0]["unit"], "µs");
  EXPECT_THAT(document["metrics"], SizeIs(record::metrics().size()));
  EXPECT_EQ(document["languages"]["portable"], "CUDA/HIP");
  EXPECT_EQ(document["languages"]["hip"], "HIP");
  EXPECT_EQ(document["languages"]["code objects"], "code objects");
  EXPECT_EQ(document["backends"]["hip"]["vendor"], "AMD");
  EXPECT_EQ(document["backends"]["host"], json({{"vendor", ""}, {"processor", true}}));
}

TEST_F(Publish, HostileTitlesStayAsTheyAre) {
  sample::Run made = sample::everything();
  made.provenance().contestants[0].title = hostile;
  record("run", made);
  const json document = document_of(find_runs({results()}).runs, {}).json;
  EXPECT_EQ(document["runs"][0]["run"]["contestants"][0]["title"], hostile);
}

TEST_F(Publish, SourcesAreFoundByTheirHash) {
  const fs::path file = kernels() / "softmax/online.gpu.cpp";
  sample::Run made = sample::everything();
  made.provenance().contestants[0].file = "online.gpu.cpp";
  made.provenance().contestants[0].sha256 = record::sha256(text_of(file));
  made.provenance().contestants[1].sha256 = std::string(64, '0');
  record("run", made);
  const json sources = document_of(find_runs({results()}).runs, kernels()).json["sources"];
  ASSERT_THAT(sources, SizeIs(1));
  const json& source = *sources.begin();
  EXPECT_EQ(source["file"], "online.gpu.cpp");
  EXPECT_EQ(source["text"], text_of(file));
  EXPECT_EQ(source["license"], "Apache-2.0");
}

TEST_F(Publish, SourcesAreThoseThatTheRunKept) {
  const std::string text = "int main() { return 42; }\n", damaged = "int main() {}\n";
  sample::Run made = sample::everything();
  made.provenance().contestants[0].file = "online.cpp";
  made.provenance().contestants[0].sha256 = std::string(64, '0');  // with its code objects
  made.provenance().contestants[0].text_sha256 = record::sha256(text);
  made.provenance().contestants[1].sha256 = record::sha256(damaged);
  const fs::path folder = record("run", made);
  fs::create_directories(folder / "sources");
  std::ofstream(folder / "sources" / record::sha256(text)) << text;
  const Document document = document_of(find_runs({results()}).runs, {});
  EXPECT_EQ(document.json["sources"][std::string(64, '0')]["text"], text);
  EXPECT_TRUE(document.faults.empty());
  std::ofstream(folder / "sources" / record::sha256(damaged)) << "else";
  EXPECT_THAT(document_of(find_runs({results()}).runs, {}).faults,
              ElementsAre(HasSubstr("damaged or changed")));
}

TEST_F(Publish, ProblemsAreToldInWords) {
  record("run", sample::everything());
  const json problems = document_of(find_runs({results()}).runs, kernels()).json["problems"];
  const json& softmax = problems["softmax"];
  EXPECT_EQ(softmax["title"], "Row-wise softmax");
  EXPECT_EQ(softmax["tensors"][0]["fill"], "normal, mean 0, stddev 1");
  EXPECT_EQ(
      softmax["tensors"][1]["tolerance"],
      "at most 1 unit in the last place of real plus (16 + sqrt(cols)) times 2^-23 times the reference's "
      "absolute value");
  EXPECT_THAT(softmax["reference"][1]["text"], HasSubstr("total(i) = sum over j of exp(x(i, j) - peak(i))"));
  EXPECT_EQ(problems["sort"]["tensors"][1]["tolerance"], "no reference: the problem's checks decide");
  EXPECT_THAT(problems["sort"]["checks"], SizeIs(2));
}

TEST_F(Publish, TolerancesReadAsSentences) {
  problem::Problem softmax = problem::load(kernels() / "softmax/problem.yaml");
  problem::Tensor& output = softmax.tensors[1];
  const auto text = [&](const char* ulp, const char* growth) {
    output.tolerance.ulp.text = ulp;
    output.tolerance.growth.text = growth;
    return tolerance_text(softmax, output);
  };
  const std::string rest = "2^-23 times the reference's absolute value";
  EXPECT_EQ(text("0", "1"), "at most " + rest);
  EXPECT_EQ(text("0", "0.5"), "at most 0.5 times " + rest);
  EXPECT_EQ(text("1", "3"), "at most 1 unit in the last place of real plus 3 times " + rest);
  EXPECT_EQ(text("0", "hidden_dim2"), "at most hidden_dim2 times " + rest);
  EXPECT_EQ(text("0", "3 + cols"), "at most (3 + cols) times " + rest);
}

TEST_F(Publish, IndexNamesWinnersAndWhatWasOnlyVerified) {
  sample::Run quick;
  quick.provenance().boards[0].stage = "quick";
  quick.provenance().boards[0].types = "bf16";
  quick.provenance().boards[0].title = hostile;
  quick.verified("cudnn");
  for (int round = 0; round < 7; ++round)
    quick.entry({.types = "bf16",
                 .stage = "quick",
                 .workload = "rows=4096,cols=32768",
                 .contestant = "cudnn",
                 .round = round,
                 .verdict = Verdict::right,
                 .median = sample::exactly(5)});
  record("quick", quick);
  record("run", sample::everything());
  sample::Run later = sample::everything();  // of one contestant alone, which is not ranked
  later.provenance().started = "2025-03-01T00:00:00Z";
  record("late", sample::Run(later.provenance()).verified("online"));
  sample::Run emulated;
  emulated.provenance().boards.clear();
  emulated.provenance().device = {
      .backend = "hip", .product = "AMD | x (emulated)", .architecture = "gfx942", .emulated = true};
  record("emulated", emulated.verified("online").failed("other", "wrong", "y[0] is 1"));
  const std::string text = index_markdown(find_runs({results()}).runs);
  EXPECT_THAT(text, HasSubstr("| problem | types | AMD \\| x (emulated) (gfx942) | NVIDIA H200 (sm_90) |\n"));
  EXPECT_THAT(text, HasSubstr("| softmax | bf16 | – | cudnn (quick) |\n"));
  EXPECT_THAT(text, HasSubstr("| softmax | f32 | verified, not timed: 1 of 2 right | online 57.2 % |\n"));
  EXPECT_THAT(text,
              HasSubstr("](amd-x-emulated-gfx942): 1 run, the newest of 2025-01-31T13:45:00Z; emulated: "
                        "verified, never timed\n"));
  EXPECT_THAT(text, HasSubstr(": 3 runs, the newest of 2025-03-01T00:00:00Z\n"));
}

// A contestant that changed was measured again beside the baseline: that is no board whose winner counts.
TEST_F(Publish, IndexNamesTheWinnerOfTheFirstSeries) {
  sample::Run run;
  run.baseline(500).timed({"online", sample::around(250)});
  for (const auto& [contestant, time] : {std::pair("cudnn", 500.0), std::pair("slow", 900.0)})
    for (int round = 0; round < 7; ++round)
      run.entry({.problem = "softmax",
                 .types = "f32",
                 .stage = "bench",
                 .workload = "rows=4096,cols=32768",
                 .contestant = contestant,
                 .round = round,
                 .verdict = Verdict::right,
                 .median = sample::exactly(time),
                 .series = 1});
  record("run", run);
  EXPECT_THAT(index_markdown(find_runs({results()}).runs), HasSubstr("| softmax | f32 | online"));
}

TEST_F(Publish, IndexHasNoRowOfABoardThatNobodyMeasured) {
  sample::Run run;
  run.baseline(500).entry({.problem = "matmul",
                           .types = "f32",
                           .stage = "bench",
                           .workload = "m=1",
                           .contestant = "mfma",
                           .verdict = Verdict::unsupported});
  record("run", run);
  const std::string text = index_markdown(find_runs({results()}).runs);
  EXPECT_THAT(text, HasSubstr("| softmax |"));
  EXPECT_THAT(text, Not(HasSubstr("| matmul |")));
}

TEST_F(Publish, AProblemWithMistakesIsNamedAndLeftOut) {
  record("run", sample::everything());
  fs::create_directories(folder_ / "kernels/bad");
  std::ofstream(folder_ / "kernels/bad/problem.yaml") << "podium: 1\n";
  const Document document = document_of(find_runs({results()}).runs, folder_ / "kernels");
  EXPECT_TRUE(document.json["problems"].empty());
  EXPECT_THAT(document.faults, ElementsAre(HasSubstr("bad/problem.yaml")));
}

}  // namespace
}  // namespace podium::publish
