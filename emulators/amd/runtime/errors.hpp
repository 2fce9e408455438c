// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The last error, and the sentence that explains it: hipGetErrorString gives it to whoever asks.
#pragma once
#include <hip/hip_runtime_api.h>

#include <string>

namespace podium::amd {

hipError_t result(hipError_t status);
hipError_t refused(hipError_t status, const std::string& sentence);
int lacking(const char* name);  // hipErrorNotSupported, with a sentence that names the function

}  // namespace podium::amd
