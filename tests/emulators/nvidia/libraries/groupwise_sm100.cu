// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's products for sm_100a whose operands have a scale factor for each block of numbers, by itself
// and in groups: D = A B, where B is another one for each group of A's rows. -DGROUP says which.
#define CUTLASS_ENABLE_GDC_FOR_SM100 1  // as FlashInfer has it: its launches overlap
#if GROUP == 0
#include <flashinfer/gemm/gemm_groupwise_sm100.cuh>
#elif GROUP == 1 || GROUP == 3
#include <flashinfer/gemm/group_gemm_fp8_groupwise_sm100.cuh>
#elif GROUP == 2
#include <flashinfer/gemm/group_gemm_mxfp4_groupwise_sm100.cuh>
#else
#error "GROUP is 0, 1, 2 or 3"
#endif

#include "cutlass_checked.hpp"
#include "packed.hpp"

namespace {
using cutlass::bfloat16_t, cutlass::float_e2m1_t, cutlass::float_e4m3_t, cutlass::float_ue8m0_t,
    cutlass::half_t;

// A product is right within `share` of its terms' sizes and D's rounding: half a unit in its last place.
template <class Out>
double limit(double sum, double size) {
  return checked::share * size + std::fabs(sum) * std::ldexp(1., -int(cute::is_same_v<Out, half_t> ? 11 : 8));
}

// The rows of A and D of each group begin at `begins`; the last number is how many there are of all.
template <class Out, class Term>
int compared(checked::Verdict& verdict, const Out* device_d, const std::vector<int>& begins, int n, int k,
             const Term& term) {
  const auto d = checked::from_device(device_d, std::size_t(begins.back()) * n);
  for (int g = 0; g + 1 < int(begins.size()); ++g)
    for (int i = begins[g]; i < begins[g + 1]; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (int l = 0; l < k; ++l) {
          const double x = term(g, i, j, l);
          sum += x, size += std::fabs(x);
        }
        verdict.compare(double(float(d[std::size_t(i) * n + j])), sum, limit<Out>(sum, size));
      }
  return verdict.said();
}

template <class T>
T* room(std::size_t bytes) {
  return reinterpret_cast<T*>(checked::on_device(std::vector<char>(bytes)));
}
constexpr std::size_t workspace = 1 << 20;

#if GROUP != 2
constexpr int block = 128;  // numbers of a row, and rows of B, that share a factor
// Where A's factors are contiguous along rows, the library says of every group that it has as many rows as
// all together have. So of the last group, factors behind the last one are read, a tile's at most.
constexpr int behind = GROUP == 3 ? 0 : 128;

// Numbers that are no powers of two.
std::vector<float> some_factors(std::size_t count, checked::Random& random) {
  std::vector<float> all(count);
  for (auto& factor : all) factor = .25f + float(random.below(16)) / 8;
  return all;
}

// A factor for `RowsOfA` rows of A and 128 of its columns, contiguous along K or else along rows. One group
// is an ordinary product.
template <int RowsOfA, bool AlongK, int Blocks, class Out>
int run(const char* name, const std::vector<int>& begins, int n, int k) {
  checked::Random random;
  const int groups = int(begins.size()) - 1, m = begins.back(), of_k = k / block, of_n = n / block;
  const int of_m = m / RowsOfA;
  const auto a = checked::random_numbers<float_e4m3_t>(std::size_t(m) * k, random);
  const auto b = checked::random_numbers<float_e4m3_t>(std::size_t(groups) * n * k, random);
  const auto factors_a = some_factors(std::size_t(of_m) * of_k + behind, random);
  const auto factors_b = some_factors(std::size_t(groups) * of_n * of_k, random);
  Out* const d = checked::unwritten<Out>(std::size_t(m) * n);
  checked::Verdict verdict(name);
#if GROUP == 0
  const cudaError_t launched =
      flashinfer::gemm::CutlassGroupwiseScaledGEMMSM100<RowsOfA, block, block, AlongK, Blocks>(
          room<void>(workspace), workspace, checked::on_device(a), checked::on_device(b),
          checked::on_device(factors_a), checked::on_device(factors_b), d, m, n, k, 1, nullptr);
#else
  const cudaError_t launched =
      flashinfer::group_gemm::CutlassFP8GroupwiseScaledGroupGEMMSM100<RowsOfA, block, block, AlongK, Blocks>(
          room<void>(workspace), workspace, room<void>(workspace), workspace, checked::on_device(a),
          checked::on_device(b), checked::on_device(factors_a), checked::on_device(factors_b), d,
          checked::on_device(begins), m, n, k, groups, nullptr);
#endif
  checked::succeed(launched, "launch");
  verdict.wait();
  return compared(verdict, d, begins, n, k, [&](int g, int i, int j, int l) {
    const std::size_t of_row = i / RowsOfA, of_column = j / block, at = l / block;
    const float* const of_b = &factors_b[std::size_t(g) * of_n * of_k];
    const double scale = double(factors_a[AlongK ? of_row * of_k + at : at * of_m + of_row]) *
                         of_b[AlongK ? of_column * of_k + at : at * of_n + of_column];
    return scale * float(a[std::size_t(i) * k + l]) * float(b[(std::size_t(g) * n + j) * k + l]);
  });
}
#else
// Where the factor of `row` and `block` (of 32 numbers) lies, by the ISA's and cuBLAS's layout: tiles of 128
// rows and 4 blocks, in which 32 rows of 16 bytes hold four rows' four blocks each.
std::size_t place(std::size_t row, std::size_t block, std::size_t blocks) {
  const std::size_t tile = row / 128 * ((blocks + 3) / 4) + block / 4, within = row % 128;
  return tile * 512 + within % 32 * 16 + within / 32 * 4 + block % 4;
}

// A of e4m3, B of e2m1.
template <int TileN, int TileK, int Blocks, bool Swapped, class Out>
int run(const char* name, const std::vector<int>& begins, int n, int k) {
  checked::Random random;
  const int groups = int(begins.size()) - 1, m = begins.back(), blocks = k / 32;
  const checked::Packed<float_e4m3_t> a(std::size_t(m) * k, random);
  const checked::Packed<float_e2m1_t> b(std::size_t(groups) * n * k, random);
  const std::size_t padded_n = std::size_t(n + 127) / 128 * 128,
                    padded_blocks = std::size_t(blocks + 3) / 4 * 4;
  // The rows of a group's factors begin at a multiple of 128, so that there is room for as many in front.
  const auto first_row = [&](int g) { return std::size_t(begins[g] + g * 127) / 128 * 128; };
  const auto factors = [&](std::size_t rows) {
    std::vector<float_ue8m0_t> all(rows * padded_blocks);
    for (auto& factor : all) factor = float_ue8m0_t(std::ldexp(1.f, int(random.below(9)) - 4));
    return all;
  };
  const auto factors_a = factors(first_row(groups) + 128), factors_b = factors(groups * padded_n);
  Out* const d = checked::unwritten<Out>(std::size_t(m) * n);
  checked::Verdict verdict(name);
  const cudaError_t launched =
      flashinfer::group_gemm::CutlassMXFP4GroupwiseScaledGroupGEMMSM100<128, TileN, TileK, Blocks, Swapped>(
          room<void>(workspace), workspace, room<void>(workspace), workspace,
          reinterpret_cast<float_e4m3_t*>(checked::on_device(a.bytes)),
          reinterpret_cast<float_e2m1_t*>(checked::on_device(b.bytes)), checked::on_device(factors_a),
          checked::on_device(factors_b), d, checked::on_device(begins), n, k, groups, nullptr);
  checked::succeed(launched, "launch");
  verdict.wait();
  return compared(verdict, d, begins, n, k, [&](int g, int i, int j, int l) {
    const std::size_t of_a = first_row(g) * padded_blocks + place(i - begins[g], l / 32, blocks);
    const std::size_t of_b = g * padded_n * padded_blocks + place(j, l / 32, blocks);
    return double(float(factors_a[of_a])) * double(float(factors_b[of_b])) *
           a.values[std::size_t(i) * k + l] * b.values[(std::size_t(g) * n + j) * k + l];
  });
}
#endif
}  // namespace

