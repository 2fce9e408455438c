// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's sampling and choice of the largest numbers, compiled for sm_100a.
#include <flashinfer/sampling.cuh>
#include <flashinfer/topk.cuh>

#include <algorithm>
#include <numeric>

#include "rounded.hpp"

namespace {

namespace sampling = flashinfer::sampling;
constexpr double share = 1e-6;  // sums of f32, exponentials that hardware approximates

std::vector<float> logits(int count, checked::Random& random) {
  std::vector<float> all(count);
  for (auto& x : all) x = 3 * random.small() + float(random.below(1000)) / 4096;
  return all;
}

// Rows' exponentials as shares of their sums.
std::vector<double> shares(const std::vector<float>& all, int rows, int width, double temperature) {
  std::vector<double> result(all.size());
  for (int i = 0; i < rows; ++i) {
    const float* const row = &all[std::size_t(i) * width];
    const double most = *std::max_element(row, row + width);
    double sum = 0;
    for (int c = 0; c < width; ++c) sum += std::exp((row[c] - most) / temperature);
    for (int c = 0; c < width; ++c)
      result[std::size_t(i) * width + c] = std::exp((row[c] - most) / temperature) / sum;
  }
  return result;
}

int softmax(const char* name, int rows, int width) {
  checked::Random random;
  const auto in = logits(rows * width, random);
  float* const out = checked::unwritten<float>(in.size());
  constexpr float temperature = .75f;
  constexpr std::size_t bytes = 1 << 20;
  checked::Verdict verdict(name);
  checked::succeed(sampling::OnlineSoftmax<float>(checked::on_device(in), out, rows, width, nullptr,
                                                  temperature, checked::unwritten<char>(bytes), bytes, true),
                   "OnlineSoftmax");
  verdict.wait();
  const auto found = checked::from_device(out, in.size());
  const auto exact = shares(in, rows, width, temperature);
  // A difference of logits that is off by half a unit in its last place, through the exponential.
  for (std::size_t i = 0; i < in.size(); ++i)
    verdict.compare(found[i], exact[i], 4 * share * exact[i] + 1e-38);
  return verdict.said();
}

// Of each row the least numbers are left out whose others' sum is `part` at least; what stays is made one.
int nucleus(const char* name, int rows, int width, float part) {
  checked::Random random;
  const auto in = logits(rows * width, random);
  const auto exact = shares(in, rows, width, 1);
  const std::vector<float> given(exact.begin(), exact.end());
  float* const out = checked::unwritten<float>(in.size());
  checked::Verdict verdict(name);
  checked::succeed(
      sampling::TopPRenormProb<float>(checked::on_device(given), out, nullptr, rows, part, width),
      "TopPRenormProb");
  verdict.wait();
  const auto found = checked::from_device(out, in.size());
  for (int i = 0; i < rows; ++i) {
    const float* const row = &given[std::size_t(i) * width];
    std::vector<float> sorted(row, row + width);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0;
    float least = 0;
    for (const float x : sorted) {
      if (sum >= part && x != least) break;  // equal numbers stay together
      sum += least = x;
    }
    for (int c = 0; c < width; ++c)
      verdict.compare(found[std::size_t(i) * width + c], row[c] >= least ? row[c] / sum : 0,
                      4 * share * row[c] / sum + 1e-38);
  }
  return verdict.said();
}

// The largest `count` of each row, sorted, with their places.
int largest(const char* name, int rows, int width, int count) {
  checked::Random random;
  const auto in = logits(rows * width, random);
  float* const values = checked::unwritten<float>(std::size_t(rows) * count);
  int* const places = checked::unwritten<int>(std::size_t(rows) * count);
  const std::vector<sampling::RadixRowState> states(rows);
  checked::Verdict verdict(name);
  checked::succeed((sampling::TopKDispatch<float, int>(checked::on_device(in), places, values, rows, count,
                                                       width, checked::on_device(states), true)),
                   "TopKDispatch");
  verdict.wait();
  const auto found = checked::from_device(values, std::size_t(rows) * count);
  const auto at = checked::from_device(places, std::size_t(rows) * count);
  for (int i = 0; i < rows; ++i) {
    const float* const row = &in[std::size_t(i) * width];
    std::vector<float> sorted(row, row + width);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    std::vector<int> taken;
    for (int k = 0; k < count; ++k) {
      const int place = at[std::size_t(i) * count + k];
      verdict.compare(found[std::size_t(i) * count + k], sorted[k], 1e-30);
      verdict.compare(place >= 0 && place < width ? row[place] : INFINITY, sorted[k], 1e-30);
      taken.push_back(place);
    }
    std::sort(taken.begin(), taken.end());
    verdict.compare(double(std::unique(taken.begin(), taken.end()) - taken.begin()), count, .5);
  }
  return verdict.said();
}

// Of each row's largest `count` one is drawn; of one it is the largest.
int drawn(const char* name, int rows, int width) {
  checked::Random random;
  const auto in = logits(rows * width, random);
  const auto exact = shares(in, rows, width, 1);
  const std::vector<float> given(exact.begin(), exact.end());
  float* const device_given = checked::on_device(given);
  int* const places = checked::unwritten<int>(rows);
  bool* const valid = checked::unwritten<bool>(rows);
  checked::Verdict verdict(name);
  for (const int count : {1, 7}) {
    checked::succeed(
        (sampling::TopKSamplingFromProb<float, int>(device_given, places, valid, nullptr, nullptr, rows,
                                                    count, width, true, nullptr, 5, nullptr, 0)),
        "TopKSamplingFromProb");
    verdict.wait();
    const auto at = checked::from_device(places, rows);
    for (int i = 0; i < rows; ++i) {
      const float* const row = &given[std::size_t(i) * width];
      const double larger = double(std::count_if(row, row + width, [&](float x) { return x > row[at[i]]; }));
      verdict.compare(larger, 0, count - .5);
    }
  }
  return verdict.said();
}

}  // namespace

int main() {
  return softmax("shares of exponentials, f32", 5, 1000) |
         softmax("the same, wide rows in slices", 2, 24584) |
         nucleus("the largest until 0.6, f32", 4, 1000, .6f) |
         largest("the largest 50 of 3000, f32", 3, 3000, 50) |
         drawn("one of the largest 1 and 7, f32", 8, 1000);
}
