// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated attention of a few queries for sm_100a, keys and values in pages, by the functions
// that its Python calls, which make tensor maps and workspaces. -DGROUP=0: bf16, heads of 256, 32 rows a
// tile, of which three blocks each have a part of the keys, and wait for each other.
#include "launcher.hpp"
#if GROUP == 0
#undef GROUP
#define GROUP 8  // heads that share keys
#define Q_LEN 4
#define Q_BOX_ROWS 4
#define NUM_SPLIT 3
#define CAKE_FMHA_SMALLM_N_ROWS 32
#define CAKE_FMHA_SMALLM_PAGE_SIZE 16
#define CAKE_FMHA_SMALLM_LAUNCH cake_fmha_launch_decode_native_bf16_hd256_smallm_n32_p16
#include <cstring>
#include <jit/cake_fmha_decode_native_bf16_hd256_smallm_jit_binding.cu>
// Each of the sources has types of the same names.
namespace kernel {
#include <cuda/decode_native_bf16_hd256_smallm_n32_p16/default.cu>
}
#else
#error "GROUP is 0"
#endif
#include "attended.hpp"

// What the package compiles apart, with types of its own.
cudaError_t CAKE_FMHA_SMALLM_LAUNCH(CakeFmhaTensorMap const* q, CakeFmhaTensorMap const* k,
                                    CakeFmhaTensorMap const* v, __nv_bfloat16* parts, float* of_parts,
                                    __nv_bfloat16* out, float* sums, uint32_t* done, int* table, int* lengths,
                                    int pages, float scale, int heads, int key_heads, unsigned x, unsigned y,
                                    unsigned z, cudaStream_t) {
  void* arguments[] = {const_cast<CakeFmhaTensorMap*>(q),
                       const_cast<CakeFmhaTensorMap*>(k),
                       const_cast<CakeFmhaTensorMap*>(v),
                       &parts,
                       &of_parts,
                       &out,
                       &sums,
                       &done,
                       &table,
                       &lengths,
                       &pages,
                       &scale,
                       &heads,
                       &key_heads};
  checked::launch(kernel::kernel_cake_fmha_decode_native_bf16_hd256_smallm_n32_p16, dim3(x, y, z), 512,
                  224512, arguments);
  return cudaSuccess;
}

namespace {

using checked::View;

int run(const char* name) {
  using Number = __nv_bfloat16;
  constexpr int width = 256, page = 16, queries = Q_LEN, key_heads = 2, heads = key_heads * GROUP;
  const std::vector<int> lengths{500, 130};
  const int sequences = int(lengths.size()), most_pages = (500 + page - 1) / page,
            pages = most_pages * sequences;
  checked::Random random;
  const auto q = checked::random_numbers<Number>(std::size_t(sequences) * queries * heads * width, random),
             k = checked::random_numbers<Number>(std::size_t(pages) * key_heads * page * width, random),
             v = checked::random_numbers<Number>(k.size(), random);
  std::vector<int> table;
  for (int i = 0; i < pages; ++i) table.push_back((i * 5 + 3) % pages);
  auto* out = checked::unwritten<Number>(q.size());
  auto* sums = checked::unwritten<float>(q.size() / width);
  constexpr std::int64_t room = 1 << 22;
  const auto* const workspace = checked::unwritten<std::uint8_t>(room);
  const auto* const counters = checked::on_device(std::vector<std::uint8_t>(1 << 10));
  const View of_cache_k(checked::on_device(k), {pages, key_heads, page, width}),
      of_cache_v(checked::on_device(v), {pages, key_heads, page, width});
  const std::int64_t rows = std::int64_t(sequences) * queries;
  const double scale = 1 / std::sqrt(double(width));
  const auto none = tvm::ffi::Optional<tvm::ffi::TensorView>();
  checked::Verdict verdict(name);
  flashinfer::cake_fmha::cake_paged_attention_decode(
      View(out, {rows, heads, width}), none, View(checked::on_device(q), {rows, heads, width}), of_cache_k,
      of_cache_v, View(workspace, {room}), View(counters, {1 << 10}),
      View(checked::on_device(table), {sequences, most_pages}),
      View(checked::on_device(lengths), {sequences}), queries, 500, scale, 1., -1, -1, 0, sequences, -1, 0,
      132, false, room, none, none, none, none, tvm::ffi::Optional<float>(), tvm::ffi::Optional<bool>(),
      View(sums, {rows, heads}), heads, 1, false, none);
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  const auto found_sums = checked::from_device(sums, q.size() / width);
  // Results of parts are rounded too.
  auto weights = checked::weights_of<Number>();
  weights.share *= 2;
  for (int s = 0; s < sequences; ++s)
    for (int i = 0; i < queries; ++i)
      for (int h = 0; h < heads; ++h) {
        const std::size_t at = std::size_t(s * queries + i) * heads + h;
        const auto row = [&](int j) {
          const std::size_t of_page = table[s * most_pages + j / page];
          return ((of_page * key_heads + h / GROUP) * page + j % page) * width;
        };
        const auto sum = checked::compare_weighted(
            verdict, &found[at * width], lengths[s] - (queries - 1 - i), width, weights,
            [&](int j) {
              checked::Score score;
              for (int c = 0; c < width; ++c)
                score.add(scale * double(float(q[at * width + c])) * double(float(k[row(j) + c])));
              return score;
            },
            [&](int j) { return &v[row(j)]; });
        verdict.compare(found_sums[at] * std::log(2.), sum.logarithm, sum.limit);  // to 2
      }
  return verdict.said();
}

}  // namespace

int main() { return run("bf16, heads of 256, three parts"); }
