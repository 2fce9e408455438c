// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Errors as CUDA keeps them: the last one of a host thread, and the one that a device never recovers from.
#pragma once
#include <cuda_runtime_api.h>

#include <string>

namespace podium::ptx {

// Notes `status` as this thread's last error and returns it. What cudaGetErrorString says of it are CUDA's
// words.
cudaError_t noted(cudaError_t status);
// The same with a sentence that cudaGetErrorString will say of it.
cudaError_t refused(cudaError_t status, const std::string& sentence);

// What rest.py's entry points answer: an emulated device does not have the function `name`. Said on stderr
// once a function, for whoever ignores the status; the driver's number is the same.
int lacking(const char* name);
// The same of what nvcc's host code calls when it is loaded, which has no status: no later call goes well.
void lacking_at_load(const char* name);

// A kernel went wrong: every later call answers with this, as on a device. The first sentence stays.
void lose_device(cudaError_t status, const std::string& sentence);
cudaError_t device_status();  // cudaSuccess while the device is well

}  // namespace podium::ptx
