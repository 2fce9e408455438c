// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// machine NAME [mended]: what belongs to the machine and not to arithmetic. "exchanges": data from other
// lanes through LDS's crossbar; "mode": fields of the register MODE; "unknown N": the Nth instruction of
// which the emulator does not know what comes of it, and "unknowns" how many of them there are. Prints
// "right", "wrong", or what the device says.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

using Word = std::uint32_t;

constexpr int steps = 64;  // addresses that each lane has in turn

__host__ __device__ Word address_of(int lane, int step) {
  return Word(lane * 37 + step * 53) * 4 + Word(step % 4) + (step % 8 == 0 ? 0x1000u : 0);
}
__host__ __device__ bool is_on(int lane, int step) { return step % 2 == 0 || lane % 3 != 1; }

__global__ void exchanges(Word* gathered, Word* scattered) {
  const int lane = int(threadIdx.x), lanes = int(blockDim.x);
  for (int step = 0; step < steps; ++step) {
    Word from = 7, to = 7;
    if (is_on(lane, step)) {
      from = Word(__builtin_amdgcn_ds_bpermute(int(address_of(lane, step)), 1000 + lane));
      to = Word(__builtin_amdgcn_ds_permute(int(address_of(lane, step)), 1000 + lane));
    }
    gathered[step * lanes + lane] = from;
    scattered[step * lanes + lane] = to;
  }
}

// The guides: the address is one in bytes, whose upper bits do not count; a lane that is off gives nothing,
// for which zero stands; of several that send to one the highest wins. RDNA 3's: a wave of 64 exchanges as
// two of 32 would, with numbers of lanes within the own half. RDNA 4's and CDNA's know no halves.
void exchanged(int lanes, int reach, std::vector<Word>& gathered, std::vector<Word>& scattered) {
  gathered.assign(std::size_t(steps * lanes), 7);
  scattered.assign(std::size_t(steps * lanes), 7);
  for (int step = 0; step < steps; ++step) {
    for (int lane = 0; lane < lanes; ++lane)
      if (is_on(lane, step)) scattered[std::size_t(step * lanes + lane)] = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      if (!is_on(lane, step)) continue;
      const int other = lane / reach * reach + int(address_of(lane, step) / 4 % Word(reach));
      gathered[std::size_t(step * lanes + lane)] = is_on(other, step) ? Word(1000 + other) : 0;
      if (is_on(other, step)) scattered[std::size_t(step * lanes + other)] = Word(1000 + lane);
    }
  }
}

// Eight bits of rounding and denormals: as they were, with five of them changed, what three of these are, and
// with four changed from a register of which the upper bits do not count.
__global__ void mode(Word* found) {
  Word as_they_were = 0, five = 0, three = 0, four = 0;
#if defined(__HIP_DEVICE_COMPILE__)
  asm volatile(
      "s_getreg_b32 %0, hwreg(1, 0, 8)\n s_setreg_imm32_b32 hwreg(1, 2, 5), 0xffffffed\n"
      "s_getreg_b32 %1, hwreg(1, 0, 8)\n s_getreg_b32 %2, hwreg(1, 3, 3)\n s_mov_b32 s20, 0xffffffe1\n"
      "s_setreg_b32 hwreg(1, 4, 4), s20\n s_getreg_b32 %3, hwreg(1, 0, 8)\n s_setreg_b32 hwreg(1, 0, 8), %0"
      : "=&s"(as_they_were), "=&s"(five), "=&s"(three), "=&s"(four)::"s20");
#endif
  found[0] = as_they_were;
  found[1] = five;
  found[2] = three;
  found[3] = four;
}
constexpr Word modes[] = {0xf0, 0xb4, 6, 0x14};

// What is not known, if it were taken for nothing, would leave a wave that is wrong.
template <int which>
__global__ void unknown(Word* y) {
#if defined(__HIP_DEVICE_COMPILE__)
#define UNKNOWN(number, text) \
  if constexpr (which == number) asm volatile(text ::: "s20", "s21", "scc", "memory");
  UNKNOWN(0, "s_getreg_b32 s20, hwreg(2)")
  UNKNOWN(1, "s_setreg_imm32_b32 hwreg(2, 0, 1), 0")
  UNKNOWN(2, "s_sethalt 1")
#if defined(__GFX9__)
  UNKNOWN(3, "s_sendmsg 4")
  UNKNOWN(4, "s_sendmsghalt 1")
  UNKNOWN(5, "s_getreg_b32 s20, hwreg(6)")
#else
  UNKNOWN(3, "s_sendmsg 2")
  UNKNOWN(4, "s_sendmsg_rtn_b32 s20, 0x80")
  UNKNOWN(5, "s_sendmsg_rtn_b64 s[20:21], 0x85")
#endif
#if defined(__GFX12__)
  UNKNOWN(6, "s_barrier_signal_isfirst -1")
  UNKNOWN(7, "s_barrier_signal 1")
  UNKNOWN(8, "s_barrier_wait 1")
  UNKNOWN(9, "s_barrier_signal m0")
#endif
#endif
  y[threadIdx.x] = 1;
}
#if TARGET >= 0x1200
constexpr int unknowns = 10;
#else
constexpr int unknowns = 6;
#endif

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  if (is("unknowns")) return std::printf("%d\n", unknowns) < 0;
  Word *a = nullptr, *b = nullptr;
  constexpr std::size_t most = steps * 64;
  if (hipMalloc(&a, 4 * most) != hipSuccess || hipMalloc(&b, 4 * most) != hipSuccess) return 1;
  std::vector<Word> expected_a, expected_b;
  if (is("exchanges")) {
    exchanged(WAVE, TARGET / 0x100 == 0x11 ? 32 : WAVE, expected_a, expected_b);
    exchanges<<<1, WAVE>>>(a, b);
  } else if (is("mode")) {
    expected_a.assign(modes, modes + 4);
    mode<<<1, 1>>>(a);
  } else if (is("unknown")) {
    expected_a.assign(WAVE, 1);
    const int which = argc > 2 ? std::atoi(argv[2]) : -1;
    [&]<int... n>(std::integer_sequence<int, n...>) {
      ((which == n - 1 ? unknown<n - 1><<<1, WAVE>>>(a) : void()), ...);
    }(std::make_integer_sequence<int, unknowns + 1>());
  }
  if (const auto status = hipDeviceSynchronize(); status != hipSuccess) {
    std::printf("%s\n", hipGetErrorString(status));
    return 0;
  }
  bool right = !expected_a.empty();
  for (const auto& [at, expected] : {std::pair{a, &expected_a}, {b, &expected_b}}) {
    std::vector<Word> found(expected->size());
    if (hipMemcpy(found.data(), at, 4 * found.size(), hipMemcpyDefault) != hipSuccess) return 1;
    right = right && found == *expected;
    if (argc > 2 && is("exchanges") && right) found[9] ^= 1, right = found == *expected;
  }
  std::printf("%s\n", right ? "right" : "wrong");
}
