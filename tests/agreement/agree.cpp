// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agreement/agree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace podium::agreement {
namespace {

using judge::Finding;

constexpr std::uint64_t seed = 0xa91ee5eed, structure_seed = 11;
constexpr std::uint8_t poison = 0xff;

class Comparing {
 public:
  Comparing(Side& left, Side& right) : left_(left), right_(right) {}

  void workload(const problem::Workload& one, const problem::Workload& other, bool full) {
    const auto fills = left_.fill(one, structure_seed, full, seed);
    where_ = fmt::format("{}, {}, {}: ", left_.choice().name, left_.instance().workload,
                         full ? "in full" : "sampled");
    references(fills, right_.fill(other, structure_seed, full, seed));
    inputs();
    for (const std::uint8_t byte : {std::uint8_t{0x00}, std::uint8_t{0x3c}, poison}) verdict(byte, full);
    result.workloads += 1;
  }

  Agreement result;

 private:
  void references(const std::vector<judge::Evaluated>& left, const std::vector<judge::Evaluated>& right) {
    const std::size_t known = result.references.differences.size();
    result.references.compare(left_.problem(), left_.plan().evaluations().size(), left, right);
    for (std::size_t d = known; d < result.references.differences.size(); ++d)
      result.references.differences[d].text.insert(0, where_);
  }

  void inputs() {
    const auto& tensors = left_.instance().tensors;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (tensors[t].role == problem::Role::output) continue;
      const auto left = left_.input(t), right = right_.input(t);
      if (left == right) continue;
      const auto at = std::ranges::mismatch(left, right).in1 - left.begin();
      result.others.push_back(
          fmt::format("{}the inputs {} differ, first at byte {}", where_, tensors[t].name, at));
    }
  }

  // Suspicious elements join a sample, and which ones depends on how a device cuts its work: then the
  // references that were evaluated are not the same.
  void verdict(std::uint8_t byte, bool full) {
    const Finding left = left_.verify(byte, seed, poison), right = right_.verify(byte, seed, poison);
    if (full || byte != poison) references(left_.references(), right_.references());
    const auto sentences = [](const std::string& text) { return std::ranges::count(text, ';'); };
    const bool near = std::isfinite(left.worst) ? std::abs(left.worst - right.worst) <= 1e-6 * left.worst
                                                : left.worst == right.worst;
    if (left.right != right.right || left.written != right.written || !near ||
        sentences(left.text) != sentences(right.text))
      result.others.push_back(fmt::format("{}of bytes {:#04x} the verdicts differ: {} | {}", where_, byte,
                                          left.text, right.text));
  }

  Side &left_, &right_;
  std::string where_;
};

}  // namespace

std::string Agreement::text() const {
  std::string all;
  for (const auto& difference : references.differences) all += difference.text + "\n";
  for (const auto& other : others) all += other + "\n";
  return all;
}

std::set<std::string> Agreement::differing() const {
  std::set<std::string> names;
  for (const auto& difference : references.differences) names.insert(difference.reference);
  return names;
}

Agreement compare(Side& left, Side& right, bool quick) {
  Comparing comparing(left, right);
  const auto &ours = left.problem().workloads, &theirs = right.problem().workloads;
  for (std::size_t w = 0; w < ours.size(); ++w) {
    const auto stage = ours[w].stage;
    if (stage == problem::Stage::bench || !on_board(ours[w], left.choice())) continue;
    if (stage == problem::Stage::test) comparing.workload(ours[w], theirs.at(w), true);
    if (stage == problem::Stage::test || quick) comparing.workload(ours[w], theirs.at(w), false);
  }
  return std::move(comparing.result);
}

}  // namespace podium::agreement
