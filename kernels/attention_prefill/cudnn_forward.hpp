// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attention forward through cuDNN, for the problems of one length, of ragged requests, and of keys in pages.
// Offsets and tables of pages are what structure says, in the form that cuDNN takes, and lie on the device
// before the first call.
#pragma once
#include <algorithm>
#include <optional>

#include "cudnn_sdpa.hpp"

namespace cudnn_sdpa {

// Rows of each request, on the host.
struct Rows {
  std::int64_t longest = 0;
  std::vector<int> lengths{};  // empty: all are `longest`
  std::vector<int> first{};    // of each request, and behind the last; empty: they lie `longest` apart
};

// Where keys lie in pages: those of each request, `most` of them.
struct Pages {
  std::int64_t size = 0, pool = 0, most = 0;
  std::vector<int> numbers{};
};

struct Batch {
  std::int64_t requests, heads, kv_heads, head_dim;
  bool with_lse, sinks;
  std::int64_t window_left;
  float soft_cap;
  bool causal = false;
  Rows queries{}, keys{};
  Pages pages{};
};

inline Rows rows_between(const int* first, std::int64_t requests) {
  Rows rows{.first{first, first + requests + 1}};
  for (std::int64_t r = 0; r < requests; ++r) {
    rows.lengths.push_back(first[r + 1] - first[r]);
    rows.longest = std::max<std::int64_t>(rows.longest, rows.lengths.back());
  }
  return rows;
}

template <class Workload>
void take_pages(const Workload& w, Batch& b) {
  const Rows held = rows_between(w.kv_indptr.host.data, w.batch);
  b.pages = {.size = w.page_size, .pool = w.pool, .most = std::max<std::int64_t>(held.longest, 1)};
  b.pages.numbers.assign(std::size_t(w.batch * b.pages.most), 0);
  for (std::int64_t r = 0; r < w.batch; ++r) {
    const int count = held.lengths[std::size_t(r)];
    for (int n = 0; n < count; ++n)
      b.pages.numbers[std::size_t(r * b.pages.most + n)] = w.kv_indices.host(w.kv_indptr.host(r) + n);
    b.keys.lengths.push_back(count == 0 ? 0 : (count - 1) * int(w.page_size) + w.last_page_len.host(r));
    b.keys.longest = std::max<std::int64_t>(b.keys.longest, b.keys.lengths.back());
  }
}

// Of the axes and structure of a problem of attention.
template <class Workload>
Batch batch_of(const Workload& w) {
  Batch b{.requests = w.batch,
          .heads = w.heads,
          .kv_heads = w.kv_heads,
          .head_dim = w.head_dim,
          .with_lse = w.with_lse == 1,
          .sinks = w.sinks == 1,
          .window_left = w.window_left,
          .soft_cap = w.soft_cap};
  if constexpr (requires { w.causal; }) b.causal = w.causal == 1;
  if constexpr (requires { w.q_len; }) {
    b.queries.longest = w.q_len;
    b.keys.longest = w.kv_len;
    return b;
  }
  if constexpr (requires { w.qo_indptr; })
    b.queries = rows_between(w.qo_indptr.host.data, w.batch);
  else
    b.queries = {.longest = 1, .lengths = std::vector<int>(std::size_t(w.batch), 1)};
  if constexpr (requires { w.page_size; })
    take_pages(w, b);
  else if constexpr (requires { w.kv_indptr; })
    b.keys = rows_between(w.kv_indptr.host.data, w.batch);
  return b;
}

// From base e to base 2, in place.
static __global__ void convert_lse(float* lse, std::int64_t count) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) lse[n] *= log2_e;
}

// Of elements of type T.
template <class T>
class Forward {
 public:
  Forward(Batch b, podium::Workspace& workspace, podium::Stream stream)
      : workspace_(workspace), stream_(stream), batch_(std::move(b)) {
    if (batch_.requests * batch_.heads * batch_.queries.longest == 0) return;
    auto options = fe::graph::SDPA_attributes()
                       .set_name("attention")
                       .set_generate_stats(batch_.with_lse)
                       .set_attn_scale(float(1 / std::sqrt(double(batch_.head_dim))));
    describe_lengths(options);
    describe_scores(options);
    const Tensor q = rows(query, batch_.queries, batch_.heads);
    q->set_ragged_offset(offsets(query_offset, batch_.queries, batch_.heads * batch_.head_dim));
    const auto [k, v] = describe_keys(options);
    const auto [o, lse] = plan_.graph.sdpa(q, k, v, options);
    Plan::describe_output(o, output, q->get_dim(), q->get_stride(), dtype<T>);
    o->set_ragged_offset(q->get_ragged_offset());
    if (batch_.with_lse) describe_lse(lse);
    plan_.build(workspace, stream);
    ready_ = true;
  }

  // lse and sink: of no matter, where the batch has none.
  void run(const T* q, const T* k, const T* v, T* o, float* lse, const float* sink) {
    if (!ready_) return;
    plan_.set(query, q);
    plan_.set(key, k);
    plan_.set(value, v);
    plan_.set(output, o);
    if (batch_.sinks) plan_.set(sinks, sink);
    if (batch_.with_lse) plan_.set(stats, lse);
    plan_.run();
    if (!batch_.with_lse) return;
    constexpr int block = 256;
    const std::int64_t rows =
        batch_.queries.first.empty() ? batch_.requests * batch_.queries.longest : batch_.queries.first.back();
    const auto blocks = unsigned(podium::ceil_div(rows * batch_.heads, block));
    podium::launch(convert_lse, dim3(blocks), dim3(block), 0, stream_, lse, rows * batch_.heads);
  }

