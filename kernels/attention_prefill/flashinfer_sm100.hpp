// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants share that call FlashInfer's attention for Blackwell, which is made of CUTLASS, on a
// batch: the plan, which gives each multiprocessor its tiles of queries, and the launch. Heads of 128 numbers
// in bfloat16: a kernel takes a minute to compile.
#pragma once
#include <podium/podium.hpp>

#include <iostream>  // which FlashInfer's headers use

#include <flashinfer/attention/blackwell/fmha_cutlass_sm100.cuh>

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

namespace flashinfer_sm100 {

using Number = cutlass::bfloat16_t;
constexpr int head_dim = 128, tile = 256;  // tile: queries of one

// The first row of q and of k of each request, and behind the last one.
struct Batch {
  std::vector<int> first_q{}, first_key{};
  std::int64_t heads, kv_heads;
  bool causal;
};

class Plan {
 public:
  Plan(Batch b, podium::Workspace& workspace, podium::Stream stream) : batch_(std::move(b)) {
    if (batch_.first_q.back() * batch_.heads == 0) return;
    int device = 0, multiprocessors = 0;
    podium::check(cudaGetDevice(&device));
    podium::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const Schedule all = schedule(multiprocessors);
    std::size_t count = 0;
    const std::vector<int>* const parts[] = {&batch_.first_q, &batch_.first_key, &all.first_work,
                                             &all.tiles,      &all.heads,        &all.requests};
    for (const auto* part : parts) count += part->size();
    int *const staged = workspace.pinned<int>(count), *const on_device = workspace.device<int>(count);
    std::size_t at = 0;
    for (const auto* part : parts) {
      std::ranges::copy(*part, staged + at);
      tables_.push_back(on_device + at);
      at += part->size();
    }
    podium::check(cudaMemcpyAsync(on_device, staged, count * sizeof(int), cudaMemcpyHostToDevice, stream));
    for (std::size_t r = 0; r + 1 < batch_.first_q.size(); ++r) longest_ = std::max(longest_, queries(r));
  }

  // q, o and lse are rows of heads; lse may be null.
  template <class T>
  void run(const T* q, const T* k, const T* v, T* o, float* lse, podium::Stream stream) const {
    if (tables_.empty()) return;
    using namespace cutlass::fmha::collective;
    podium::check(batch_.causal ? launch<CausalMask>(q, k, v, o, lse, stream)
                                : launch<ResidualMask>(q, k, v, o, lse, stream));
  }

 private:
  // Multiprocessor m has the tiles from first_work[m] to first_work[m + 1].
  struct Schedule {
    std::vector<int> first_work, tiles, heads, requests;
  };

  int queries(std::size_t request) const { return batch_.first_q[request + 1] - batch_.first_q[request]; }

  // As FlashInfer's plan_kernel, in which a barrier is missing (plan.cuh of 0.7.2: a turn may overwrite the
  // least cost before others have read it): each tile goes to the multiprocessor with the fewest keys.
  Schedule schedule(int multiprocessors) const {
    struct Work {
      int tile, head, request;
    };
    std::vector<std::vector<Work>> works(static_cast<std::size_t>(multiprocessors));
    using Load = std::pair<std::int64_t, int>;  // keys, multiprocessor
    std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
    for (int m = 0; m < multiprocessors; ++m) least.emplace(0, m);
    for (int head = 0; head < batch_.heads; ++head)
      for (std::size_t r = 0; r + 1 < batch_.first_q.size(); ++r) {
        const int keys = batch_.first_key[r + 1] - batch_.first_key[r];
        const int count = (queries(r) + tile - 1) / tile;
        for (int t = count - 1; t >= 0; --t) {
          const auto [load, m] = least.top();
          least.pop();
          least.emplace(load + (batch_.causal ? keys - (count - t - 1) * tile : keys), m);
          works[std::size_t(m)].push_back({t, head, int(r)});
        }
      }
    Schedule s{.first_work = {0}, .tiles = {}, .heads = {}, .requests = {}};
    for (const auto& own : works) {
      for (const Work& w : own) {
        s.tiles.push_back(w.tile), s.heads.push_back(w.head), s.requests.push_back(w.request);
      }
      s.first_work.push_back(int(s.tiles.size()));
    }
    return s;
  }

  template <class Mask, class T>
  cudaError_t launch(const T* q, const T* k, const T* v, T* o, float* lse, podium::Stream stream) const {
    static_assert(sizeof(T) == sizeof(Number));
    using cute::Shape, cute::_128, cute::_256;
    const auto number = [](const T* x) { return reinterpret_cast<Number*>(const_cast<T*>(x)); };
    const int heads = int(batch_.heads), kv_heads = int(batch_.kv_heads);
    const int row = heads * head_dim, kv_row = kv_heads * head_dim;
    constexpr int not_read = 0;  // the mask's kind is a template's argument
    constexpr double scale = 1;  // of each tensor's numbers
    return flashinfer::run_fmha_fwd<Number, Number, int, Shape<_256, _128, _128>, Shape<_256, _128, _128>,
                                    Mask>(
        /*workspace_buffer=*/tables_[0], number(q), number(k), number(v), tables_[0], tables_[1], tables_[2],
        tables_[3], tables_[4], tables_[5], number(o), lse, not_read, 1 / std::sqrt(double(head_dim)), scale,
        scale, scale, scale, heads, kv_heads, head_dim, head_dim, row, head_dim, kv_row, head_dim, kv_row,
        head_dim, int(batch_.first_q.size()) - 1, batch_.first_q.back(), batch_.first_key.back(), longest_,
        stream);
  }

  Batch batch_;
  int longest_ = 0;           // queries of a request
  std::vector<int*> tables_;  // on the device: the batch's two, the schedule's four; none without work
};

// Of requests of one length, or of a problem with qo_indptr and kv_indptr.
template <class Workload>
Batch batch_of(const Workload& w) {
  Batch b{.heads = w.heads, .kv_heads = w.kv_heads, .causal = w.causal == 1};
  if constexpr (requires { w.qo_indptr; }) {
    b.first_q.assign(w.qo_indptr.host.data, w.qo_indptr.host.data + w.batch + 1);
    b.first_key.assign(w.kv_indptr.host.data, w.kv_indptr.host.data + w.batch + 1);
  } else {
    for (std::int64_t r = 0; r <= w.batch; ++r) {
      b.first_q.push_back(int(r * w.q_len));
      b.first_key.push_back(int(r * w.kv_len));
    }
  }
  return b;
}

// A contestant of either problem.
template <class Workload, class Arguments>
struct Attention {
  Plan plan;

  Attention(const Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan(batch_of(w), workspace, stream) {}

  void run(const Arguments& args, podium::Stream stream) {
    plan.run(args.q.data, args.k.data, args.v.data, args.out.data, args.with_lse ? args.lse.data : nullptr,
             stream);
  }
};

}  // namespace flashinfer_sm100
