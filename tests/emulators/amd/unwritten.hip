// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// unwritten USE [mended]: a kernel makes use of a scalar register that it has not written; mended, it has.
// Prints what the device says at the end, "right" or "wrong". "lanes" is no mistake: bits of a mask that no
// lane which is on looks at; nor is "carry": a sum of two words that nobody uses, as clang for gfx90a has it;
// nor is "other_word": of a pair of which an instruction reads one word twice. "word" reads both.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <utility>

enum class Use { value, branch, far, sum, address, mask, exec, compared, lanes, carry, other_word, word };
constexpr const char* names[] = {"value", "branch",   "far",   "sum",   "address",    "mask",
                                 "exec",  "compared", "lanes", "carry", "other_word", "word"};
constexpr int threads = 48;  // so that a wave has lanes that are off

#if defined(__GFX9__)
#define WIDTH "_b64 "
#define EXEC "exec"
#define LOST "s[90:91]"
#define OTHER "s[92:93]"
#define AND_NOT "s_andn2_b64 "
#define COMPARE "v_cmpx_eq_u32_e32 vcc, "
using Mask = unsigned long long;
#else
#define WIDTH "_b32 "
#define EXEC "exec_lo"
#define LOST "s90"
#define OTHER "s92"
#define AND_NOT "s_and_not1_b32 "
#define COMPARE "v_cmpx_eq_u32_e32 "
using Mask = unsigned;
#endif

// One, where what was not written is zero.
template <Use use>
__global__ void uses(float* y, bool mended) {
#if defined(__HIP_DEVICE_COMPILE__)
  int lost = 0;
  float found = 1;
  if (mended) asm volatile("s_mov" WIDTH LOST ", 0" ::: "s90", "s91");
  asm volatile("s_mov_b32 %0, s90" : "=s"(lost));
  if constexpr (use == Use::value) found = float(lost + 1);
  if constexpr (use == Use::branch) found = lost == 3 ? 2 : 1;
  if constexpr (use == Use::far) found = lost == 3000 ? 2 : 1;  // s_cmpk, where there is one
  if constexpr (use == Use::sum) {
    asm volatile("s_addk_i32 %0, 1000" : "+s"(lost)::"scc");
    found = float(lost - 999);
  }
  if constexpr (use == Use::compared) {
    Mask all = 0;
    asm volatile("s_mov" WIDTH "%0, " EXEC "\n " COMPARE "s90, %1\n s_mov" WIDTH EXEC ", %0"
                 : "=&s"(all)
                 : "v"(threadIdx.x)
                 : "vcc");
  }
  if constexpr (use == Use::address) found = y[lost + threads] + 1;
  if constexpr (use == Use::mask) asm volatile("v_cndmask_b32_e64 %0, 1.0, 2.0, " LOST : "=v"(found));
  if constexpr (use == Use::exec) {
    Mask all = 0;
    asm volatile("s_mov" WIDTH "%0, " EXEC "\n s_xor" WIDTH EXEC ", " EXEC ", " LOST "\n s_mov" WIDTH EXEC
                 ", %0"
                 : "=&s"(all)::"scc");
  }
  if constexpr (use == Use::lanes)
    asm volatile(AND_NOT OTHER ", " LOST ", " EXEC "\n v_cndmask_b32_e64 %0, 1.0, 2.0, " OTHER
                 : "=v"(found)::"s92", "s93", "scc");
  if constexpr (use == Use::carry)
    asm volatile("s_add_u32 s92, s90, s90\n s_addc_u32 s93, s90, 0" ::: "s92", "s93", "scc");
  if constexpr (use == Use::other_word || use == Use::word) {
#if defined(__GFX9__)
    using Pair = float __attribute__((ext_vector_type(2)));
    Pair pair = 1;
    if (mended) asm volatile("s_mov_b32 s93, 1.0" ::: "s93");
    if constexpr (use == Use::word)
      asm volatile("s_mov_b32 s92, 1.0\n v_pk_mul_f32 %0, %0, s[92:93]" : "+v"(pair)::"s92");
    else
      asm volatile("s_mov_b32 s92, 1.0\n v_pk_mul_f32 %0, %0, s[92:93] op_sel_hi:[1,0]" : "+v"(pair)::"s92");
    found = pair[1];
#else
    if constexpr (use == Use::word) found = float(lost + 1);  // it has no such instruction
#endif
  }
  y[threadIdx.x] = found;
#endif
}

int main(int argc, char** argv) {
  float* y = nullptr;
  float found[threads];
  if (argc < 2 || hipMalloc(&y, 2 * sizeof found) != hipSuccess ||
      hipMemset(y, 0, 2 * sizeof found) != hipSuccess)
    return 1;
  [&]<int... n>(std::integer_sequence<int, n...>) {
    ((std::strcmp(argv[1], names[n]) == 0 ? uses<Use(n)><<<1, threads>>>(y, argc > 2) : void()), ...);
  }(std::make_integer_sequence<int, int(std::size(names))>());
  hipError_t status = hipDeviceSynchronize();
  if (status == hipSuccess) status = hipMemcpy(found, y, sizeof found, hipMemcpyDefault);
  bool right = true;
  for (const float x : found) right = right && x == 1;
  std::printf("%s\n", status != hipSuccess ? hipGetErrorString(status) : right ? "right" : "wrong");
}
