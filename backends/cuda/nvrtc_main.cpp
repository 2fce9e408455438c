// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium-nvrtc IN.cu -o OUT.cubin --arch sm_90 [-I DIR]... (or -o OUT.ptx --arch compute_90): compiles a
// judge's program with NVRTC, without contraction of floating-point operations, so that fills have the same
// bits as on the CPU. Needs neither a GPU nor nvcc nor a C++ compiler. Prints NVRTC's log to stderr; exit
// status 1 if it does not compile, 2 for wrong usage.
#include <fmt/format.h>
#include <nvrtc.h>

#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Request {
  std::string in, out, arch;
  std::vector<std::string> includes;
};

constexpr const char* usage = "usage: podium-nvrtc IN.cu -o OUT.cubin --arch sm_90 [-I DIR]...";

struct WrongUsage : std::runtime_error {
  using runtime_error::runtime_error;
};

Request parse(int count, char** arguments) {
  Request request;
  const auto next = [&](int& at) -> std::string {
    if (at + 1 >= count) throw WrongUsage(fmt::format("{} needs a value; {}", arguments[at], usage));
    return arguments[++at];
  };
  for (int at = 1; at < count; ++at) {
    const std::string word = arguments[at];
    if (word == "-o")
      request.out = next(at);
    else if (word == "--arch")
      request.arch = next(at);
    else if (word == "-I")
      request.includes.push_back(next(at));
    else if (word.starts_with("-I"))
      request.includes.push_back(word.substr(2));
    else if (word.starts_with("-"))
      throw WrongUsage(fmt::format("found the option {}; {}", word, usage));
    else if (request.in.empty())
      request.in = word;
    else
      throw WrongUsage(fmt::format("found a second input, {}; {}", word, usage));
  }
  if (request.in.empty() || request.out.empty() || request.arch.empty()) throw WrongUsage(usage);
  return request;
}

void check(nvrtcResult status, const char* what) {
  if (status != NVRTC_SUCCESS)
    throw std::runtime_error(fmt::format("{}: {}", what, nvrtcGetErrorString(status)));
}

class Program {
 public:
  Program(const std::string& text, const std::string& name) {
    check(nvrtcCreateProgram(&program_, text.c_str(), name.c_str(), 0, nullptr, nullptr),
          "nvrtcCreateProgram");
  }
  ~Program() { nvrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool compile(const Request& request) {
    std::vector<std::string> options{"--gpu-architecture=" + request.arch, "--std=c++17", "--fmad=false"};
    for (const std::string& folder : request.includes) options.push_back("--include-path=" + folder);
    int major = 0, minor = 0;
    check(nvrtcVersion(&major, &minor), "nvrtcVersion");
    if (major >= 13) options.push_back("--split-compile=0");  // kernels side by side, on all processors
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    const nvrtcResult status =
        nvrtcCompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
    if (status != NVRTC_ERROR_COMPILATION) check(status, "nvrtcCompileProgram");
    return status == NVRTC_SUCCESS;
  }
  std::string log() const {
    std::size_t bytes = 0;
    check(nvrtcGetProgramLogSize(program_, &bytes), "nvrtcGetProgramLogSize");
    std::string text(bytes, '\0');
    check(nvrtcGetProgramLog(program_, text.data()), "nvrtcGetProgramLog");
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }
  std::string ptx() const {
    std::size_t bytes = 0;
    check(nvrtcGetPTXSize(program_, &bytes), "nvrtcGetPTXSize");
    std::string text(bytes, '\0');
    check(nvrtcGetPTX(program_, text.data()), "nvrtcGetPTX");
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }
  std::string cubin() const {
    std::size_t bytes = 0;
    check(nvrtcGetCUBINSize(program_, &bytes), "nvrtcGetCUBINSize");
    std::string code(bytes, '\0');
    check(nvrtcGetCUBIN(program_, code.data()), "nvrtcGetCUBIN");
    return code;
  }

 private:
  nvrtcProgram program_ = nullptr;
};

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error(fmt::format("cannot read {}", file));
  return text;
}

void write(const std::string& file, const std::string& code) {
  std::ofstream out(file, std::ios::binary);
  out.write(code.data(), static_cast<std::streamsize>(code.size()));
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Request request = parse(count, arguments);
    Program program(read(request.in), request.in);
    const bool compiled = program.compile(request);
    if (const std::string log = program.log(); !log.empty()) fmt::print(stderr, "{}\n", log);
    if (!compiled) return 1;
    write(request.out, request.arch.starts_with("compute_") ? program.ptx() : program.cubin());
    return 0;
  } catch (const WrongUsage& e) {
    fmt::print(stderr, "podium-nvrtc: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "podium-nvrtc: {}\n", e.what());
    return 1;
  }
}
