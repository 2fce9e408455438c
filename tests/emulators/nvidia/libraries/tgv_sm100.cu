// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's products for sm_100a of few columns, for which memory is read as fast as it goes: C = A B, or
// plus a column.
#include <flashinfer/gemm/tgv_gemm.cuh>

#include "checked.hpp"

namespace {

// Half a unit in the last place of C, where its sum of f32 is right within 2e-6 of its terms' sizes.
template <class T>
double limit(double sum, double size) {
  return 2e-6 * size + std::fabs(sum) * std::ldexp(1., -int(cute::is_same_v<T, cutlass::half_t> ? 11 : 8));
}

// A's numbers are contiguous along k, or along rows; C's along rows. Each of `batch` products by itself.
template <class T, int rows, int columns, int depth, int stages, cute::UMMA::Major of_a>
int run(const char* name, int m, int n, int k, int batch, bool with_bias) {
  constexpr bool along_k = of_a == cute::UMMA::Major::K;
  checked::Random random;
  const auto a = checked::random_numbers<T>(std::size_t(batch) * m * k, random);
  const auto b = checked::random_numbers<T>(std::size_t(batch) * n * k, random);
  const auto bias = checked::random_numbers<T>(m, random);
  T* const device_c = checked::unwritten<T>(std::size_t(batch) * m * n);
  checked::Verdict verdict(name);
  flashinfer::gemm::tgv_gemm_host<T, T, T, float, T, rows, columns, depth, stages, of_a,
                                  cute::UMMA::Major::K>(
      checked::on_device(a), checked::on_device(b), device_c, with_bias ? checked::on_device(bias) : nullptr,
      m, n, k, batch, along_k ? k : 1, along_k ? 1 : m, m * k, k, 1, n * k, 1, m, m * n, false);
  verdict.wait();
  const auto c = checked::from_device(device_c, std::size_t(batch) * m * n);
  for (int g = 0; g < batch; ++g)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = with_bias ? double(bias[i]) : 0, size = std::fabs(sum);
        for (int l = 0; l < k; ++l) {
          const std::size_t at = along_k ? std::size_t(i) * k + l : std::size_t(l) * m + i;
          const double x =
              double(a[std::size_t(g) * m * k + at]) * double(b[(std::size_t(g) * n + j) * k + l]);
          sum += x, size += std::fabs(x);
        }
        verdict.compare(double(c[(std::size_t(g) * n + j) * m + i]), sum, limit<T>(sum, size));
      }
  return verdict.said();
}

}  // namespace

int main() {
  using cute::UMMA::Major;
  int failed = run<cutlass::bfloat16_t, 64, 8, 128, 6, Major::K>("bf16 64x8x128, with a column", 200, 21, 328,
                                                                 1, true);
  failed |= run<cutlass::half_t, 128, 16, 128, 6, Major::MN>("f16 128x16x128, contiguous rows, two products",
                                                             200, 13, 264, 2, false);
  return failed;
}
