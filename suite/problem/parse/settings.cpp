// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sample, cost, requirements and baselines.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/model/arch.hpp"
#include "suite/problem/model/requirement.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

const std::map<std::string, std::string> key_example{
    {"backends", "cuda, hip"}, {"features", "bf16, fp8"}, {"architectures", "sm_90, gfx942"}};

std::optional<Text> not_auto(const Cursor& bytes) {
  bytes.mistake(found_one_of(yaml::excerpt(bytes.raw()), {"auto"}) + " or a formula");
  return std::nullopt;
}

// How much of a tensor is read is not known where values say which of its elements are. What cannot be read
// at all may be what reads the whole of it.
void parse_auto(Parsing& parsing, const std::optional<Cursor>& bytes) {
  if (parsing.mistakes.count() > 0) return;
  const auto gathered = gathered_input(parsing.problem);
  if (!gathered) return;
  parsing.problem.traffic_known = false;
  if (bytes)
    bytes->mistake(
        fmt::format("found auto, expected a formula: {} reads {} only where other values point to, so the "
                    "traffic cannot be derived",
                    gathered->reference, gathered->tensor));
}

// A list of words, each once, of which `fault` finds none.
void parse_words(const Cursor& section, const std::string& key, Requirement& requirement,
                 const std::function<std::string(const std::string&)>& fault) {
  const auto list = section.find(key);
  if (!list) return;
  requirement.at = list->at();
  for (const Cursor& item : list->items("a list of words, as in [" + key_example.at(key) + "]")) {
    const auto word = item.word("a word");
    if (!word) continue;
    if (const std::string sentence = fault(*word); !sentence.empty())
      item.mistake(sentence);
    else if (std::find(requirement.words.begin(), requirement.words.end(), *word) != requirement.words.end())
      item.mistake(fmt::format("found {} twice, expected each once", *word));
    else
      requirement.words.push_back(*word);
  }
  if (list->is_list() && list->items("").empty())
    list->mistake("found no word, expected at least one; leave the key out where any device will do");
}

std::function<std::string(const std::string&)> fault_of_word(const std::string& list) {
  return [list](const std::string& word) {
    const std::vector<std::string>& known = words(list);
    const bool found = std::find(known.begin(), known.end(), word) != known.end();
    return found ? "" : found_one_of(yaml::excerpt(word), known);
  };
}

}  // namespace

void parse_sample(Parsing& parsing, const Cursor& root) {
  const auto sample = root.find("sample");
  if (!sample) return;
  std::vector<std::string> indices;  // of outputs and checks: nothing else is sampled
  for (const Reference& reference : parsing.problem.references)
    for (const Index& index : reference.index)
      if ((reference.output || reference.check) &&
          std::find(indices.begin(), indices.end(), index.name) == indices.end())
        indices.push_back(index.name);
  // Indices of a reference that could not be read are not known.
  const bool clear =
      !parsing.unread &&
      std::none_of(parsing.problem.tensors.begin(), parsing.problem.tensors.end(), [&](const Tensor& t) {
        return t.role != Role::input && parsing.unclear.contains(t.name);
      });
  for (const Cursor& field : sample->fields("a map from indices to how many are drawn, as in { i: 64 }")) {
    if (clear && std::find(indices.begin(), indices.end(), field.name()) == indices.end())
      field.mistake("not an index of an output or check: " +
                    found_one_of(yaml::excerpt(field.name()), indices));
    if (const auto count = field.whole("a whole number of at least 1", 1, largest_whole))
      parsing.problem.sample[field.name()] = *count;
  }
}

void parse_cost(Parsing& parsing, const Cursor& root) {
  const auto cost = root.find("cost");
  if (!cost) return parse_auto(parsing, std::nullopt);
  if (!cost->is_map()) return cost->expected("a map, as in { bytes: auto, flops: 2 * m * n * k }");
  cost->keys(form("cost"));
  if (const auto bytes = cost->find("bytes"); !bytes || bytes->raw() == "auto")
    parse_auto(parsing, bytes);
  else
    parsing.problem.bytes =
        nearest(bytes->raw(), {"auto"}).empty() ? parse_formula(parsing, *bytes) : not_auto(*bytes);
  if (const auto flops = cost->find("flops")) parsing.problem.flops = parse_formula(parsing, *flops);
  if (const auto link = cost->find("link")) {
    if (parsing.ranks.empty())
      return link->mistake("found what ranks send, expected the problem to say ranks, as in ranks: [2, 4]");
    parsing.problem.link = parse_formula(parsing, *link);
  }
}

void parse_requires(Parsing& parsing, const Cursor& root) {
  const auto section = root.find("requires");
  if (!section) return;
  if (!section->is_map()) return section->expected("a map, as in { memory: 2 GiB }");
  const std::size_t before = parsing.mistakes.count();
  section->keys(form("requires"));
  if (const auto memory = section->find("memory")) parsing.problem.memory_limit = memory->bytes().value_or(0);
  if (const auto scratch = section->find("scratch"))
    parsing.problem.scratch_limit = scratch->bytes().value_or(0);
  parse_words(*section, "backends", parsing.problem.backends, fault_of_word("backend"));
  parse_words(*section, "features", parsing.problem.features, fault_of_word("feature"));
  parse_words(*section, "architectures", parsing.problem.architectures, arch_mistake);
  if (parsing.mistakes.count() != before) return;
  if (const std::string fault = runs_nowhere(parsing.problem); !fault.empty()) section->mistake(fault);
}

void parse_baseline(Parsing& parsing, const Cursor& root) {
  const auto baseline = root.find("baseline");
  if (!baseline) return;
  if (!baseline->is_map())
    return baseline->expected("a map from backends to contestants, as in { host: threads }");
  baseline->keys(form("baseline"));
  for (const Cursor& field : baseline->fields("")) {
    const auto name = field.word("a contestant's name");
    if (!name) continue;
    const bool plain = std::all_of(name->begin(), name->end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    });
    if (plain && name->size() <= 100)
      parsing.problem.baseline[field.name()] = *name;
    else
      field.expected("a contestant's name, of letters, digits, _ and -: the name of its file without suffix");
  }
}

}  // namespace podium::problem
