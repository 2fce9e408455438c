// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the problems of softmax attention have in common, so that one kernel serves them all:
// attention_prefill (dense), attention_ragged, attention_paged_prefill, attention_append,
// attention_paged_decode and cascade; requests, rows and slots serve mla_decode as well.
//
// Rows of q, out and lse are numbered through all requests. A request is a range of rows and a number of
// keys; keys and values of one kv head lie head_dim elements each, at the row of the cache that slot() gives.
// The problem's header comes before this one.
#pragma once
#include <podium/podium.hpp>

namespace attention {

using problem::real;
constexpr float log2_e = 1.44269504f;

template <class W>
concept Dense = requires(W w) { w.q_len; };  // batch x q_len queries, batch x kv_len keys
template <class W>
concept Ragged = requires(W w) { w.qo_indptr; };  // offsets of each request's queries
template <class W>
concept Paged = requires(W w) { w.kv_indices; };  // keys in pages
template <class W>
concept Prefixed = requires(W w) { w.prefix_indices; };  // keys that all requests share come first
template <class W>
concept Variants = requires(W w) { w.window_left; };  // windows, soft cap, ALiBi, sinks, lse
template <class W>
concept Scaled = requires(W w) { w.k_scale; };  // scales of keys and values; fused RoPE

// Elements of keys and values: `kv` of the problem's types, else `real`.
template <class A>
struct ElementOf {
  using type = std::remove_cvref_t<decltype(std::declval<A>().k.data[0])>;
};
template <class A>
  requires requires(A a) { a.k_cache; }
struct ElementOf<A> {
  using type = std::remove_cvref_t<decltype(std::declval<A>().k_cache.data[0])>;
};
template <class A>
  requires requires(A a) { a.ckv; }
struct ElementOf<A> {
  using type = std::remove_cvref_t<decltype(std::declval<A>().ckv.data[0])>;
};
using Key = typename ElementOf<problem::Arguments>::type;

struct Request {
  std::int64_t first_row, queries, keys;

  // Of the request's query i, among its keys.
  PODIUM_BOTH std::int64_t position(std::int64_t i) const { return i + keys - queries; }
};

// Structure as this side sees it: `host` in constructors, else where kernels run.
template <bool host, class S>
PODIUM_BOTH int element(const S& structure, std::int64_t i) {
  if constexpr (host)
    return structure.host(i);
  else
    return structure.device(i);
}

template <bool host = false, class W>
PODIUM_BOTH Request request(const W& w, std::int64_t b) {
  Request r{b, 1, 0};
  if constexpr (Dense<W>) {
    r = {b * w.q_len, w.q_len, w.kv_len};
  } else {
    if constexpr (Ragged<W>) {
      r.first_row = element<host>(w.qo_indptr, b);
      r.queries = element<host>(w.qo_indptr, b + 1) - r.first_row;
    }
    const std::int64_t units = element<host>(w.kv_indptr, b + 1) - element<host>(w.kv_indptr, b);
    if constexpr (Paged<W>)
      r.keys = units == 0 ? 0 : (units - 1) * w.page_size + element<host>(w.last_page_len, b);
    else
      r.keys = units;
    if constexpr (Prefixed<W>) r.keys += w.prefix;
  }
  return r;
}

// Keys that all requests share.
template <class W>
PODIUM_BOTH std::int64_t prefix(const W& w) {
  if constexpr (Prefixed<W>)
    return w.prefix;
  else
    return 0;
}

// Rows of q of all requests.
template <bool host = false, class W>
PODIUM_BOTH std::int64_t rows(const W& w) {
  if constexpr (Dense<W>)
    return w.batch * w.q_len;
  else if constexpr (Ragged<W>)
    return element<host>(w.qo_indptr, w.batch);
  else
    return w.batch;
}

// Whose row it is.
template <bool host = false, class W>
PODIUM_BOTH std::int64_t owner(const W& w, std::int64_t row) {
  if constexpr (Dense<W>) {
    return row / w.q_len;
  } else if constexpr (Ragged<W>) {
    std::int64_t low = 0, high = w.batch;  // offsets[low] <= row < offsets[high]
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (element<host>(w.qo_indptr, middle) <= row ? low : high) = middle;
    }
    return low;
  } else {
    return row;
  }
}

// The row of the cache, of kv_heads x head_dim elements, that holds key j of request b.
template <class A>
PODIUM_BOTH std::int64_t slot(const A& a, std::int64_t b, std::int64_t j) {
  if constexpr (Dense<A>) {
    return b * a.kv_len + j;
  } else if constexpr (Paged<A>) {
    const auto in_pages = [&](const auto& pages, std::int64_t first, std::int64_t key) {
      return pages.device(first + key / a.page_size) * a.page_size + key % a.page_size;
    };
    if constexpr (Prefixed<A>) {
      if (j < a.prefix) return in_pages(a.prefix_indices, 0, j);
      return in_pages(a.kv_indices, a.kv_indptr.device(b), j - a.prefix);
    } else {
      return in_pages(a.kv_indices, a.kv_indptr.device(b), j);
    }
  } else {
    return a.kv_indptr.device(b) + j;
  }
}

