// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The driver's entry points, by name: programs that do not link libcuda ask for them here.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace podium::ptx {

// rest.py makes these of the headers, in the order of their names.
struct EntryPoint {
  const char* name;
  void* at;
};
extern const EntryPoint entry_points[];
extern const std::size_t entry_point_count;

namespace {

// A name means another function where a program asks for the one of an earlier version of CUDA.
std::string_view name_before(std::string_view name, unsigned version) {
  constexpr unsigned with_edges = 12030;
  return name == "cuStreamGetCaptureInfo" && version < with_edges ? "cuStreamGetCaptureInfo_v2" : name;
}

// nullptr: the driver has no such function. What it has and emulated devices lack says so when it is called.
void* entry_point(std::string_view name) {
  const std::span all(entry_points, entry_point_count);
  const auto found = std::ranges::lower_bound(all, name, {}, &EntryPoint::name);
  return found == all.end() || name != found->name ? nullptr : found->at;
}

}  // namespace
}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned version,
                                             unsigned long long, cudaDriverEntryPointQueryResult* result) {
  *entry = entry_point(name_before(name, version));
  if (result) *result = *entry ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** entry, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(name, entry, CUDART_VERSION, flags, result);
}

CUresult cuGetProcAddress(const char* name, void** entry, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* result) {
  *entry = entry_point(name_before(name, static_cast<unsigned>(version)));
  if (result) *result = *entry ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *entry ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

}  // extern "C"