int main() {
  int failed = 0;
#if GROUP == 0
  failed |= run<1, true, 1, bfloat16_t>("fp8, factors of 1x128, 128x128x128", {0, 264}, 384, 256);
  failed |=
      run<128, false, 2, half_t>("fp8, factors of 128x128, 256x128x128, pair of blocks", {0, 512}, 256, 384);
#elif GROUP == 3
  failed |= run<1, false, 1, bfloat16_t>("grouped fp8, no factors behind A's", {0, 128, 200, 392}, 256, 256);
#elif GROUP == 1
  failed |= run<1, false, 1, bfloat16_t>("grouped fp8, factors of 1x128, 128x128x128", {0, 128, 200, 392},
                                         256, 256);
  failed |= run<128, true, 2, half_t>("grouped fp8, factors of 128x128, 256x128x128, pair of blocks",
                                      {0, 128, 512, 768}, 128, 384);
#else
  failed |= run<128, 256, 1, false, bfloat16_t>("grouped mxfp8 by mxfp4, 128x128x256", {0, 128, 200, 392},
                                                256, 512);
  failed |= run<64, 128, 2, true, half_t>("grouped mxfp4 by mxfp8, 256x64x128, pair of blocks",
                                          {0, 60, 264, 300}, 256, 256);
#endif
  return failed;
}
