// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Walks the statements of a `compute` text's tree; every turn of a loop counts.
#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "suite/base/parallel.hpp"
#include "suite/problem/compute/tree.hpp"
#include "suite/problem/compute/values.hpp"

namespace podium::problem {
namespace {

enum class Next { on, leave, again };  // what a statement says to the loop around it

// Several threads cannot tell what one would have made of it: which mistake comes first, which of two turns
// writes an element last.
struct OneAfterTheOther {};

class Walker : ComputeValues {
 public:
  Walker(const ComputeTree& tree, const ComputeInputs& inputs, const StructureInstance& out, Words& words)
      : ComputeValues(tree, inputs, out, words) {}

  // Throws OneAfterTheOther on several threads only.
  void walk(int threads) {
    step(at(tree_.root));
    for (const int child : at(tree_.root).children) {
      const ComputeNode& node = at(child);
      if (node.kind == Kind::repeat && turns_apart(tree_, node))
        repeat_apart(node, threads);
      else
        statement(node);
    }
  }

 private:
  struct Written {  // elements of out: the first and the last
    std::size_t first = std::numeric_limits<std::size_t>::max(), last = 0;
    void add(std::size_t from, std::size_t to) {
      first = std::min(first, from);
      last = std::max(last, to);
    }
  };

  // Turns of several threads that write one element are found out, and what they wrote is thrown away.
  void put(std::size_t element, std::uint64_t word) {
    std::atomic_ref(words_[element]).store(word, std::memory_order_relaxed);
  }

  void repeat_apart(const ComputeNode& node, int threads) {
    step(node);
    const std::int64_t low = whole(child(node, 0)), high = whole(child(node, 1));
    if (high <= low) return;
    std::int64_t turns = 0;
    const bool endless = __builtin_sub_overflow(high, low, &turns) || turns > most_steps_ - steps_;
    if (endless && threads > 1) throw OneAfterTheOther{};
    const std::int64_t pieces = endless ? 0 : (turns + turns_a_sequence - 1) / turns_a_sequence;
    const ComputeRandom usual = random_;
    if (threads < 2 || pieces < 2) {
      for (std::int64_t i = low; i < high; ++i) {
        if ((i - low) % turns_a_sequence == 0) random_.sequence(sequences_ + (i - low) / turns_a_sequence);
        turn(node, i);
      }
    } else {
      run_pieces(node, low, high, pieces, threads);
    }
    random_ = usual;
    sequences_ += pieces;
  }

  void run_pieces(const ComputeNode& node, std::int64_t low, std::int64_t high, std::int64_t pieces,
                  int threads) {
    std::vector<Written> written(static_cast<std::size_t>(pieces));
    std::atomic<std::int64_t> steps = steps_;
    in_parallel(pieces, threads, [&](std::int64_t piece) {
      Walker walker(*this);
      walker.random_.sequence(sequences_ + piece);
      walker.steps_ = 0;
      walker.written_ = {};
      const std::int64_t begin = low + piece * turns_a_sequence;
      try {
        for (std::int64_t i = begin; i < std::min(high, begin + turns_a_sequence); ++i) walker.turn(node, i);
      } catch (const ComputeError&) {
        throw OneAfterTheOther{};
      }
      if ((steps += walker.steps_) > most_steps_) throw OneAfterTheOther{};
      written[static_cast<std::size_t>(piece)] = walker.written_;
    });
    steps_ = steps;
    std::erase_if(written, [](const Written& one) { return one.first > one.last; });
    std::ranges::sort(written, {}, &Written::first);
    for (std::size_t k = 1; k < written.size(); ++k)
      if (written[k].first <= written[k - 1].last) throw OneAfterTheOther{};
  }

  Next turn(const ComputeNode& loop, std::int64_t number) {
    step(loop);
    locals_[static_cast<std::size_t>(loop.slot)].whole = number;
    return statement(child(loop, 2));
  }

  void store(const ComputeNode& node) {
    const std::size_t rank = node.children.size() - 1;
    const ComputeNode& value = child(node, rank);
    const DtypeInfo& type = info(out_.dtype);
    if (real_out_) {
      double number = real(value);
      if (!(std::abs(number) <= type.largest))
        refuse(node, fmt::format("found {}, expected a finite number that {} holds", number, type.name));
      if (out_.dtype == Dtype::f32) number = static_cast<double>(static_cast<float>(number));
      keep(place(node, rank, out_), std::bit_cast<std::uint64_t>(number));
      return;
    }
    const std::int64_t number = whole(value);
    const bool is_signed = type.name[0] == 'i';
    const auto most = static_cast<double>(type.largest);
    const double least = is_signed ? -most - 1 : 0;
    if (type.bytes < 8 ? static_cast<double>(number) < least || static_cast<double>(number) > most
                       : !is_signed && number < 0)
      refuse(node, fmt::format("found {}, expected what {} holds: {:.0f} to {:.0f}", number, type.name, least,
                               most));
    keep(place(node, rank, out_), static_cast<std::uint64_t>(number));
  }

