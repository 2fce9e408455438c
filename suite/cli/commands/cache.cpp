// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cache`: where compiled contestants lie, how much that is, and what may be.
#include "suite/compile/cache.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "suite/cli/command.hpp"
#include "suite/compile/amount.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::string limit;   // an amount; empty: as it is
  bool clear = false;  // removes what no running process uses
  std::string format = "table";
};

// Shows, after changes that were asked for.
Exit cache(const Request& request) {
  const auto folder = compile::default_cache();
  compile::make_folder(folder);
  const compile::Cache cache(folder);
  if (!request.limit.empty()) {
    const auto bytes = compile::parse_amount(request.limit);
    if (!bytes)
      throw Error(fmt::format("cache --limit: found '{}', expected an amount such as 20GiB or 500MiB",
                              request.limit));
    cache.set_limit(*bytes);
  }
  compile::Cache::Contents removed;
  if (request.clear || !request.limit.empty()) removed = cache.trim(request.clear ? 0 : cache.limit());
  const auto [entries, bytes] = cache.contents();
  if (request.format == "json") {
    fmt::print("{}\n", nlohmann::json{{"folder", folder.string()},
                                      {"entries", entries},
                                      {"bytes", bytes},
                                      {"limit", cache.limit()},
                                      {"removed", removed.entries}}
                           .dump(2));
    return Exit::success;
  }
  fmt::print("folder   {}\nentries  {}\nsize     {}\nlimit    {}\n", folder.string(), entries,
             compile::amount(bytes), compile::amount(cache.limit()));
  if (removed.entries > 0) fmt::print("removed  {}, {}\n", removed.entries, compile::amount(removed.bytes));
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("--limit", request->limit, "Most that it may hold from now on, such as 20GiB");
  app.add_flag("--clear", request->clear, "Remove all that no running podium uses");
  app.add_option("--format", request->format)->check(CLI::IsMember({"table", "json"}));
  return [request] { return cache(*request); };
}

const Registered registered({.name = "cache",
                             .summary = "The folder of compiled contestants, and its limit",
                             .place = 110,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
