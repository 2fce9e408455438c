// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Outputs against references: |y - ref| <= ulp step(dtype, ref) + growth eps(accumulate) scale.
#pragma once
#include "access.hpp"
#include "laid_out.hpp"

namespace podium::program {

// What is expected of one element. `at`: its linear index; Value: double, i64 or u64.
template <class Value>
struct Expectation {
  i64 at;
  Value expected;
  double scale;
  bool excused;  // need only be finite
  bool any;      // may hold anything
};
template <class T>
PODIUM_DEVICE auto expectation(i64 at, T expected, double scale, bool excused, bool any) {
  if constexpr (is_number<T>)
    return Expectation<double>{at, expected.value, scale, excused, any};
  else
    return Expectation<T>{at, expected, scale, excused, any};
}
// Whether a number of the reference that excuses says so; NaN excuses nothing.
template <class T>
PODIUM_DEVICE bool excuses(T number) {
  return number != 0 && number == number;
}

struct Judgement {
  double ratio;  // error over limit; above 1 fails, infinity where no number can be given
  double limit;
};

// What a floating element type holds of a finite number: its largest numbers stand for all beyond.
template <class T>
PODIUM_DEVICE double limited(double x) {
  return absolute(x) <= Limits<T>::largest ? x : x < 0 ? -Limits<T>::largest : Limits<T>::largest;
}

// Hardware may flush subnormals of some types to zero.
template <class T>
PODIUM_DEVICE bool flushed(double expected) {
  if constexpr (is_any<T, f32, bf16>) return absolute(expected) < Limits<T>::smallest_normal;
  return false;
}

// Floating outputs. Half a step admits one number alone: half-way between two, that which the reference is
// rounded to.
template <class T>
PODIUM_DEVICE Judgement judge(double got, double expected, double ulp, double growth_eps, double scale) {
  using L = Limits<T>;
  const double refused = infinity_value();
  if (is_nan(expected)) return {is_nan(got) ? 0 : refused, 0};
  if (!is_finite(expected)) {  // types that saturate hold their largest number in its place
    const bool largest = is_small_float<T> && got == limited<T>(expected);
    return {got == expected || largest ? 0 : refused, 0};
  }
  const bool beyond = absolute(expected) > L::largest;
  const double held = limited<T>(expected);
  if (!is_finite(got)) return {beyond && got == widen(narrow<T>(expected)) ? 0 : refused, 0};
  const double spacing = step<T>(held, held < 0 ? got > held : got < held);
  const double limit = ulp * spacing + growth_eps * absolute(scale);
  const double error = absolute(got - held);
  if (error == 0) return {0, limit};
  if (got == 0 && flushed<T>(expected)) return {0, limit};
  const bool half_way = error == limit && 2 * error == spacing;
  if (error <= limit && (!half_way || got == widen(narrow<T>(held)))) return {error / limit, limit};
  return {limit > 0 ? larger(error / limit, 1 + 0x1p-52) : refused, limit};
}

// Integral outputs are exact.
PODIUM_DEVICE bool same_whole(i64 a, i64 b) { return a == b; }
PODIUM_DEVICE bool same_whole(u64 a, u64 b) { return a == b; }
PODIUM_DEVICE bool same_whole(i64 a, u64 b) { return a >= 0 && u64(a) == b; }
PODIUM_DEVICE bool same_whole(u64 a, i64 b) { return b >= 0 && a == u64(b); }
PODIUM_DEVICE bool same_whole(i64 a, double b) {
  return b >= -0x1p63 && b < 0x1p63 && double(i64(b)) == b && i64(b) == a;
}
PODIUM_DEVICE bool same_whole(u64 a, double b) {
  return b >= 0 && b < 0x1p64 && double(u64(b)) == b && u64(b) == a;
}

PODIUM_DEVICE u64 word_of(double x) { return bits_of(x); }
PODIUM_DEVICE u64 word_of(i64 x) { return u64(x); }
PODIUM_DEVICE u64 word_of(u64 x) { return x; }
template <class T>
inline constexpr ExpectedKind kind_of = is_same<T, double> ? expected_real
                                        : is_same<T, u64>  ? expected_unsigned
                                                           : expected_signed;

// Whether the integral type T holds a number of the reference: nobody could give another.
template <class T>
PODIUM_DEVICE bool is_held(i64 x) {
  return x < 0 ? x >= lowest_integer<T> : u64(x) <= largest_integer<T>;
}
template <class T>
PODIUM_DEVICE bool is_held(u64 x) {
  return x <= largest_integer<T>;
}
template <class T>
PODIUM_DEVICE bool is_held(double x) {
  constexpr double low = double(lowest_integer<T>), high = double(largest_integer<T>);
  return round_down(x) == x && x >= low && (sizeof(T) == 8 ? x < high : x <= high);
}

// Element bytes that all equal `poison`.
template <class T>
PODIUM_DEVICE u64 poison_pattern(u64 poison) {
  return (poison & 0xff) * (0x0101010101010101u >> (64 - 8 * sizeof(T)));
}

// A number that not every kernel finds that returns zeros, or no numbers.
template <class T, class Value>
PODIUM_DEVICE bool tells(Value expected) {
  if constexpr (is_same<Value, double>)
    return is_finite(expected) && !(is_float_element<T> && flushed<T>(expected)) && expected != 0;
  else
    return expected != 0;
}

// R: elements(words), expect(words, element); site: the output's reference, target: the output.
template <class T, class R, class Data>
PODIUM_DEVICE void compare(Words words, Group group, const Data data, int site, int target) {
  const u64 pattern = poison_pattern<T>(words.word[compare_poison]);
  const double ulp = words.real(compare_ulp), growth_eps = words.real(compare_growth);
  Comparison mine = Comparison::identity();
  for_each(R::elements(words), group, [&](const i64 element) {
    const auto e = R::expect(words, element);
    if (e.any) return;
    const T raw_got = data[e.at];
    const auto got = widen(raw_got);
    Judgement verdict;
    if (e.excused) {
      verdict = {is_finite(double(got)) ? 0 : infinity_value(), 0};
    } else if constexpr (is_float_element<T>) {
      verdict = judge<T>(got, double(e.expected), ulp, growth_eps, e.scale);
      if (!(verdict.limit >= 0) || !is_finite(verdict.limit)) {  // a limit that admits everything is no limit
        const i64 at[1] = {e.at};
        note_fault(words, fault_limit, site, target, at);
      }
    } else {
      verdict = {same_whole(got, e.expected) ? 0 : infinity_value(), 0};
      if (!is_held<T>(e.expected)) {
        const i64 found[3] = {e.at, i64(word_of(e.expected)), kind_of<decltype(e.expected)>};
        note_fault(words, fault_value, site, target, found);
      }
    }
    const bool failed = verdict.ratio > 1;
    mine.merge({verdict.ratio, e.at, word_of(got), word_of(e.expected), verdict.limit, 1, failed,
                failed && holds(data, e.at, pattern), kind_of<decltype(e.expected)>, e.excused,
                !e.excused && tells<T>(e.expected)});
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Comparison>(launch_results)[group.index] = mine;
}

}  // namespace podium::program
