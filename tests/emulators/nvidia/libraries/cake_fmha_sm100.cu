// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated attention of a few queries for sm_100a, keys and values in pages, by the functions
// that its Python calls, which make tensor maps and workspaces. -DGROUP=0: bf16, heads of 256, 32 rows a
// tile, of which three blocks each have a part of the keys, and wait for each other; 1: bf16, heads of 128,
// with sinks and a window; 2: f16, the same, keys of a page by position and then by head; 3: f16, heads of
// 512, with a window; 4 and 5: bf16, heads of 128 and of 64, where blocks share out the work when they run.
#include "launcher.hpp"

#include <cstring>
#if GROUP == 0
#undef GROUP
#define GROUP 8  // the source's own: heads that share keys
#define Q_LEN 4
#define Q_BOX_ROWS 4
#define NUM_SPLIT 3
#define CAKE_FMHA_SMALLM_N_ROWS 32
#define CAKE_FMHA_SMALLM_PAGE_SIZE 16
#define CAKE_FMHA_SMALLM_LAUNCH cake_fmha_launch_decode_native_bf16_hd256_smallm_n32_p16
#include <jit/cake_fmha_decode_native_bf16_hd256_smallm_jit_binding.cu>
#define SOURCE <cuda/decode_native_bf16_hd256_smallm_n32_p16/default.cu>
constexpr const char* name = "bf16, heads of 256, three parts";
constexpr int width = 256, page = 16, window = -1;
constexpr bool with_sinks = false, by_head = true;
using Number = __nv_bfloat16;
#elif GROUP == 4 || GROUP == 5
constexpr int page = 16, window = -1;
constexpr bool with_sinks = false, by_head = true;
using Number = __nv_bfloat16;
#define Q_LEN 1
#if GROUP == 5
#define CAKE_FMHA_BALANCED_LAUNCH cake_fmha_launch_decode_balanced_bf16_hd64
#include <jit/cake_fmha_decode_balanced_hd64_jit_binding.cu>
#define SOURCE <cuda/decode_balanced_bf16_hd64/default.cu>
#define ENTRY kernel_cake_fmha_decode_balanced_bf16_hd64
constexpr const char* name = "bf16, heads of 64, work shared out";
constexpr int width = 64;
#else
#define CAKE_FMHA_BALANCED_N_ROWS 0
#define CAKE_FMHA_BALANCED_FP16 0
#define CAKE_FMHA_BALANCED_LAUNCH cake_fmha_launch_decode_balanced_bf16
#include <jit/cake_fmha_decode_balanced_jit_binding.cu>
#define SOURCE <cuda/decode_balanced_bf16/default.cu>
#define ENTRY kernel_cake_fmha_decode_balanced_bf16
constexpr const char* name = "bf16, heads of 128, work shared out";
constexpr int width = 128;
#endif
#else
#define BATCH_SIZE 2
#define Q_LEN 2
#define NUM_KV_HEADS 2
#define NUM_Q_HEADS 16
#define CAKE_FMHA_HAS_SINK 1
#define CAKE_FMHA_HAS_WINDOW 1
#define CAKE_FMHA_USE_SCALE_PTR 0
#define CAKE_FMHA_RETAIN_KV_L2 0
constexpr int window = 200;
#if GROUP == 1
#include <jit/cake_fmha_decode_native_bf16_jit_binding.cu>
#define SOURCE <cuda/decode_native_bf16/has_sink1_has_window1_retain_kv_l20_use_scale_ptr0.cu>
#define LAUNCH cake_fmha_launch_decode_native_bf16
#define ENTRY kernel_cake_fmha_decode_native_bf16
constexpr const char* name = "bf16, heads of 128, sinks, a window";
constexpr int width = 128, page = 16;
constexpr bool with_sinks = true, by_head = true;
using Number = __nv_bfloat16;
#elif GROUP == 2
#include <jit/cake_fmha_decode_native_fp16_nhd_jit_binding.cu>
#define SOURCE <cuda/decode_native_fp16_nhd/has_sink1_has_window1_retain_kv_l20_use_scale_ptr0.cu>
#define LAUNCH cake_fmha_launch_decode_native_fp16_nhd
#define ENTRY kernel_cake_fmha_decode_native_fp16_nhd
constexpr const char* name = "f16, heads of 128, sinks, a window";
constexpr int width = 128, page = 32;
constexpr bool with_sinks = true, by_head = false;
using Number = __half;
#elif GROUP == 3
#include <jit/cake_fmha_decode_native_fp16_hd512_jit_binding.cu>
#define SOURCE <cuda/decode_native_fp16_hd512/has_window1_retain_kv_l20_use_scale_ptr0.cu>
#define LAUNCH cake_fmha_launch_decode_native_fp16_hd512
#define ENTRY kernel_cake_fmha_decode_native_fp16_hd512
constexpr const char* name = "f16, heads of 512, a window";
constexpr int width = 512, page = 64;
constexpr bool with_sinks = false, by_head = true;
using Number = __half;
#else
#error "GROUP is 0 to 5"
#endif
#endif
// Each of the sources has types of the same names.
namespace kernel {
#include SOURCE
}
#include "attended.hpp"