 private:
  using Options = fe::graph::SDPA_attributes;

  Tensor rows(Id id, const Rows& rows, std::int64_t heads) {
    const std::int64_t d = batch_.head_dim;
    return plan_.tensor(id, {batch_.requests, heads, rows.longest, d},
                        {rows.longest * heads * d, d, heads * d, 1}, dtype<T>);
  }
  // Numbers that stay on the device.
  Tensor table(Id id, const Shape& shape, const std::vector<int>& numbers) {
    int* const staged = workspace_.template pinned<int>(numbers.size());
    int* const kept = workspace_.template device<int>(numbers.size());
    std::copy(numbers.begin(), numbers.end(), staged);
    podium::check(
        cudaMemcpyAsync(kept, staged, numbers.size() * sizeof(int), cudaMemcpyHostToDevice, stream_));
    plan_.set(id, kept);
    return plan_.tensor(id, shape, {shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1},
                        fe::DataType_t::INT32);
  }
  // In elements, of rows of `width`. Null: rows of one length.
  Tensor offsets(Id id, const Rows& rows, std::int64_t width) {
    if (rows.first.empty()) return nullptr;
    podium::require(rows.first.back() * width < (std::int64_t{1} << 31), "cuDNN's offsets have 32 bits");
    std::vector<int> all;
    for (const int first : rows.first) all.push_back(first * int(width));
    return table(id, {batch_.requests + 1, 1, 1, 1}, all);
  }

  void describe_lengths(Options& options) {
    if (batch_.keys.lengths.empty()) return;
    const Shape shape{batch_.requests, 1, 1, 1};
    options.set_padding_mask(true)
        .set_seq_len_q(table(query_len, shape, batch_.queries.lengths))
        .set_seq_len_kv(table(key_len, shape, batch_.keys.lengths));
  }

  void describe_scores(Options& options) {
    constexpr auto at_last_key = fe::DiagonalAlignment_t::BOTTOM_RIGHT;
    std::optional<std::int64_t> left, right;
    if (batch_.window_left >= 0) left = batch_.window_left + 1;
    if (batch_.causal && batch_.queries.longest > 1) right = 0;  // a single query sees all keys
    if (batch_.soft_cap > 0) {  // cuDNN takes a function of scores and no masks beside it
      const std::int64_t q = batch_.queries.longest, k = batch_.keys.longest;
      const auto capped_and_masked = [=, cap = batch_.soft_cap](const auto& graph, const Tensor& score) {
        namespace scores = fe::graph::attn::score_modifiers;
        const Tensor capped =
            scores::Softcap().forward(graph, score, std::make_shared<Tensor_attributes>(cap));
        return scores::sliding_window_mask(graph, capped, at_last_key, left, right, q, k, nullptr, nullptr);
      };
      options.set_score_mod(capped_and_masked);
    } else if (left || right) {
      options.set_diagonal_alignment(at_last_key);
      if (left) options.set_diagonal_band_left_bound(int(*left));
      if (right) options.set_diagonal_band_right_bound(int(*right));
    }
    if (batch_.sinks)
      options.set_sink_token(
          plan_.tensor(sinks, {1, batch_.heads, 1, 1}, {batch_.heads, 1, 1, 1}, fe::DataType_t::FLOAT));
  }

  std::pair<Tensor, Tensor> describe_keys(Options& options) {
    const std::int64_t heads = batch_.kv_heads, d = batch_.head_dim;
    const Pages& pages = batch_.pages;
    if (pages.size == 0) {
      const Tensor k = rows(key, batch_.keys, heads), v = rows(value, batch_.keys, heads);
      k->set_ragged_offset(offsets(key_offset, batch_.keys, heads * d));
      v->set_ragged_offset(k->get_ragged_offset());
      return {k, v};
    }
    const auto cache = [&](Id id) {
      return plan_.tensor(id, {pages.pool, heads, pages.size, d}, {pages.size * heads * d, d, heads * d, 1},
                          dtype<T>);
    };
    const Shape shape{batch_.requests, 1, pages.most, 1};
    options.set_paged_attention_k_table(table(key_pages, shape, pages.numbers))
        .set_paged_attention_v_table(table(value_pages, shape, pages.numbers))
        .set_paged_attention_max_seq_len_kv(int(batch_.keys.longest));
    return {cache(key), cache(value)};
  }

  void describe_lse(const Tensor& lse) {
    const std::int64_t heads = batch_.heads, longest = batch_.queries.longest;
    Plan::describe_output(lse, stats, {batch_.requests, heads, longest, 1}, {longest * heads, 1, heads, 1},
                          fe::DataType_t::FLOAT);
    lse->set_ragged_offset(offsets(stats_offset, batch_.queries, heads));
  }

  podium::Workspace& workspace_;
  podium::Stream stream_;
  Batch batch_;
  Plan plan_;
  bool ready_ = false;
};

// A contestant of any of these problems, with elements of type T.
template <class T, class Workload, class Arguments>
struct Attention {
  Forward<T> forward;

  Attention(const Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : forward(batch_of(w), workspace, stream) {}

  void run(const Arguments& args, podium::Stream) {
    if constexpr (requires { args.page_size; })
      forward.run(args.q.data, args.k_cache.data, args.v_cache.data, args.out.data, args.lse.data,
                  args.sink.data);
    else
      forward.run(args.q.data, args.k.data, args.v.data, args.out.data, args.lse.data, args.sink.data);
  }
};

}  // namespace cudnn_sdpa
