// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants share that call FlashInfer's kernels of multi-head latent attention: plan and parameters.
#pragma once
#include <podium/mla_decode.hpp>

#include <flashinfer/attention/mla_params.cuh>
#include <flashinfer/attention/scheduler.cuh>

#include <vector>

namespace flashinfer_mla {

using problem::real, problem::latent_dim, problem::rope_dim;
using Params = flashinfer::MLAParams<real, real, real, int>;

class Plan {
 public:
  Plan(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    if (w.batch * w.heads == 0) return;
    tables_ = workspace.device(table_bytes);
    parts_ = workspace.device(part_bytes);
    std::vector<int> rows{0}, lengths;
    for (std::int64_t b = 0; b < w.batch; ++b) {
      const int pages = w.kv_indptr.host(b + 1) - w.kv_indptr.host(b);
      rows.push_back(int(b) + 1);
      lengths.push_back(pages == 0 ? 0 : (pages - 1) * int(w.page_size) + w.last_page_len.host(b));
    }
    std::byte* const staged = workspace.pinned(table_bytes);
    std::size_t used = 0;
    podium::check(flashinfer::MLAPlan(parts_, part_bytes, tables_, staged, table_bytes, info_, used,
                                      rows.data(), const_cast<int*>(w.kv_indptr.host.data), lengths.data(),
                                      unsigned(w.batch), unsigned(w.heads), unsigned(latent_dim),
                                      /*causal=*/false, stream));
    podium::check(cudaMemcpyAsync(tables_, staged, used, cudaMemcpyHostToDevice, stream));
  }

  // Calls launch(params, blocks along x, along y).
  template <class Launch>
  void run(const problem::Arguments& args, Launch launch) const {
    if (args.batch * args.heads == 0) return;
    const unsigned heads = unsigned(args.heads), page = unsigned(args.page_size);
    Params p{};
    p.q_nope = const_cast<real*>(args.q_nope.data), p.q_pe = const_cast<real*>(args.q_pe.data);
    p.ckv = const_cast<real*>(args.ckv.data), p.kpe = const_cast<real*>(args.kpe.data);
    p.final_o = args.out.data, p.final_lse = args.with_lse ? args.lse.data : nullptr;
    p.partial_o = reinterpret_cast<real*>(parts_ + info_.partial_o_offset);
    p.partial_lse = reinterpret_cast<float*>(parts_ + info_.partial_lse_offset);
    p.kv_indices = const_cast<int*>(args.kv_indices.device.data);
    p.q_indptr = table(info_.q_indptr_offset), p.kv_indptr = table(info_.kv_indptr_offset);
    p.partial_indptr = table(info_.partial_indptr_offset);
    p.merge_packed_offset_start = table(info_.merge_packed_offset_start_offset);
    p.merge_packed_offset_end = table(info_.merge_packed_offset_end_offset);
    p.merge_partial_packed_offset_start = table(info_.merge_partial_packed_offset_start_offset);
    p.merge_partial_packed_offset_end = table(info_.merge_partial_packed_offset_end_offset);
    p.merge_partial_stride = table(info_.merge_partial_stride_offset);
    p.q_len = table(info_.q_len_offset), p.kv_len = table(info_.kv_len_offset);
    p.q_start = table(info_.q_start_offset), p.kv_start = table(info_.kv_start_offset);
    p.kv_end = table(info_.kv_end_offset), p.work_indptr = table(info_.work_indptr_offset);
    p.block_size = page, p.num_heads = heads;
    p.q_nope_stride_n = heads * latent_dim, p.q_nope_stride_h = latent_dim;
    p.q_pe_stride_n = heads * rope_dim, p.q_pe_stride_h = rope_dim;
    p.ckv_stride_page = page * latent_dim, p.ckv_stride_n = latent_dim;
    p.kpe_stride_page = page * rope_dim, p.kpe_stride_n = rope_dim;
    p.o_stride_n = heads * latent_dim, p.o_stride_h = latent_dim;
    p.sm_scale = args.sm_scale;
    p.return_lse_base_on_e = false;
    podium::check(launch(p, unsigned(info_.num_blks_x), unsigned(info_.num_blks_y)));
  }

 private:
  // As FlashInfer's Python allocates them: the planner refuses where they are too small.
  static constexpr std::size_t table_bytes = 8 << 20, part_bytes = 128 << 20;

  int* table(std::int64_t offset) const { return reinterpret_cast<int*>(tables_ + offset); }

  flashinfer::MLAPlanInfo info_{};
  std::byte *tables_ = nullptr, *parts_ = nullptr;
};

}  // namespace flashinfer_mla
