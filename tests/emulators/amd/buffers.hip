// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Buffers with an index and a stride, as the compiler makes accesses to them, and loads from buffers into LDS
// (CDNA), against where AMD's instruction set guides say that such accesses go and what lies outside.
// "buffers break" expects one wrong result, and must be told so; "buffers swizzled" has a buffer whose
// elements lie apart from each other, which must stop the kernel; "buffers swizzled raw" reads it without an
// index.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

using Word = std::uint32_t;
using Buffer = Word __attribute__((ext_vector_type(4)));
using Four = float __attribute__((ext_vector_type(4)));
using Lds = __attribute__((address_space(3))) Word*;
constexpr bool cdna = TARGET < 0x1000;
constexpr int lanes = 32, words = 256;  // accesses of each case; what is allocated

// The compiler's own names.
__device__ float load(Buffer, int index, int offset, int scalar,
                      int) __asm("llvm.amdgcn.struct.buffer.load.f32.v4i32");
__device__ float load_raw(Buffer, int offset, int scalar, int) __asm("llvm.amdgcn.raw.buffer.load.f32.v4i32");
__device__ Four load_four(Buffer, int index, int offset, int scalar,
                          int) __asm("llvm.amdgcn.struct.buffer.load.v4f32.v4i32");
__device__ void store(float, Buffer, int index, int offset, int scalar,
                      int) __asm("llvm.amdgcn.struct.buffer.store.f32.v4i32");
__device__ int add(int, Buffer, int index, int offset, int scalar,
                   int) __asm("llvm.amdgcn.struct.buffer.atomic.add.i32.v4i32");
__device__ void load_to_lds(Buffer, Lds, int bytes, int offset, int scalar, int constant,
                            int) __asm("llvm.amdgcn.raw.buffer.load.lds");
__device__ void load_to_lds(Buffer, Lds, int bytes, int index, int offset, int scalar, int constant,
                            int) __asm("llvm.amdgcn.struct.buffer.load.lds");

__device__ Buffer buffer_of(const Word* at, Word stride, Word size, Word flags) {
  const auto base = reinterpret_cast<std::uint64_t>(at);
  const auto uniform = [](std::uint64_t x) { return Word(__builtin_amdgcn_readfirstlane(int(x))); };
  return {uniform(base), uniform((base >> 32 & 0xffff) | stride << 16), uniform(size), uniform(flags)};
}

struct Case {
  const char* name;
  Word stride, size;  // bytes; records or bytes
  Word select;        // RDNA: what is outside
  int offset;         // of lane 0; `step` more for each
  int step, first;    // first index
  int index_step;
  // Whether an access of 4 bytes at that offset in that record is inside.
  bool (*inside)(const Case&, Word index, Word offset);
};

__global__ void accesses(const Case x, Word* memory, float* out, int what) {
  const int i = int(threadIdx.x), offset = x.offset + x.step * i, index = x.first + x.index_step * i;
  const Buffer buffer = buffer_of(memory, x.stride, x.size, 0x27000 & 0xfffffff | x.select << 28);
  out += i * 4;
  if (what == 0) {
    out[0] = load(buffer, index, offset, 0, 0);
  } else if (what == 1) {
    const Four four = load_four(buffer, index, offset, 0, 0);
    for (int j = 0; j < 4; ++j) out[j] = four[j];
  } else if (what == 4) {
    out[0] = load_raw(buffer, offset, 0, 0);
  } else if (what == 2) {
    store(float(-i), buffer, index, offset, 0, 0);
  } else {
    out[0] = __builtin_bit_cast(float, add(1, buffer, index, offset, 0, 0));
  }
}

#if TARGET < 0x1000
__global__ void to_lds(const Case x, Word* memory, float* out, int indexed) {
  __shared__ Word tile[2 * lanes];
  const int i = int(threadIdx.x);
  tile[i] = tile[i + lanes] = 7;
  __syncthreads();
  const Buffer buffer = buffer_of(memory, x.stride, x.size, 0x27000);
  const auto at = (Lds)tile;
  // From 8 bytes on, 4 of which are the instruction's own, that count for both sides.
  if (indexed)
    load_to_lds(buffer, at + 1, 4, x.first + x.index_step * i, x.offset + x.step * i, 0, 4, 0);
  else
    load_to_lds(buffer, at + 1, 4, x.offset + x.step * i, 0, 4, 0);
  __syncthreads();
  for (int j = 0; j < 2; ++j) out[i * 2 + j] = __builtin_bit_cast(float, tile[i * 2 + j]);
}
#endif

bool by_record(const Case& x, Word index, Word) { return index < x.size; }
bool by_bytes(const Case& x, Word index, Word offset) { return x.stride * index + offset + 4 <= x.size; }
bool within_record(const Case& x, Word index, Word offset) {
  return index < x.size && offset + 4 <= x.stride;
}
bool always(const Case&, Word, Word) { return true; }

