// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col, cuTensorMapReplaceAddress.
#include <cuda.h>

#include <cstring>

#include "emulators/nvidia/device/tensor_map.hpp"
#include "emulators/nvidia/runtime/status.hpp"

using namespace podium::ptx;

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));
static_assert(static_cast<int>(TensorType::bf16_) == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 &&
              static_cast<int>(TensorType::tf32_ftz) == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ &&
              static_cast<int>(TensorType::padded_u6) == CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B);
static_assert(static_cast<int>(Swizzle::bytes128) == CU_TENSOR_MAP_SWIZZLE_128B &&
              static_cast<int>(Swizzle::bytes128_atom64) == CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B);

namespace {

// The driver's answer, with the map where it made one.
CUresult answer(const char* function, const std::optional<std::string>& problem, const TensorMap& map,
                CUtensorMap* to) {
  if (problem) {
    refused(cudaErrorInvalidValue, function + (": " + *problem));
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::memcpy(to, &map, sizeof map);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill fill) {
  const TiledRequest request{.type = static_cast<u32>(type),
                             .rank = rank,
                             .address = reinterpret_cast<u64>(address),
                             .extents = extents,
                             .strides = strides,
                             .box = box,
                             .steps = steps,
                             .interleave = static_cast<u32>(interleave),
                             .swizzle = static_cast<u32>(swizzle),
                             .fill = static_cast<u32>(fill)};
  TensorMap map;
  return answer("cuTensorMapEncodeTiled", encode(map, request), map, to);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 const cuuint64_t* extents, const cuuint64_t* strides, const int* lower,
                                 const int* upper, cuuint32_t channels, cuuint32_t pixels,
                                 const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                 CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill fill) {
  const cuuint32_t box[most_dimensions] = {channels, 1, 1, 1, 1};
  const TiledRequest request{.type = static_cast<u32>(type),
                             .rank = rank,
                             .address = reinterpret_cast<u64>(address),
                             .extents = extents,
                             .strides = strides,
                             .box = box,
                             .steps = steps,
                             .interleave = static_cast<u32>(interleave),
                             .swizzle = static_cast<u32>(swizzle),
                             .fill = static_cast<u32>(fill)};
  TensorMap map;
  const auto problem = encode(map, request, Im2colRequest{.lower = lower, .upper = upper, .pixels = pixels});
  return answer("cuTensorMapEncodeIm2col", problem, map, to);
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  TensorMap changed;
  std::memcpy(static_cast<void*>(&changed), map, sizeof changed);
  if (changed.magic != TensorMap::mark || reinterpret_cast<u64>(address) % 16 != 0) {
    refused(cudaErrorInvalidValue,
            "cuTensorMapReplaceAddress: no tensor map, or an address that is no multiple of 16");
    return CUDA_ERROR_INVALID_VALUE;
  }
  changed.address = reinterpret_cast<u64>(address);
  std::memcpy(map, &changed, sizeof changed);
  return CUDA_SUCCESS;
}

}  // extern "C"
