// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// rtc [broken]: kernels that are compiled by hipRTC while this program runs; it is found by its name, as
// programs find it that load it themselves. ANOTHER is a GPU that is not the device. Prints "right", or what
// was wrong.
#include <dlfcn.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

constexpr int count = 1000, success = 0, compilation = 6, no_lowered_names_before_compilation = 9,
              name_not_valid = 10;

constexpr const char* header = "template <class T> __device__ T times(T x) { return T(TIMES) * x; }\n";
constexpr const char* source = R"(#include "times.hpp"
template <class T, int offset> __global__ void scale(T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = times(y[i]) + T(offset);
}
extern "C" __global__ void one_more(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += 1;
}
)";

void* library = nullptr;

template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  if (!function) std::printf("there is no %s\n", name), std::exit(1);
  return function(arguments...);
}
void expect(int found, int expected, const char* what) {
  if (found != expected) std::printf("%s: found %d, expected %d\n", what, found, expected), std::exit(1);
}

std::string log_of(void* program) {
  size_t bytes = 0;
  expect(call("hiprtcGetProgramLogSize", program, &bytes), success, "log size");
  std::string text(bytes, '\0');
  expect(call("hiprtcGetProgramLog", program, text.data()), success, "log");
  return text.c_str();
}

std::vector<char> code_of(void* program) {
  size_t bytes = 0;
  expect(call("hiprtcGetCodeSize", program, &bytes), success, "code size");
  std::vector<char> code(bytes);
  expect(call("hiprtcGetCode", program, code.data()), success, "code");
  return code;
}

void expect_success(hipError_t found, const char* symbol) {
  if (found != hipSuccess)
    std::printf("%s: %s\n", symbol, hipGetErrorString(hipGetLastError())), std::exit(1);
}
hipFunction_t function_of(hipModule_t module, const char* symbol) {
  hipFunction_t function = nullptr;
  expect_success(hipModuleGetFunction(&function, module, symbol), symbol);
  return function;
}
hipError_t launched(hipFunction_t function, void** arguments, void** extra) {
  return hipModuleLaunchKernel(function, count / 100, 1, 1, 100, 1, 1, 0, nullptr, arguments, extra);
}
// What is refused, and the words that say why.
void expect_refused(hipError_t found, hipError_t expected, const char* words) {
  const char* const said = hipGetErrorString(hipGetLastError());
  if (found != expected || !std::strstr(said, words))
    std::printf("found %d, %s; expected %d, %s\n", found, said, expected, words), std::exit(1);
}

// With an address for each argument.
void launch(hipModule_t module, const char* symbol, float* y) {
  int n = count;
  void* arguments[] = {&y, &n};
  expect_success(launched(function_of(module, symbol), arguments, nullptr), symbol);
}
// With all of them in one buffer.
void launch_packed(hipModule_t module, const char* symbol, float* y) {
  struct {
    float* y;
    int n;
  } packed = {y, count};
  const hipFunction_t function = function_of(module, symbol);
  size_t bytes = sizeof packed.y;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  expect_refused(launched(function, nullptr, extra), hipErrorInvalidValue,
                 "end at byte 12, in a buffer of 8");
  bytes = sizeof packed;
  void* arguments[] = {&packed.y, &packed.n};
  expect_refused(launched(function, arguments, extra), hipErrorInvalidValue, "given twice");
  void* lacking[] = {HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  expect_refused(launched(function, nullptr, lacking), hipErrorInvalidValue, "lacks its address");
  expect_success(launched(function, nullptr, extra), symbol);
}

// Code that is compiled for another GPU is code, and does not load.
void compile_for_another() {
  void* program = nullptr;
  const char *const empty = "template <int> __global__ void nothing() {}\n", *const name = "nothing<1>";
  expect(call("hiprtcCreateProgram", &program, empty, "other.hip", 0, (char**)nullptr, (char**)nullptr),
         success, "create");
  expect(call("hiprtcAddNameExpression", program, name), success, "name");
  const char* const options[] = {"--offload-arch=" ANOTHER};
  expect(call("hiprtcCompileProgram", program, 1, &options[0]), success, "compile for " ANOTHER);
  const char* symbol = nullptr;
  expect(call("hiprtcGetLoweredName", program, name, &symbol), success, "lowered name for " ANOTHER);
  const std::vector<char> code = code_of(program);
  hipModule_t module = nullptr;
  expect_refused(hipModuleLoadData(&module, code.data()), hipErrorNoBinaryForGpu,
                 "it holds code for " ANOTHER ", none for ");
  expect(call("hiprtcDestroyProgram", &program), success, "destroy");
}

int main(int argc, char** argv) {
  library = dlopen(("libhiprtc.so." + std::to_string(HIP_VERSION_MAJOR)).c_str(), RTLD_NOW);
  if (!library) return std::printf("%s\n", dlerror()), 1;
  void* program = nullptr;
  if (argc > 1) {
    const char* const broken = "\n__global__ void f(float* y) { y[0] = nowhere; }\n";
    expect(call("hiprtcCreateProgram", &program, broken, "broken.hip", 0, (char**)nullptr, (char**)nullptr),
           success, "create");
    expect(call("hiprtcCompileProgram", program, 0, (char**)nullptr), compilation, "compile");
    std::printf("%s", log_of(program).c_str());
    return call("hiprtcDestroyProgram", &program);
  }
  const char* const names[] = {"times.hpp"};
  expect(call("hiprtcCreateProgram", &program, source, "scale.hip", 1, &header, &names[0]), success,
         "create");
  const char* const scale = "scale<float, 7>";
  expect(call("hiprtcAddNameExpression", program, scale), success, "name");
  const char* symbol = nullptr;
  expect(call("hiprtcGetLoweredName", program, scale, &symbol), no_lowered_names_before_compilation, "early");
  const char* const options[] = {"-DTIMES=3", "-std=c++17"};
  if (call("hiprtcCompileProgram", program, 2, &options[0]) != success)
    return std::printf("%s\n", log_of(program).c_str()), 1;
  expect(call("hiprtcGetLoweredName", program, scale, &symbol), success, "lowered name");
  const char* none = nullptr;
  expect(call("hiprtcGetLoweredName", program, "scale<double, 7>", &none), name_not_valid, "another name");
  const std::vector<char> code = code_of(program);

  std::vector<float> y(count);
  for (int i = 0; i < count; ++i) y[i] = float(i);
  float* at = nullptr;
  hipModule_t module = nullptr;
  if (hipMalloc(&at, count * sizeof *at) != hipSuccess ||
      hipMemcpy(at, y.data(), count * sizeof *at, hipMemcpyDefault) != hipSuccess ||
      hipModuleLoadData(&module, code.data()) != hipSuccess)
    return std::printf("%s\n", hipGetErrorString(hipGetLastError())), 1;
  launch(module, symbol, at);
  launch_packed(module, "one_more", at);
  compile_for_another();
  if (hipMemcpy(y.data(), at, count * sizeof *at, hipMemcpyDefault) != hipSuccess)
    return std::printf("%s\n", hipGetErrorString(hipGetLastError())), 1;
  for (int i = 0; i < count; ++i)
    if (y[i] != 3 * float(i) + 8) return std::printf("wrong: y[%d] is %g\n", i, double(y[i])), 1;
  std::printf("right\n");
  return call("hiprtcDestroyProgram", &program);
}
