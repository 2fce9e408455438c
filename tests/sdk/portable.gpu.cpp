// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The portable dialect and cast on a device, held against the same on the host: one source for CUDA, HIP and
// the emulation. Ends with 0, with 1 and what is wrong, or with 77 where there is no device.
#include <podium/podium.hpp>

#include <cstdio>
#include <cstdlib>

namespace {
using podium::bf16, podium::cast, podium::f16;

int mistakes = 0;
void expect(bool holds, const char* what, long long detail) {
  if (!holds && ++mistakes <= 10) std::printf("wrong: %s, %lld\n", what, detail);
}

#if defined(PODIUM_ON_CUDA)
bool has_device() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}
void* allocate(std::size_t bytes) {
  void* memory;
  podium::check(cudaMallocManaged(&memory, bytes));
  return memory;
}
void release(void* memory) { cudaFree(memory); }
void synchronise() { podium::check(cudaDeviceSynchronize()); }
#elif defined(PODIUM_ON_HIP)
bool has_device() {
  int count = 0;
  return hipGetDeviceCount(&count) == hipSuccess && count > 0;
}
void* allocate(std::size_t bytes) {
  void* memory;
  podium::check(hipMallocManaged(&memory, bytes));
  return memory;
}
void release(void* memory) { static_cast<void>(hipFree(memory)); }
void synchronise() { podium::check(hipDeviceSynchronize()); }
#else
bool has_device() { return true; }
void* allocate(std::size_t bytes) { return std::malloc(bytes); }
void release(void* memory) { std::free(memory); }
void synchronise() {}
#endif

// Memory that device and host reach.
template <class T>
struct Array {
  T* data;
  explicit Array(std::size_t count) : data(static_cast<T*>(allocate(count * sizeof(T)))) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { release(data); }
};

template <class T>
PODIUM_BOTH std::uint16_t bits_of(T x) {
  std::uint16_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
template <class T>
PODIUM_BOTH T of_bits(std::uint16_t bits) {
  T x;
  memcpy(static_cast<void*>(&x), &bits, sizeof x);  // the vendors' types are not trivial
  return x;
}

template <class T>
inline constexpr unsigned infinity = std::is_same_v<T, f16> ? 0x7C00 : 0x7F80;
template <class T>
inline constexpr unsigned cases = 3 * infinity<T>;

// Case n: below, at and above the middle between a value of T and the next, and with either sign.
template <class T>
PODIUM_BOTH double boundary(unsigned n) {
  const auto low = static_cast<std::uint16_t>(n / 3);
  const double a = cast<double>(of_bits<T>(low)),
               b = cast<double>(of_bits<T>(static_cast<std::uint16_t>(low + 1)));
  const double middle = b - b == 0 ? (a + b) / 2 : a;  // the largest value itself where infinity is next
  std::uint64_t bits;
  memcpy(&bits, &middle, sizeof bits);
  bits += n % 3;
  bits -= 1;
  double x;
  memcpy(&x, &bits, sizeof x);
  return n & 1 ? -x : x;
}
struct Conversions {
  std::uint16_t halves[2];
  float widened;
  std::uint16_t from_integer[2];
};
template <class T>
PODIUM_BOTH Conversions conversions(unsigned n) {
  const double x = boundary<T>(n);
  const auto whole = static_cast<std::int64_t>((std::uint64_t{n} + 1) * 0x9E3779B97F4A7C15u);
  return {{bits_of(cast<T>(x)), bits_of(cast<T>(static_cast<float>(x)))},
          cast<float>(of_bits<T>(static_cast<std::uint16_t>(n / 3))),
          {bits_of(cast<T>(whole)), bits_of(cast<T>(static_cast<std::int32_t>(whole)))}};
}

template <class T>
__global__ void convert(podium::Tensor<Conversions, 1> out) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < cases<T>) out(n) = conversions<T>(n);
}
template <class T>
void compare_conversions(const char* what) {
  const Array<Conversions> results(cases<T>);
  const podium::Tensor<Conversions, 1> out{results.data, {cases<T>}, {1}};
  podium::launch(convert<T>, dim3(podium::ceil_div(cases<T>, 256)), dim3(256), 0, podium::Stream{}, out);
  synchronise();
  for (unsigned n = 0; n < cases<T>; ++n) {
    const Conversions here = conversions<T>(n), there = out(n);
    expect(here.halves[0] == there.halves[0] && here.halves[1] == there.halves[1], what, n);
    expect(here.widened == there.widened, what, n);
    expect(here.from_integer[0] == there.from_integer[0] && here.from_integer[1] == there.from_integer[1],
           what, n);
  }
}

