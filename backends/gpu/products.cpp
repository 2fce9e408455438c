// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cuBLASLt and hipBLASLt, whose interfaces differ in names and numbers alone: blaslt.hpp of each vendor.
#include "backends/gpu/products.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/error.hpp"
#if defined(PODIUM_GPU_CUDA) || defined(__HIP_PLATFORM_NVIDIA__)
#include "backends/cuda/blaslt.hpp"
#else
#include "backends/hip/blaslt.hpp"
#endif

namespace podium::gpu {
namespace {

using device::ProductType;

constexpr int most_ways = 4;

using Handle = void*;

class Library {
 public:
  Library() {
    std::vector<std::string> tried(blaslt::files.begin(), blaslt::files.end());
    // Where the build found the toolkit, whose libraries the loader may not know.
    for (const char* file : blaslt::files)
      tried.push_back(fmt::format("{}/{}", PODIUM_VENDOR_LIBRARIES, file));
    for (const std::string& file : tried)
      if ((library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))) return;
    throw Error(fmt::format("{} was not found ({}); install it, or add its folder to LD_LIBRARY_PATH",
                            blaslt::library, fmt::join(blaslt::files, ", ")));
  }
  // Never closed: these libraries leave threads and handlers behind, and the judge ends soon.

  void* find(const char* name) const {
    void* symbol = dlsym(library_, (std::string(blaslt::prefix) + name).c_str());
    if (!symbol)
      throw Error(
          fmt::format("{} has no {}{}; another version is needed", blaslt::library, blaslt::prefix, name));
    return symbol;
  }

  // All functions but one return a status, 0 for success. Numbers of enumerations are ints.
  template <class... Arguments>
  int call(const char* name, Arguments... arguments) const {
    return reinterpret_cast<int (*)(Arguments...)>(find(name))(arguments...);
  }
  template <class... Arguments>
  void must(const char* name, Arguments... arguments) const {
    if (const int status = call(name, arguments...); status != 0)
      throw Error(fmt::format("{}{} answers with status {}", blaslt::prefix, name, status));
  }

 private:
  void* library_ = nullptr;
};

// A descriptor that the library made.
class Described {
 public:
  template <class... Arguments>
  Described(const Library& library, const std::string& kind, Arguments... arguments)
      : library_(library), destroy_(kind + "Destroy") {
    library.must((kind + "Create").c_str(), &handle_, arguments...);
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  ~Described() { reinterpret_cast<int (*)(Handle)>(destroyer_)(handle_); }
  operator Handle() const { return handle_; }
  template <class T>
  void set(const char* name, int attribute, T value) {
    library_.must(name, handle_, attribute, static_cast<const void*>(&value), sizeof value);
  }

 private:
  const Library& library_;
  std::string destroy_;
  void* destroyer_ = library_.find(destroy_.c_str());
  Handle handle_ = nullptr;
};

// How a type is stored and summed.
struct Types {
  int operand, result, compute, scale;
};

std::vector<Types> types_of(ProductType type) {
  using namespace blaslt;
  switch (type) {
    case ProductType::f64:
      return {{f64, f64, compute_f64, f64}};
    case ProductType::tf32:
      return {{f32, f32, compute_tf32, f32}};
    case ProductType::f16:
      return {{f16, f16, compute_f32, f32}};
    case ProductType::bf16:
      return {{bf16, bf16, compute_f32, f32}};
    case ProductType::i8:
      return {{i8, i32, compute_i32, i32}};
    case ProductType::e4m3:
      break;
  }
  std::vector<Types> all;
  for (const int kind : e4m3) all.push_back({kind, bf16, compute_f32, f32});
  return all;
}

// One and zero as the library takes them: by address, in the type that scales.
struct Scales {
  double f64[2] = {1, 0};
  float f32[2] = {1, 0};
  std::int32_t i32[2] = {1, 0};
  const void* at(int type, int which) const {
    if (type == blaslt::f64) return &f64[which];
    return type == blaslt::i32 ? static_cast<const void*>(&i32[which]) : &f32[which];
  }
};

struct Operands {
  const void *a, *b;
  void* d;
};

class Planned : public device::Product {
 public:
  Planned(const Library& library, Handle handle, api::Stream stream, void* workspace, const Types& types,
          std::int64_t n, Operands operands)
      : library_(library),
        handle_(handle),
        stream_(stream),
        workspace_(workspace),
        types_(types),
        operands_(operands),
        operation_(library, "MatmulDesc", types.compute, types.scale),
        operand_(library, "MatrixLayout", types.operand, std::uint64_t(n), std::uint64_t(n), n),
        result_(library, "MatrixLayout", types.result, std::uint64_t(n), std::uint64_t(n), n),
        matmul_(library.find("Matmul")) {
    operation_.set("MatmulDescSetAttribute", blaslt::transpose_a, std::int32_t{blaslt::transposed});
    // What hand-written kernels get as well: sums as the matrix cores keep them.
    const bool narrow = std::ranges::find(blaslt::e4m3, types.operand) != blaslt::e4m3.end();
    if (narrow && blaslt::fast_accumulation >= 0)
      operation_.set("MatmulDescSetAttribute", blaslt::fast_accumulation, std::int8_t{1});
    Described preference(library, "MatmulPreference");
    preference.set("MatmulPreferenceSetAttribute", blaslt::most_workspace, std::uint64_t{products_workspace});
    ways_.resize(most_ways);
    int found = 0;
    const int status =
        library.call("MatmulAlgoGetHeuristic", handle, Handle(operation_), Handle(operand_), Handle(operand_),
                     Handle(result_), Handle(result_), Handle(preference), most_ways, ways_.data(), &found);
    ways_.resize(status == 0 ? static_cast<std::size_t>(std::clamp(found, 0, most_ways)) : 0);
    std::erase_if(ways_, [](const blaslt::Heuristic& way) { return way.state != 0; });
  }

