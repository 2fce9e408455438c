// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Its kernel is compiled by hipRTC in the constructor", types: { real: [f32] } }

// Loads the library by its name, since a ROCm root laid out by an earlier scripts/setup may lack it; a
// contestant would say needs: [hiprtc].
#include <podium/vector_add.hpp>

#include <dlfcn.h>

#include <string>
#include <vector>

namespace {

constexpr const char* source =
    R"(extern "C" __global__ void add(const float* a, const float* b, float* c, long n) {
  const long i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
})";

template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  static void* const library =
      dlopen(("libhiprtc.so." + std::to_string(HIP_VERSION_MAJOR)).c_str(), RTLD_NOW);
  podium::require(library != nullptr, "there is no libhiprtc.so of this ROCm");
  return reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name))(arguments...);
}

struct Contestant {
  hipModule_t module{};
  hipFunction_t add{};

  Contestant(const problem::Workload&, podium::Workspace&) {
    void* program = nullptr;
    const char* const* const none = nullptr;
    std::size_t bytes = 0;
    podium::require(call("hiprtcCreateProgram", &program, source, "add.hip", 0, none, none) == 0, "create");
    if (call("hiprtcCompileProgram", program, 0, none) != 0) {
      call("hiprtcGetProgramLogSize", program, &bytes);
      std::string said(bytes, '\0');
      call("hiprtcGetProgramLog", program, said.data());
      podium::require(false, said.c_str());
    }
    call("hiprtcGetCodeSize", program, &bytes);
    std::vector<char> code(bytes);
    call("hiprtcGetCode", program, code.data());
    call("hiprtcDestroyProgram", &program);
    podium::check(hipModuleLoadData(&module, code.data()));
    podium::check(hipModuleGetFunction(&add, module, "add"));
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    constexpr unsigned threads = 256;
    const float *a = args.a.data, *b = args.b.data;
    float* c = args.c.data;
    long n = args.c.size();
    void* arguments[] = {&a, &b, &c, &n};
    const auto blocks = unsigned(podium::ceil_div(n, threads));
    if (blocks > 0)
      podium::check(hipModuleLaunchKernel(add, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
  }
};

}  // namespace
