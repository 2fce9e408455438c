// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium publish`: pages of recorded runs. Podium writes one document, and the Python package podium_site
// makes the pages from it.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "suite/base/interrupt.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/pages.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/python.hpp"
#include "suite/publish/index.hpp"
#include "suite/publish/runs.hpp"
#include "suite/sandbox/scratch.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::vector<fs::path> results;  // empty: the default
  fs::path to, document, index;
  fs::path problems;  // empty: the default
  bool serve = false;
  int port = 8000;
};

// Until a signal ends it; false if the server could not begin, and has said why.
bool serve(const fs::path& folder, int port) {
  constexpr sandbox::End refused{sandbox::Exited{2}};
  const Interruptible interruptible;
  sandbox::Child child = start_python({"-m", "podium_site.serve", folder.string(), std::to_string(port)});
  while (interruption().empty())
    if (const auto end = child.ended(100)) {
      if (*end == refused) return false;
      throw Error(fmt::format("publish: the server of the pages {}", sandbox::words_of(*end)));
    }
  return true;
}

// The document, and the pages that are made from it; whether nothing was left out, and was shown.
bool put_document(const Request& request, const std::vector<publish::FoundRun>& runs) {
  const publish::Document document = document_to_show(runs, request.problems);
  if (!request.document.empty()) write_document(document, request.document);
  if (!request.to.empty()) make_pages(document, request.to);
  if (request.serve) {
    const sandbox::ScratchFolder scratch(geteuid());
    const fs::path there = request.to.empty() ? scratch.path() / "site" : request.to;
    if (request.to.empty()) make_pages(document, there);
    if (!serve(there, request.port)) return false;
  }
  return document.faults.empty();
}

Exit publish(const Request& request) {
  const bool pages = !request.to.empty() || request.serve;
  if (!pages && request.document.empty() && request.index.empty())
    throw Error(
        "publish: expected --to DIR for the pages, --serve to look at them, --index FILE or --document FILE");
  const auto found = runs_below(request.results.empty() ? std::vector{results_folder()} : request.results);
  if (found.runs.empty()) throw Error("publish: no run is left to publish");
  if (!request.index.empty()) record::write_file(request.index, publish::index_markdown(found.runs));
  bool whole = found.unreadable.empty();
  if (pages || !request.document.empty()) whole = put_document(request, found.runs) && whole;
  return whole ? Exit::success : Exit::usage;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("results", request->results,
                 "Folders of runs: results/, results/<device> or results/<device>/<run> (results/)");
  app.add_option("--to", request->to, "Folder for the pages, made if absent");
  app.add_option("--index", request->index,
                 "Write the winners of problems by devices to this file, as in results/README.md");
  app.add_option(
      "--document", request->document,
      "Write the document from which the pages are made, as docs/publish.schema.json describes it");
  app.add_option("--problems", request->problems, "Folder that holds the problem folders");
  auto* port =
      app.add_option("--serve", request->port,
                     "Show the pages at 127.0.0.1, at this port (8000), until Ctrl-C; without --to they "
                     "are in a temporary folder")
          ->expected(0, 1)
          ->check(CLI::Range(1, 65535));
  return [request, port] {
    request->serve = port->count() > 0;
    return publish(*request);
  };
}

const Registered registered(
    {.name = "publish", .summary = "Make web pages of recorded runs", .place = 105, .declare = declare});

}  // namespace
}  // namespace podium::cli
