// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants share that call cuDNN's attention through its frontend: a graph, which the constructor
// builds and `run` only executes. The kernel and the plan come from cuDNN's heuristics.
#pragma once
#include <podium/podium.hpp>

#include <cstring>  // which the frontend's headers use and do not include
#define CUDNN_FRONTEND_SKIP_JSON_LIB
#include <cudnn_frontend.h>

#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace cudnn_sdpa {

namespace fe = cudnn_frontend;
using fe::graph::Tensor_attributes;
using Tensor = std::shared_ptr<Tensor_attributes>;
using Shape = std::vector<std::int64_t>;  // batch, heads, rows, numbers of a head; or their strides

template <class T>
constexpr fe::DataType_t dtype =
    std::is_same_v<T, podium::f16> ? fe::DataType_t::HALF : fe::DataType_t::BFLOAT16;
constexpr float log2_e = 1.44269504f;

// Throws Unsupported for what cuDNN has no kernel for, Error for the rest.
inline void check(const fe::error_object& status) {
  using Code = fe::error_code_t;
  if (status.code == Code::OK) return;
  const std::string said = "cuDNN: " + status.err_msg;
  for (const Code code :
       {Code::GRAPH_NOT_SUPPORTED, Code::HEURISTIC_QUERY_FAILED, Code::GRAPH_EXECUTION_PLAN_CREATION_FAILED})
    if (status.code == code) throw podium::Unsupported(said);
  throw podium::Error(said);
}

// Of the tensors of a graph.
enum Id : std::int64_t {
  query = 1,
  key,
  value,
  output,
  stats,
  sinks,
  query_len,
  key_len,
  query_offset,
  key_offset,
  stats_offset,
  key_pages,
  value_pages,
  output_gradient,
  query_gradient,
  key_gradient,
  value_gradient
};

class Plan {
 public:
  Plan() {
    graph.set_intermediate_data_type(fe::DataType_t::FLOAT).set_compute_data_type(fe::DataType_t::FLOAT);
  }
  Plan(const Plan&) = delete;
  ~Plan() {
    if (handle_) cudnnDestroy(handle_);
  }

  fe::graph::Graph graph;

  Tensor tensor(Id id, Shape shape, Shape strides, fe::DataType_t type) {
    return graph.tensor(
        Tensor_attributes().set_uid(id).set_dim(shape).set_stride(strides).set_data_type(type));
  }
  static void describe_output(const Tensor& made, Id id, Shape shape, Shape strides, fe::DataType_t type) {
    made->set_output(true).set_uid(id).set_dim(shape).set_stride(strides).set_data_type(type);
  }

  void build(podium::Workspace& workspace, podium::Stream stream) {
    podium::check(cudnnCreate(&handle_));
    podium::check(cudnnSetStream(handle_, stream));
    check(graph.build(handle_, {fe::HeurMode_t::A}));
    std::int64_t bytes = 0;
    check(graph.get_workspace_size(bytes));
    if (bytes > 0) scratch_ = workspace.device(std::size_t(bytes));
  }
  void set(Id id, const void* data) { data_[id] = const_cast<void*>(data); }
  void run() { check(graph.execute(handle_, data_, scratch_)); }

 private:
  cudnnHandle_t handle_ = nullptr;
  std::byte* scratch_ = nullptr;
  std::unordered_map<std::int64_t, void*> data_;
};

}  // namespace cudnn_sdpa