  int ways() const override { return static_cast<int>(ways_.size()); }

  void run(int way) override {
    const auto& chosen = ways_.at(static_cast<std::size_t>(way));
    using Matmul = int (*)(Handle, Handle, const void*, const void*, Handle, const void*, Handle, const void*,
                           const void*, Handle, void*, Handle, const blaslt::Algorithm*, void*, std::size_t,
                           api::Stream);
    const int status = reinterpret_cast<Matmul>(matmul_)(
        handle_, operation_, scales_.at(types_.scale, 0), operands_.a, operand_, operands_.b, operand_,
        scales_.at(types_.scale, 1), operands_.d, result_, operands_.d, result_, &chosen.algorithm,
        workspace_, products_workspace, stream_);
    if (status != 0) throw Error(fmt::format("{}Matmul answers with status {}", blaslt::prefix, status));
  }

 private:
  const Library& library_;
  Handle handle_;
  api::Stream stream_;
  void* workspace_;
  Types types_;
  Operands operands_;
  Scales scales_;
  Described operation_, operand_, result_;
  void* matmul_;
  std::vector<blaslt::Heuristic> ways_;
};

class VendorProducts : public device::Products {
 public:
  VendorProducts(api::Stream stream, std::unique_ptr<device::Memory> workspace)
      : stream_(stream), workspace_(std::move(workspace)) {
    library_.must("Create", &handle_);
  }
  ~VendorProducts() override { library_.call("Destroy", handle_); }

  std::string name() const override {
    return fmt::format("{} {}", blaslt::library, blaslt::version(handle_, library_.find("GetVersion")));
  }

  std::unique_ptr<device::Product> plan(ProductType type, std::int64_t n, const void* a, const void* b,
                                        void* d) override {
    for (const Types& types : types_of(type)) {
      auto planned = std::make_unique<Planned>(library_, handle_, stream_, workspace_->data(), types, n,
                                               Operands{a, b, d});
      if (planned->ways() > 0) return planned;
    }
    throw Error(fmt::format("{} has no such product for this device", name()));
  }

 private:
  Library library_;
  api::Stream stream_;
  Handle handle_ = nullptr;
  std::unique_ptr<device::Memory> workspace_;
};

}  // namespace

std::unique_ptr<device::Products> open_products(api::Stream stream,
                                                std::unique_ptr<device::Memory> workspace) {
  return std::make_unique<VendorProducts>(stream, std::move(workspace));
}

}  // namespace podium::gpu
