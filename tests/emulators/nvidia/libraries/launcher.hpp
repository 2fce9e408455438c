// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What FlashInfer's launchers take: views of device memory, by TVM-FFI. They are included after this, and
// called as functions of C++; what exports them, all by one name, is left out.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#undef TVM_FFI_DLL_EXPORT_TYPED_FUNC
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, function)

#include "rounded.hpp"

namespace checked {

template <class T>
constexpr DLDataType type_of = {kDLUInt, sizeof(T) * 8, 1};
template <>
inline constexpr DLDataType type_of<std::int32_t> = {kDLInt, 32, 1};
template <>
inline constexpr DLDataType type_of<std::int64_t> = {kDLInt, 64, 1};
template <>
inline constexpr DLDataType type_of<float> = {kDLFloat, 32, 1};
template <>
inline constexpr DLDataType type_of<__half> = {kDLFloat, 16, 1};
template <>
inline constexpr DLDataType type_of<__nv_bfloat16> = {kDLBfloat, 16, 1};
template <>
inline constexpr DLDataType type_of<__nv_fp8_e4m3> = {kDLFloat8_e4m3fn, 8, 1};

// Of contiguous rows, or with the strides that are given; lives until the launcher returns.
class View {
 public:
  using Numbers = std::vector<std::int64_t>;
  template <class T>
  View(const T* at, Numbers shape) : View(at, type_of<T>, std::move(shape)) {}
  View(const void* at, DLDataType type, Numbers shape, Numbers strides = {})
      : shape_(std::move(shape)), strides_(std::move(strides)) {
    if (strides_.empty()) {
      strides_.assign(shape_.size(), 1);
      for (std::size_t i = shape_.size(); i > 1; --i) strides_[i - 2] = strides_[i - 1] * shape_[i - 1];
    }
    tensor_.data = const_cast<void*>(at);
    tensor_.device = {kDLCUDA, 0};
    tensor_.ndim = int(shape_.size());
    tensor_.dtype = type;
    tensor_.shape = shape_.data();
    tensor_.strides = strides_.data();
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  operator tvm::ffi::TensorView() const { return &tensor_; }
  operator tvm::ffi::Optional<tvm::ffi::TensorView>() const { return tvm::ffi::TensorView(&tensor_); }

 private:
  Numbers shape_, strides_;
  DLTensor tensor_{};
};

}  // namespace checked
