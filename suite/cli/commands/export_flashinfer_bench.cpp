// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium export flashinfer-bench`: a run as traces of FlashInfer-Bench.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "suite/cli/command.hpp"
#include "suite/cli/places.hpp"
#include "suite/publish/runs.hpp"
#include "suite/record/record.hpp"
#include "suite/report/flashinfer_bench.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::filesystem::path run, to, problems;
};

Exit write_traces(const Request& request) {
  if (!publish::is_run(request.run))
    throw Error(fmt::format("{}: is no finished run; expected results/<device>/<run>", request.run.string()));
  const publish::FoundRun found = publish::read_run(request.run);
  const auto problems = request.problems.empty() ? problems_folder() : request.problems;
  const report::Traces traces = report::flashinfer_bench_traces(report::report_of(found.run), problems);
  for (const std::string& sentence : traces.left_out) fmt::print(stderr, "podium: {}\n", sentence);
  if (traces.count == 0) throw Error(fmt::format("{}: has no result to export", request.run.string()));
  for (const auto& [file, text] : traces.files) {
    std::filesystem::create_directories((request.to / file).parent_path());
    record::write_file(request.to / file, text);
  }
  fmt::print("{} traces in {}\n", traces.count, (request.to / "traces").string());
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("run", request->run, "Folder of a run, results/<device>/<run>")->required();
  app.add_option("--to", request->to, "Folder of traces/<op_type>/<definition>.jsonl")->required();
  app.add_option("--problems", request->problems, "Folder that holds the problem folders");
  return [request] { return write_traces(*request); };
}

const Registered registered({.name = "flashinfer-bench",
                             .summary = "Write the run of an imported definition as traces",
                             .parent = "export",
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