// Eight bits and fewer: numbers of every exponent with three endings each, which are below, at and above the
// ties of all these types; and every pattern.
struct NarrowConversions {
  std::uint8_t from_float, from_double, from_half;
  float widened;
};
constexpr unsigned narrow_cases = 3 << 16;
template <class T>
PODIUM_BOTH NarrowConversions narrow_conversions(unsigned n) {
  const std::uint32_t bits = ((n / 3) << 16) + n % 3 - 1;
  float x;
  memcpy(&x, &bits, sizeof x);
  const double nearly = x * (1 + (static_cast<int>(n % 3) - 1) * 0x1p-40);
  return {cast<T>(x).bits, cast<T>(nearly).bits,
          cast<T>(of_bits<f16>(static_cast<std::uint16_t>(n / 3))).bits,
          cast<float>(T{static_cast<std::uint8_t>(n)})};
}
template <class T>
__global__ void convert_narrow(podium::Tensor<NarrowConversions, 1> out) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < narrow_cases) out(n) = narrow_conversions<T>(n);
}
template <class T>
void compare_narrow(const char* what) {
  const Array<NarrowConversions> results(narrow_cases);
  const podium::Tensor<NarrowConversions, 1> out{results.data, {narrow_cases}, {1}};
  podium::launch(convert_narrow<T>, dim3(podium::ceil_div(narrow_cases, 256u)), dim3(256), 0,
                 podium::Stream{}, out);
  synchronise();
  for (unsigned n = 0; n < narrow_cases; ++n) {
    const NarrowConversions here = narrow_conversions<T>(n), there = out(n);
    expect(here.from_float == there.from_float && here.from_double == there.from_double &&
               here.from_half == there.from_half,
           what, n);
    expect(here.widened == there.widened || (here.widened != here.widened && there.widened != there.widened),
           what, n);
  }
}

// Sums a block through the warp and dynamic shared memory.
__global__ void block_sum(const int* x, unsigned long long* out, std::int64_t stride) {
  PODIUM_DYNAMIC_SHARED(int, partial);
  int v = x[threadIdx.x];
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(podium::all_lanes, v, d);
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  if (threadIdx.x % warpSize == 0) partial[warp * stride] = v;
  __syncthreads();
  for (int w = 1; w < static_cast<int>(blockDim.x) / warpSize; ++w)
    v = w == 1 ? partial[0] + partial[stride] : v + partial[w * stride];
  const podium::lane_mask odd = __ballot_sync(podium::all_lanes, threadIdx.x % 2);
  if (threadIdx.x == 0) {
    out[0] = static_cast<unsigned long long>(v);
    out[1] = static_cast<unsigned long long>(static_cast<int>(__popcll(odd)) * 2 == warpSize);
  }
}
void sum_in_large_shared_memory() {
  constexpr int threads = 512;
  constexpr std::int64_t stride =
      700;  // 16 warps of 32 lanes then span 42 KiB, and with the rest more than 48
  constexpr int bytes = 56 << 10;
  const Array<int> numbers(threads);
  const Array<unsigned long long> results(2);
  unsigned long long* const out = results.data;
  for (int i = 0; i < threads; ++i) numbers.data[i] = i;
  podium::allow_shared(block_sum, bytes);
  podium::launch(block_sum, 1, threads, bytes, podium::Stream{}, numbers.data, out, stride);
  synchronise();
  expect(out[0] == threads * (threads - 1) / 2, "sum of a block", static_cast<long long>(out[0]));
  expect(out[1] == 1, "ballot", static_cast<long long>(out[1]));
}

__global__ void nothing() {}
void refuses_large_blocks() {
  try {
    podium::launch(nothing, 1, 2048, 0, podium::Stream{});
    expect(false, "a launch of 2048 threads a block was taken", 2048);
  } catch (const std::exception&) {
  }
}
}  // namespace

int main() {
  if (!has_device()) {
    std::puts("skipped: no device to run on");
    return 77;
  }
  compare_conversions<f16>("f16");
  compare_conversions<bf16>("bf16");
  compare_narrow<podium::e4m3>("e4m3");
  compare_narrow<podium::e5m2>("e5m2");
  compare_narrow<podium::e4m3_fnuz>("e4m3_fnuz");
  compare_narrow<podium::e5m2_fnuz>("e5m2_fnuz");
  compare_narrow<podium::e8m0>("e8m0");
  compare_narrow<podium::e2m1>("e2m1");
  sum_in_large_shared_memory();
  refuses_large_blocks();
  std::printf("%d mistakes\n", mistakes);
  return mistakes != 0;
}