// What the package compiles apart, with types of its own.
using Map = CakeFmhaTensorMap const*;
#ifdef NUM_SPLIT
cudaError_t CAKE_FMHA_SMALLM_LAUNCH(Map q, Map k, Map v, Number* parts, float* of_parts, Number* out,
                                    float* sums, uint32_t* done, int* table, int* lengths, int pages,
                                    float scale, int heads, int key_heads, unsigned x, unsigned y, unsigned z,
                                    cudaStream_t) {
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
#elif defined(CAKE_FMHA_BALANCED_LAUNCH)
cudaError_t CAKE_FMHA_BALANCED_LAUNCH(Map q, Map k, Map v, Number* out, int* table, int* lengths,
                                      float* parts, float* of_parts, uint32_t* tiles, uint32_t* queue,
                                      int pages, float scale, int heads, int key_heads, int sharing,
                                      int batch, int queries, uint32_t most, unsigned x, unsigned y,
                                      unsigned z, cudaStream_t) {
  void* arguments[] = {&q,     &k,     &v,     &out,   &table,     &lengths, &parts, &of_parts, &tiles,
                       &queue, &pages, &scale, &heads, &key_heads, &sharing, &batch, &queries,  &most};
  checked::launch(kernel::ENTRY, dim3(x, y, z), 512, SMEM_TOTAL, arguments);
  return cudaSuccess;
}
#else
cudaError_t LAUNCH(Map q, Map k, Map v, Number* out, float* sums, int* table, int* before, float* of_scores,
#if GROUP != 3
                   float* sinks,
#endif
                   int pages, int most, float scale, int left, int heads, int key_heads, int batch,
                   unsigned x, unsigned y, unsigned z, cudaStream_t) {
  void* arguments[] = {&q,     &k,    &v,     &out,  &sums,  &table,     &before, &of_scores,
#if GROUP != 3
                       &sinks,
#endif
                       &pages, &most, &scale, &left, &heads, &key_heads, &batch};
  checked::launch(kernel::ENTRY, dim3(x, y, z), 512, SMEM_TOTAL, arguments);
  return cudaSuccess;
}
#endif

namespace {

using checked::View;

int run() {
  constexpr int queries = Q_LEN, key_heads = 2, sharing = 8, heads = key_heads * sharing;
  const std::vector<int> lengths{500, 130};
  const int sequences = int(lengths.size()), most_pages = (500 + page - 1) / page,
            pages = most_pages * sequences;
  checked::Random random;
  const auto q = checked::random_numbers<Number>(std::size_t(sequences) * queries * heads * width, random),
             k = checked::random_numbers<Number>(std::size_t(pages) * key_heads * page * width, random),
             v = checked::random_numbers<Number>(k.size(), random);
  // Of each sequence the pages of keys, and, where these are by position, those of values.
  constexpr int tables = by_head ? 1 : 2;
  std::vector<int> table;
  for (int i = 0; i < pages * tables; ++i) table.push_back((i * 5 + 3) % pages);
  std::vector<float> sinks(heads);
  for (int h = 0; h < heads; ++h) sinks[h] = float(h % 7) - 2;
  auto* out = checked::unwritten<Number>(q.size());
  auto* sums = checked::unwritten<float>(q.size() / width);
  constexpr std::int64_t room = 1 << 22, of_counters = 1 << 14, multiprocessors = 16;
  const auto* const workspace = checked::unwritten<std::uint8_t>(room);
  const auto* const counters = checked::on_device(std::vector<std::uint8_t>(of_counters));
  using Numbers = View::Numbers;
  const Numbers strides =
      by_head ? Numbers{} : Numbers{page * key_heads * width, width, key_heads * width, 1};
  const auto type = checked::type_of<Number>;
  const View of_k(checked::on_device(k), type, {pages, key_heads, page, width}, strides),
      of_v(checked::on_device(v), type, {pages, key_heads, page, width}, strides),
      of_table(checked::on_device(table),
               by_head ? Numbers{sequences, most_pages} : Numbers{sequences, 2, most_pages}),
      of_sinks(checked::on_device(sinks), {heads});
  const std::int64_t rows = std::int64_t(sequences) * queries;
  const View of_sums(sums, {rows, heads});
#ifdef CAKE_FMHA_BALANCED_LAUNCH
  constexpr bool with_logarithms = false;
#else
  constexpr bool with_logarithms = true;
#endif
  const double scale = 1 / std::sqrt(double(width));
  const auto none = tvm::ffi::Optional<tvm::ffi::TensorView>();
  checked::Verdict verdict(name);
  flashinfer::cake_fmha::cake_paged_attention_decode(
      View(out, {rows, heads, width}), none, View(checked::on_device(q), {rows, heads, width}), of_k, of_v,
      View(workspace, {room}), View(counters, {of_counters}), of_table,
      View(checked::on_device(lengths), {sequences}), queries, 500, scale, 1., -1, -1, 0, sequences, window,
      0, multiprocessors, false, room, with_sinks ? tvm::ffi::Optional<tvm::ffi::TensorView>(of_sinks) : none,
      none, none, none, tvm::ffi::Optional<float>(), tvm::ffi::Optional<bool>(by_head),
      with_logarithms ? tvm::ffi::Optional<tvm::ffi::TensorView>(of_sums) : none, heads, 1, false, none);
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  const auto found_sums = checked::from_device(sums, q.size() / width);
  auto weights = checked::weights_of<Number>();
#ifdef NUM_SPLIT
  weights.share *= 2;  // results of parts are rounded too
#endif
  for (int s = 0; s < sequences; ++s)
    for (int i = 0; i < queries; ++i)
      for (int h = 0; h < heads; ++h) {
        const std::size_t at = std::size_t(s * queries + i) * heads + h;
        const int own = lengths[s] - queries + i, begin = window < 0 ? 0 : std::max(0, own - window);
        const auto row = [&](int j, int of_values) {
          j += begin;
          const std::size_t of_page = table[(s * tables + of_values % tables) * most_pages + j / page];
          const std::size_t of_head = h / sharing, in_page = j % page;
          return (of_page * key_heads * page +
                  (by_head ? of_head * page + in_page : in_page * key_heads + of_head)) *
                 width;
        };
        const double sink = with_sinks ? double(sinks[h]) : -INFINITY;
        const auto sum = checked::compare_weighted(
            verdict, &found[at * width], own + 1 - begin, width, weights,
            [&](int j) {
              checked::Score score;
              for (int c = 0; c < width; ++c)
                score.add(scale * double(float(q[at * width + c])) * double(float(k[row(j, 0) + c])));
              return score;
            },
            [&](int j) { return &v[row(j, 1)]; }, sink);
        if (!with_logarithms) continue;
        // To 2, and without the sink.
        const double without = std::log(std::exp(sum.logarithm) - std::exp(sink));
        verdict.compare(found_sums[at] * std::log(2.), without, sum.limit);
      }
  return verdict.said();
}

}  // namespace

int main() { return run(); }
