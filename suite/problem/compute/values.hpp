// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The values of a `compute` text's expressions; every index and number is checked. Internal to Compute.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <type_traits>
#include <vector>

#include "suite/problem/compute/random.hpp"
#include "suite/problem/compute/tree.hpp"
#include "suite/problem/model/instance.hpp"

namespace podium::problem {

class ComputeValues {
 protected:
  using Kind = ComputeNode::Kind;
  using Words = std::vector<std::uint64_t>;

  ComputeValues(const ComputeTree& tree, const ComputeInputs& inputs, const StructureInstance& out,
                Words& words)
      : tree_(tree),
        out_(out),
        words_(words),
        random_(inputs.seed, inputs.stream),
        locals_(tree.locals.size()),
        most_steps_(inputs.most_steps) {
    for (const auto& name : tree.numbers) numbers_.push_back(inputs.numbers.at(name));
    for (const auto& name : tree.structures) structures_.push_back(inputs.structure.at(name));
    real_out_ = info(out.dtype).floating;
    words_.assign(static_cast<std::size_t>(out.elements), 0);  // the bits of 0 and of 0.0
  }

  const ComputeNode& at(int node) const { return tree_.nodes[static_cast<std::size_t>(node)]; }
  const ComputeNode& child(const ComputeNode& node, std::size_t k) const { return at(node.children[k]); }
  [[noreturn]] void refuse(const ComputeNode& node, const std::string& sentence) const {
    tree_.refuse(node.line, sentence);
  }
  void step(const ComputeNode& node, std::int64_t count = 1) {
    steps_ += count;
    if (steps_ > most_steps_)
      refuse(node,
             fmt::format("found more than {} steps, expected fewer; does every loop end?", most_steps_));
  }

  // ---- places

  std::size_t place(const ComputeNode& node, std::size_t rank, const StructureInstance& array) {
    std::int64_t linear = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      const std::int64_t index = whole(child(node, k));
      if (index < 0 || index >= array.extents[k]) outside(node, rank, array);
      linear = linear * array.extents[k] + index;
    }
    return static_cast<std::size_t>(linear);
  }
  [[noreturn]] void outside(const ComputeNode& node, std::size_t rank, const StructureInstance& array) {
    std::vector<std::int64_t> index;
    for (std::size_t k = 0; k < rank; ++k) index.push_back(whole(child(node, k)));
    refuse(node, fmt::format("found {}({}), expected indices within its shape [{}]",
                             &array == &out_ ? "out" : array.name, fmt::join(index, ", "),
                             fmt::join(array.extents, ", ")));
  }
  const StructureInstance& structure(const ComputeNode& node) const {
    return *structures_[static_cast<std::size_t>(node.slot)];
  }

  // ---- expressions

  bool truth(const ComputeNode& node) { return node.is_real ? real(node) != 0 : whole(node) != 0; }

  bool compare(const ComputeNode& node) {
    const ComputeNode &a = child(node, 0), &b = child(node, 1);
    if (a.is_real || b.is_real) {
      const double left = real(a), right = real(b);
      return node.kind == Kind::less         ? left < right
             : node.kind == Kind::less_equal ? left <= right
             : node.kind == Kind::equal      ? left == right
                                             : left != right;
    }
    const std::int64_t left = whole(a), right = whole(b);
    return node.kind == Kind::less         ? left < right
           : node.kind == Kind::less_equal ? left <= right
           : node.kind == Kind::equal      ? left == right
                                           : left != right;
  }

  std::int64_t whole_of(const ComputeNode& node, double number) const {
    if (number == std::floor(number) && std::abs(number) < 0x1p63) return static_cast<std::int64_t>(number);
    refuse(node, fmt::format("found {}, expected a whole number; floor() or ceil() make one", number));
  }

  [[noreturn]] void overflow(const ComputeNode& node) const {
    refuse(node, "found a whole number beyond 64 bits, expected one within");
  }

