// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// host: a sequential algorithm.
#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/reference_forms.hpp"

namespace podium::problem {
namespace {

std::vector<bool> host_whole(const Reference& reference) {
  return std::vector<bool>(reference.index.size(), true);
}

void read_host(FormReader& r, const Cursor& form) {
  Reference& reference = r.reference();
  std::optional<Cursor> body = form;
  if (form.is_map()) {
    r.keys(form);
    FormReader::truth(form, "integral", reference.integral);
    body = form.need("body", "a C++ body");
  }
  r.take(body, "a C++ body that assigns all of out(…)", reference.term);
  if (reference.term.text.empty()) return;
  const auto found = accesses(reference.term.text);
  const auto out = std::find_if(found.begin(), found.end(), [](const auto& c) { return c.name == "out"; });
  if (out == found.end())
    body->mistake("found no out(…), expected a body that assigns every element, as in out(i, j) = 1;");
  for (const Access& call : found)
    if (call.name == "out" && call.arguments.size() != reference.index.size())
      body->mistake(fmt::format("found out with {}, expected {}", indices(call.arguments.size()),
                                reference.index.size()));
}

void write_host(FormWriter& w) {
  const Reference& reference = w.reference();
  const char* value = w.integral() ? "podium::program::i64" : "double";
  FormFunction body{w.own("run"), {}, &reference.term};
  body.locals = fmt::format(
      "  [[maybe_unused]] const podium::program::Out<{0}, {1}, {2}{3}> "
      "out{{podium_words, {1}}};",
      value, w.reference_number(), w.place_of_values(), w.more_positions());
  body.is_void = true;
  w.write(body);
  w.open();
  w.add("  using Assigned = {};", value);
  w.add("  static constexpr int site = {};", w.reference_number());
  w.add("  using Value = Stored<Assigned, {}>;", w.keeps_magnitude());
  w.place();
  w.elements();
  w.add("  PODIUM_DEVICE static void run(Words podium_words) {{ {}; }}", w.call(w.own("run"), {}));
  w.close();
}

}  // namespace

ReferenceForm host_form() {
  return {.name = "host",
          .holds = "term | host",
          .says = "A C++ body that assigns all of out(...); test workloads only",
          .map_says = "A sequential algorithm",
          .keys = {{"integral", "truth", "int64 rather than fp64 (false)"},
                   {"body", "term", "A C++ body that assigns all of out(...)", needed_key}},
          .body = true,
          .assigns = true,
          .carries_magnitude = false,
          .whole = host_whole,
          .does = [](const Reference&) -> std::string { return "host"; },
          .read = read_host,
          .write = write_host,
          .kernels = {{"evaluate", "run_on_host"}},
          .launch = [](FormLaunch& l) { l.run("evaluate", 1); }};
}

}  // namespace podium::problem