  void keep(std::size_t element, std::uint64_t word) {
    written_.add(element, element);
    put(element, word);
  }

  Next statement(const ComputeNode& node) {
    step(node);
    switch (node.kind) {
      case Kind::block:
        for (const int inner : node.children)
          if (const Next next = statement(at(inner)); next != Next::on) return next;
        return Next::on;
      case Kind::set_local: {
        auto& local = locals_[static_cast<std::size_t>(node.slot)];
        if (tree_.locals[static_cast<std::size_t>(node.slot)].is_real)
          local.real = real(child(node, 0));
        else
          local.whole = whole(child(node, 0));
        return Next::on;
      }
      case Kind::set_out:
        store(node);
        return Next::on;
      case Kind::repeat:
        return repeat(node);
      case Kind::while_:
        while (truth(child(node, 0))) {
          step(node);
          if (statement(child(node, 1)) == Next::leave) break;
        }
        return Next::on;
      case Kind::if_:
        if (truth(child(node, 0))) return statement(child(node, 1));
        return node.children.size() > 2 ? statement(child(node, 2)) : Next::on;
      case Kind::permutation:
        permute(node);
        return Next::on;
      case Kind::ascending:
        ascend(node);
        return Next::on;
      case Kind::break_:
        return Next::leave;
      default:
        return Next::again;
    }
  }

  Next repeat(const ComputeNode& node) {
    const std::int64_t low = whole(child(node, 0)), high = whole(child(node, 1));
    for (std::int64_t i = low; i < high; ++i)
      if (turn(node, i) == Next::leave) break;
    return Next::on;
  }

  // Part j of [0, width) ends at floor((j + 1) width / count): kept as a quotient and a remainder, since the
  // product may not fit.
  void ascend(const ComputeNode& node) {
    const std::int64_t first = whole(child(node, 0)), count = whole(child(node, 1)),
                       low = whole(child(node, 2)), high = whole(child(node, 3));
    const DtypeInfo& type = info(out_.dtype);
    const auto most = static_cast<std::int64_t>(std::min(type.largest, real_out_ ? 2 / type.eps : 0x1p53));
    const std::int64_t least = real_out_ ? -most : type.name[0] == 'i' ? -most - 1 : 0;
    if (count == 0) return;
    if (count < 0 || first < 0 || first > out_.elements - count)
      refuse(node, fmt::format("found {} elements from {} on, expected some of its {}", count, first,
                               out_.elements));
    if (low < least || high > most + 1 || high < low || high - low < count)
      refuse(node,
             fmt::format("found {} numbers of [{}, {}) to be drawn, expected at least as many there, all of "
                         "which {} holds",
                         count, low, high, type.name));
    step(node, count);
    written_.add(static_cast<std::size_t>(first), static_cast<std::size_t>(first + count - 1));
    const std::int64_t whole_part = (high - low) / count, rest = (high - low) % count;
    std::int64_t begin = low, carry = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      carry += rest;
      const std::int64_t part = whole_part + (carry >= count ? 1 : 0);
      if (carry >= count) carry -= count;
      const std::int64_t drawn = begin + random_.below(part);
      put(static_cast<std::size_t>(first + j), real_out_
                                                   ? std::bit_cast<std::uint64_t>(static_cast<double>(drawn))
                                                   : static_cast<std::uint64_t>(drawn));
      begin += part;
    }
  }

  // R. A. Fisher and F. Yates, in the form of R. Durstenfeld, "Algorithm 235: random permutation", CACM 7
  // (1964).
  void permute(const ComputeNode& node) {
    const DtypeInfo& type = info(out_.dtype);
    if (out_.elements > 0 && static_cast<double>(out_.elements - 1) > type.largest)
      refuse(node, fmt::format("found {} elements, expected at most as many as {} has numbers", out_.elements,
                               type.name));
    step(node, out_.elements);
    const auto bits = [&](std::int64_t k) {
      return real_out_ ? std::bit_cast<std::uint64_t>(static_cast<double>(k)) : static_cast<std::uint64_t>(k);
    };
    for (std::int64_t k = 0; k < out_.elements; ++k) words_[static_cast<std::size_t>(k)] = bits(k);
    for (std::int64_t k = out_.elements; k > 1; --k)
      std::swap(words_[static_cast<std::size_t>(k - 1)], words_[static_cast<std::size_t>(random_.below(k))]);
  }

  Written written_;             // by a piece of a loop
  std::int64_t sequences_ = 1;  // the first of random numbers that no loop has drawn from; 0 is for the rest
};

}  // namespace

void Compute::run(const ComputeInputs& inputs, const StructureInstance& out,
                  std::vector<std::uint64_t>& words) const {
  const int threads = inputs.threads > 0 ? inputs.threads : processors();
  try {
    Walker(*tree_, inputs, out, words).walk(threads);
  } catch (const OneAfterTheOther&) {
    Walker(*tree_, inputs, out, words).walk(1);
  }
}

}  // namespace podium::problem