  std::int64_t quotient(const ComputeNode& node) {
    const std::int64_t a = whole(child(node, 0)), b = whole(child(node, 1));
    if (b == 0) refuse(node, fmt::format("found {} divided by 0, expected another divisor", a));
    if (b == -1) {
      if (node.kind == Kind::remainder) return 0;
      if (a == INT64_MIN) overflow(node);
      return -a;
    }
    if (node.kind == Kind::remainder) return a % b;
    const std::int64_t down = a / b;
    return node.kind == Kind::ceil_div && a % b != 0 && (a < 0) == (b < 0) ? down + 1 : down;
  }

  std::int64_t arithmetic(const ComputeNode& node) {
    const std::int64_t a = whole(child(node, 0)), b = whole(child(node, 1));
    std::int64_t result = 0;
    const bool beyond = node.kind == Kind::add        ? __builtin_add_overflow(a, b, &result)
                        : node.kind == Kind::subtract ? __builtin_sub_overflow(a, b, &result)
                                                      : __builtin_mul_overflow(a, b, &result);
    if (beyond) overflow(node);
    return result;
  }

  // The segment e of offsets with offsets(s) <= e < offsets(s + 1).
  std::int64_t segment(const ComputeNode& node) {
    const StructureInstance& offsets = structure(node);
    const Words& words = *offsets.words;
    const std::int64_t e = whole(child(node, 0));
    const auto value = [&](std::int64_t k) {
      return static_cast<std::int64_t>(words[static_cast<std::size_t>(k)]);
    };
    std::int64_t low = 0, high = offsets.elements - 1;
    step(node, 64);
    if (high < 1 || e < value(0) || e >= value(high))
      refuse(node,
             fmt::format("found segment({}, {}), expected a number within the offsets", offsets.name, e));
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (value(middle) <= e ? low : high) = middle;
    }
    return low;
  }

  // sum, min, max over a structure, as T.
  template <class T>
  T fold(const ComputeNode& node) {
    const StructureInstance& array = structure(node);
    step(node, array.elements);
    if (node.kind != Kind::sum_of && array.elements == 0)
      refuse(node, fmt::format("found no element in {}, expected one", array.name));
    const bool real_array = info(array.dtype).floating;
    T result = 0;
    for (std::size_t k = 0; k < array.words->size(); ++k) {
      const std::uint64_t word = (*array.words)[k];
      const T x = real_array ? static_cast<T>(std::bit_cast<double>(word))
                             : static_cast<T>(static_cast<std::int64_t>(word));
      if (node.kind == Kind::sum_of) {
        if constexpr (std::is_same_v<T, std::int64_t>) {
          if (__builtin_add_overflow(result, x, &result)) overflow(node);
        } else {
          result += x;
        }
      } else if (k == 0 || (node.kind == Kind::maximum_of ? x > result : x < result)) {
        result = x;
      }
    }
    return result;
  }

  std::int64_t drawn(const ComputeNode& node) {
    if (node.kind == Kind::below) {
      const std::int64_t count = whole(child(node, 0));
      if (count <= 0) refuse(node, fmt::format("found random.below({}), expected at least 1", count));
      return random_.below(count);
    }
    const double exponent = real(child(node, 0));
    const std::int64_t count = whole(child(node, 1));
    constexpr double steepest = 100;  // beyond it all is 1
    if (!(exponent >= 0 && exponent <= steepest) || count <= 0 || count >= std::int64_t{1} << 53)
      refuse(node,
             fmt::format("found random.zipf({}, {}), expected an exponent of 0 to {} and at least 1 number",
                         exponent, count, steepest));
    step(node, 4);
    return random_.zipf(exponent, count);
  }

  std::int64_t whole(const ComputeNode& node) {
    if (node.is_real) return whole_of(node, real(node));
    switch (node.kind) {
      case Kind::whole:
        return node.whole;
      case Kind::number:
        return static_cast<std::int64_t>(numbers_[static_cast<std::size_t>(node.slot)]);
      case Kind::local:
        return locals_[static_cast<std::size_t>(node.slot)].whole;
      case Kind::element:
        return static_cast<std::int64_t>(
            (*structure(node).words)[place(node, node.children.size(), structure(node))]);
      case Kind::out:
        return static_cast<std::int64_t>(words_[place(node, node.children.size(), out_)]);
      case Kind::negative:
      case Kind::absolute: {
        const std::int64_t x = whole(child(node, 0));
        if (x == INT64_MIN) overflow(node);
        return node.kind == Kind::negative || x < 0 ? -x : x;
      }
      case Kind::not_:
        return !truth(child(node, 0));
      case Kind::add:
      case Kind::subtract:
      case Kind::multiply:
        return arithmetic(node);
      case Kind::divide:
      case Kind::remainder:
      case Kind::ceil_div:
        return quotient(node);
      case Kind::less:
      case Kind::less_equal:
      case Kind::equal:
      case Kind::not_equal:
        return compare(node);
      case Kind::both:
        return truth(child(node, 0)) && truth(child(node, 1));
      case Kind::either:
        return truth(child(node, 0)) || truth(child(node, 1));
      case Kind::choose:
        return whole(child(node, truth(child(node, 0)) ? 1 : 2));
      case Kind::minimum:
      case Kind::maximum: {
        std::int64_t best = whole(child(node, 0));
        for (std::size_t k = 1; k < node.children.size(); ++k) {
          const std::int64_t x = whole(child(node, k));
          if (node.kind == Kind::maximum ? x > best : x < best) best = x;
        }
        return best;
      }
      case Kind::floor:
        return whole_of(node, std::floor(real(child(node, 0))));
      case Kind::ceil:
        return whole_of(node, std::ceil(real(child(node, 0))));
      case Kind::sum_of:
      case Kind::minimum_of:
      case Kind::maximum_of:
        return fold<std::int64_t>(node);
      case Kind::segment:
        return segment(node);
      default:
        return drawn(node);
    }
  }

  double real(const ComputeNode& node) {
    if (!node.is_real) return static_cast<double>(whole(node));
    switch (node.kind) {
      case Kind::real:
        return node.real;
      case Kind::number:
        return numbers_[static_cast<std::size_t>(node.slot)];
      case Kind::local:
        return locals_[static_cast<std::size_t>(node.slot)].real;
      case Kind::element:
        return std::bit_cast<double>(
            (*structure(node).words)[place(node, node.children.size(), structure(node))]);
      case Kind::out:
        return std::bit_cast<double>(words_[place(node, node.children.size(), out_)]);
      case Kind::negative:
        return -real(child(node, 0));
      case Kind::absolute:
        return std::abs(real(child(node, 0)));
      case Kind::add:
        return real(child(node, 0)) + real(child(node, 1));
      case Kind::subtract:
        return real(child(node, 0)) - real(child(node, 1));
      case Kind::multiply:
        return real(child(node, 0)) * real(child(node, 1));
      case Kind::divide:
        return real(child(node, 0)) / real(child(node, 1));
      case Kind::choose:
        return real(child(node, truth(child(node, 0)) ? 1 : 2));
      case Kind::minimum:
      case Kind::maximum: {
        double best = real(child(node, 0));
        for (std::size_t k = 1; k < node.children.size(); ++k) {
          const double x = real(child(node, k));
          if (std::isnan(x) || (node.kind == Kind::maximum ? x > best : x < best)) best = x;
        }
        return best;
      }
      case Kind::sqrt:
        return std::sqrt(real(child(node, 0)));
      case Kind::exp:
        return std::exp(real(child(node, 0)));
      case Kind::log:
        return std::log(real(child(node, 0)));
      case Kind::log2:
        return std::log2(real(child(node, 0)));
      case Kind::pow:
        return std::pow(real(child(node, 0)), real(child(node, 1)));
      case Kind::sum_of:
      case Kind::minimum_of:
      case Kind::maximum_of:
        return fold<double>(node);
      case Kind::uniform:
        return random_.uniform();
      default:
        return random_.normal();
    }
  }

  struct Local {
    std::int64_t whole = 0;
    double real = 0;
  };

  const ComputeTree& tree_;
  const StructureInstance& out_;
  Words& words_;
  ComputeRandom random_;
  std::vector<Local> locals_;
  std::vector<double> numbers_;
  std::vector<const StructureInstance*> structures_;
  bool real_out_ = false;
  std::int64_t most_steps_;
  std::int64_t steps_ = 0;
};

}  // namespace podium::problem