// The head_dim elements at a row of the cache.
template <class A>
PODIUM_BOTH const Key* key(const A& a, std::int64_t slot, std::int64_t kv_head) {
  const std::int64_t at = (slot * a.kv_heads + kv_head) * a.head_dim;
  if constexpr (Paged<A>)
    return a.k_cache.data + at;
  else
    return a.k.data + at;
}
template <class A>
PODIUM_BOTH const Key* value(const A& a, std::int64_t slot, std::int64_t kv_head) {
  const std::int64_t at = (slot * a.kv_heads + kv_head) * a.head_dim;
  if constexpr (Paged<A>)
    return a.v_cache.data + at;
  else
    return a.v.data + at;
}

// The head_dim elements of a row and head.
template <class A>
PODIUM_BOTH const real* query(const A& a, std::int64_t row, std::int64_t head) {
  return a.q.data + (row * a.heads + head) * a.head_dim;
}
template <class A>
PODIUM_BOTH real* result(const A& a, std::int64_t row, std::int64_t head) {
  return a.out.data + (row * a.heads + head) * a.head_dim;
}

template <class A>
PODIUM_BOTH bool causal(const A& a) {
  if constexpr (requires { a.causal; })
    return a.causal != 0;
  else
    return true;  // one query, at the last key
}

// How far back a query sees; -1: all keys.
template <class A>
PODIUM_BOTH std::int64_t window_left(const A& a) {
  if constexpr (Variants<A>)
    return a.window_left;
  else
    return -1;
}

// Query i of request r sees the keys from the first to before the last.
template <class A>
PODIUM_BOTH std::int64_t first_key(const A& a, const Request& r, std::int64_t i) {
  const std::int64_t window = window_left(a);
  return window >= 0 && r.position(i) > window ? r.position(i) - window : 0;
}
template <class A>
PODIUM_BOTH std::int64_t end_of_keys(const A& a, const Request& r, std::int64_t i) {
  if (!causal(a)) return r.keys;
  return r.position(i) < 0 ? 0 : r.position(i) + 1;
}

template <class A>
PODIUM_BOTH bool has_sinks(const A& a) {
  if constexpr (Variants<A>)
    return a.sinks != 0;
  else
    return false;
}
template <class A>
PODIUM_BOTH float sink(const A& a, std::int64_t head) {
  if constexpr (Variants<A>)
    return a.sink.data[head];
  else
    return 0;
}
template <class A>
PODIUM_BOTH float soft_cap(const A& a) {
  if constexpr (Variants<A>)
    return a.soft_cap;
  else
    return 0;
}
template <class A>
PODIUM_BOTH bool has_alibi(const A& a) {
  if constexpr (Variants<A>)
    return a.alibi != 0;
  else
    return false;
}
template <class A>
PODIUM_BOTH float slope(const A& a, std::int64_t head) {
  if constexpr (Variants<A>)
    return a.slope.data[head];
  else
    return 0;
}
template <class A>
PODIUM_BOTH bool has_rope(const A& a) {
  if constexpr (Scaled<A>)
    return a.rope != 0;
  else
    return false;
}

// What RoPE turns elements `pair` and `pair` + head_dim / 2 by, for each position, as Llama pairs them.
PODIUM_BOTH float rope_frequency(int pair, int head_dim) {
  return powf(10000.0f, -2.0f * float(pair) / float(head_dim));
}

// What a product of a query and a key is multiplied by.
template <class A>
PODIUM_BOTH float score_scale(const A& a) {
  float scale = 1 / sqrtf(float(a.head_dim));
  if constexpr (Scaled<A>) scale *= a.k_scale;
  return scale;
}
template <class A>
PODIUM_BOTH float value_scale(const A& a) {
  if constexpr (Scaled<A>)
    return a.v_scale;
  else
    return 1;
}

// From a scaled product to the score, in base e: soft cap and ALiBi.
template <class A>
PODIUM_BOTH float score(const A& a, std::int64_t head, std::int64_t i, std::int64_t j, float scaled) {
  if (soft_cap(a) > 0) scaled = soft_cap(a) * tanhf(scaled / soft_cap(a));
  if (has_alibi(a)) scaled += slope(a, head) * float(j - i);
  return scaled;
}

// The lse to base 2, if the workload asks for it: of the largest score and the sum of exp(score - peak).
template <class A>
PODIUM_BOTH void put_lse(const A& a, std::int64_t row, std::int64_t head, float peak, float total) {
  if constexpr (requires { a.with_lse; })
    if (a.with_lse != 0) a.lse.data[row * a.heads + head] = peak * log2_e + log2f(total);
}

}  // namespace attention
