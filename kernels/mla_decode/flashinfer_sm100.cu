// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, Blackwell latent attention
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, MlaSm100 of attention/cutlass_mla.cuh
//   arch: [sm_100a, sm_103a]
//   needs: [flashinfer]
//   types: { real: [bf16] }
//   when: heads == 128 && shortest > 0 && 128 % page_size == 0
#include <podium/mla_decode.hpp>

#include <iostream>  // which FlashInfer's headers use

#include <flashinfer/attention/cutlass_mla.cuh>

#include <algorithm>
#include <vector>

namespace {
using Number = cutlass::bfloat16_t;
using Mla = flashinfer::attention::MlaSm100<Number>;
constexpr int heads = 128, tile = 128;  // tile: keys of one
constexpr int latent = int(problem::latent_dim), rotated = int(problem::rope_dim);

void check(cutlass::Status status, const char* what) {
  podium::require(status == cutlass::Status::kSuccess, what);
}

__global__ void to_base_2(float* lse) {
  lse[blockIdx.x * heads + threadIdx.x] *= 1.44269504f;  // log2 of e
}

struct Contestant {
  Mla::Fmha mla;
  int pages_of_request = 0, pages_of_pool = 0;
  int *lengths = nullptr, *pages = nullptr;  // [batch] keys and [batch, pages_of_request], on the device
  std::byte* parts = nullptr;                // of results, where several blocks share a request

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : pages_of_pool(int(w.pool)) {
    if (w.batch == 0) return;
    const auto count = [&](std::int64_t b) { return w.kv_indptr.host(b + 1) - w.kv_indptr.host(b); };
    for (std::int64_t b = 0; b < w.batch; ++b) pages_of_request = std::max(pages_of_request, count(b));
    const int pages_of_tile = tile / int(w.page_size);  // a tile's pages are all looked up
    pages_of_request = (pages_of_request + pages_of_tile - 1) / pages_of_tile * pages_of_tile;
    const std::size_t entries = std::size_t(w.batch) * std::size_t(1 + pages_of_request);
    int *const staged = workspace.pinned<int>(entries), *at = staged + w.batch;
    lengths = workspace.device<int>(entries);
    pages = lengths + w.batch;
    for (std::int64_t b = 0; b < w.batch; ++b) {
      staged[b] = (count(b) - 1) * int(w.page_size) + w.last_page_len.host(b);
      for (int p = 0; p < pages_of_request; ++p)
        *at++ = p < count(b) ? w.kv_indices.host(w.kv_indptr.host(b) + p) : 0;
    }
    podium::check(cudaMemcpyAsync(lengths, staged, entries * sizeof(int), cudaMemcpyHostToDevice, stream));
    parts = workspace.device(std::max<std::size_t>(1, Mla::Fmha::get_workspace_size(arguments(w))));
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    Mla::Fmha::Arguments a = arguments(args);
    const auto number = [](const auto* x) {
      return reinterpret_cast<Number*>(const_cast<problem::real*>(x));
    };
    a.mainloop.ptr_q_latent = number(args.q_nope.data), a.mainloop.ptr_q_rope = number(args.q_pe.data);
    a.mainloop.ptr_c_latent = number(args.ckv.data), a.mainloop.ptr_k_rope = number(args.kpe.data);
    a.epilogue.ptr_o = number(args.out.data);
    a.epilogue.ptr_lse = args.with_lse == 1 ? args.lse.data : nullptr;
    check(Mla::Fmha::can_implement(a), "FlashInfer refuses this workload");
    check(mla.run(a, parts, stream), "FlashInfer did not launch its kernel");
    if (args.with_lse == 0) return;
    to_base_2<<<unsigned(args.batch), heads, 0, stream>>>(args.lse.data);
    podium::check(cudaGetLastError());
  }

 private:
  // All but the pointers to tensors. Strides are of a head or key, and of a request or page.
  Mla::Fmha::Arguments arguments(const problem::Workload& w) const {
    using Stride = Mla::StrideQ;
    const auto stride = [](std::int64_t inner, std::int64_t rows) {
      return Stride{inner, cute::_1{}, inner * rows};
    };
    Mla::Fmha::Arguments a{};
    a.problem_shape = {Mla::TileShapeH{}, int(w.page_size) * pages_of_request, Mla::TileShapeD{},
                       int(w.batch)};
    a.mainloop.softmax_scale = w.sm_scale;
    a.mainloop.stride_q_latent = stride(latent, heads), a.mainloop.stride_q_rope = stride(rotated, heads);
    a.mainloop.stride_c_latent = stride(latent, w.page_size);
    a.mainloop.stride_k_rope = stride(rotated, w.page_size);
    a.mainloop.ptr_seq = lengths, a.mainloop.ptr_page_table = pages;
    a.mainloop.stride_page_table = {cute::_1{}, pages_of_request};
    a.mainloop.page_count = pages_of_pool, a.mainloop.page_size = int(w.page_size);
    a.epilogue.stride_o = stride(latent, heads);
    a.epilogue.stride_lse = {cute::_1{}, heads};
    podium::check(cudaGetDevice(&a.hw_info.device_id));
    podium::check(
        cudaDeviceGetAttribute(&a.hw_info.sm_count, cudaDevAttrMultiProcessorCount, a.hw_info.device_id));
    a.split_kv = -1;  // the next call chooses
    Mla::Fmha::set_split_kv(a);
    return a;
  }
};
}  // namespace