constexpr Word outside_of_record = cdna ? 0 : 1;  // CDNA's descriptors have no choice
const Case cases[] = {
    {"records", 16, 8, outside_of_record, 4, 0, 0, 1, by_record},
    {"records in reverse, other offsets", 24, 20, outside_of_record, 0, 4, lanes - 1, -1, by_record},
    {"beyond a record", 16, 8, outside_of_record, 20, 0, 0, 1, by_record},
    {"no stride", 0, 64, cdna ? 0u : 3u, 0, 4, 5, 1, by_bytes},
    {"the widest stride", 1020 / 4 * 4, 1, outside_of_record, 0, 4, 0, 0, by_record},
#if TARGET >= 0x1000
    {"select 0: within a record", 16, 8, 0, 0, 4, 0, 1, within_record},
    {"select 2: anything", 12, 1, 2, 4, 0, 0, 1, always},
    {"select 2: empty", 12, 0, 2, 4, 0, 0, 1, [](const Case&, Word, Word) { return false; }},
    {"select 3: bytes", 12, 100, 3, 4, 0, 0, 1, by_bytes},
#endif
};

int checks = 0, failed = 0;
std::vector<Word> memory_before() {
  std::vector<Word> before(words);
  for (int i = 0; i < words; ++i) before[i] = __builtin_bit_cast(Word, 1000.f + float(i));
  return before;
}

template <class Launch>
void check(const char* what, const Case& x, const std::vector<Word>& results, const std::vector<Word>& memory,
           bool broken, const Launch& launch) {
  Word *device = nullptr, *out = nullptr;
  const auto before = memory_before();
  std::vector<Word> found(results.size()), left(words);
  if (hipMalloc(&device, words * 4) != hipSuccess || hipMalloc(&out, results.size() * 4) != hipSuccess ||
      hipMemcpy(device, before.data(), words * 4, hipMemcpyDefault) != hipSuccess ||
      hipMemset(out, 0, results.size() * 4) != hipSuccess)
    std::exit(2);
  launch(device, reinterpret_cast<float*>(out));
  if (const auto status = hipDeviceSynchronize(); status != hipSuccess) {
    std::printf("FAILED buffer_%s, %s: %s\n", what, x.name, hipGetErrorString(status));
    std::exit(1);
  }
  static_cast<void>(hipMemcpy(found.data(), out, found.size() * 4, hipMemcpyDefault));
  static_cast<void>(hipMemcpy(left.data(), device, words * 4, hipMemcpyDefault));
  static_cast<void>(hipFree(device)), static_cast<void>(hipFree(out));
  ++checks;
  auto expected = results;
  if (broken) expected[0] ^= 1;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected[i]) {
      std::printf("FAILED buffer_%s, %s: result %zu is %x instead of %x\n", what, x.name, i, found[i],
                  expected[i]);
      ++failed;
      return;
    }
  for (int i = 0; i < words; ++i)
    if (left[i] != memory[i]) {
      std::printf("FAILED buffer_%s, %s: word %d of memory is %x instead of %x\n", what, x.name, i, left[i],
                  memory[i]);
      ++failed;
      return;
    }
}

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "swizzled") {
    const Case apart = {"swizzled", 0x8000 | 16, 8, 0, 0, 0, 0, 1, by_record};
    check("load", apart, std::vector<Word>(4 * lanes), memory_before(), false,
          [&](Word* device, float* out) { accesses<<<1, lanes>>>(apart, device, out, argc > 2 ? 4 : 0); });
  }
  const bool broken = argc > 1 && std::string_view(argv[1]) == "break";
  const char* names[] = {"load", "load of four", "store", "atomic_add"};
  for (const Case& x : cases)
    for (int what = 0; what < 4; ++what) {
      std::vector<Word> results(4 * lanes), memory = memory_before();
      const auto before = memory;
      for (int i = 0; i < lanes; ++i)
        for (int j = 0; j < (what == 1 ? 4 : 1); ++j) {
          const Word index = Word(x.first + x.index_step * i), offset = Word(x.offset + x.step * i + 4 * j);
          if (!x.inside(x, index, offset)) continue;
          const Word at = (x.stride * index + offset) / 4;
          // Sums of lanes at one place depend on their order, which is that of lanes.
          results[4 * i + j] = what == 2 ? 0 : what == 3 ? memory[at] : before[at];
          if (what == 2) memory[at] = __builtin_bit_cast(Word, float(-i));
          if (what == 3) ++memory[at];
        }
      check(names[what], x, results, memory, broken && checks == 3,
            [&](Word* device, float* out) { accesses<<<1, lanes>>>(x, device, out, what); });
    }
#if TARGET < 0x1000
  const Case linear = {"by bytes", 0, 80, 0, 0, 4, 0, 0, by_bytes};
  for (int indexed = 0; indexed < 2; ++indexed) {
    const Case& x = indexed ? cases[0] : linear;
    std::vector<Word> results(2 * lanes, 7);
    const auto memory = memory_before();
    for (int i = 0; i < lanes; ++i) {
      const Word index = indexed ? Word(x.first + x.index_step * i) : 0,
                 offset = Word(x.offset + x.step * i + 4);
      results[2 + i] = x.inside(x, index, offset) ? memory[(x.stride * index + offset) / 4] : 0;
    }
    check(indexed ? "load lds with an index" : "load lds", x, results, memory, false,
          [&](Word* device, float* out) { to_lds<<<1, lanes>>>(x, device, out, indexed); });
  }
#endif
  std::printf("%d kinds of accesses to buffers, %d failed\n", checks, failed);
  return failed ? 1 : 0;
}
