// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Registers that nothing has written, as inline PTX leaves them behind: an output that an instruction under a
// predicate does not write, an operand too many. With `right` they are written, or decide nothing.
#include "planted.hpp"

namespace {

using planted::Memory;
using planted::threads;

// A load under a predicate whose output is stored even where it did not happen.
__global__ void load_not_done(const int* in, int* out, int n) {
  int value;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, %2; @p ld.global.s32 %0, [%3]; }"
               : "=r"(value)
               : "r"(static_cast<int>(threadIdx.x)), "r"(n), "l"(in + threadIdx.x));
  out[threadIdx.x] = value + 1;
}

// The same of four, of which one is missing.
__global__ void one_of_four(int* out, bool right) {
  int a, b, c, d;
  asm volatile(
      "{ .reg .pred p; setp.ne.s32 p, %4, 0; mov.s32 %0, 1; mov.s32 %1, 2; @p mov.s32 %2, 3; mov.s32 %3, 4; }"
      : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
      : "r"(static_cast<int>(right)));
  if (threadIdx.x < threads / 4) reinterpret_cast<int4*>(out)[threadIdx.x] = int4{a, b, c, d};
}

__global__ void address(int* out, bool right) {
  int at;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p mov.s32 %0, %1; }"
               : "=r"(at)
               : "r"(static_cast<int>(threadIdx.x)), "r"(static_cast<int>(right)));
  out[at] = 1;
}

__global__ void shared_address(int* out, bool right) {
  __shared__ int buffer[threads];
  buffer[threadIdx.x] = 5;
  __syncthreads();
  asm volatile(
      "{ .reg .pred p; .reg .b32 at, v; setp.ne.s32 p, %2, 0; @p mov.b32 at, %0; ld.shared.b32 v, [at];"
      "  st.global.b32 [%1], v; }" ::"r"(
          static_cast<unsigned>(__cvta_generic_to_shared(&buffer[threadIdx.x]))),
      "l"(out + threadIdx.x), "r"(static_cast<int>(right))
      : "memory");
}

__global__ void branch(int* out, bool right) {
  asm volatile(
      "{ .reg .pred p, q; .reg .b32 v; setp.ne.s32 p, %1, 0; @p mov.b32 v, 3; setp.eq.s32 q, v, 3;"
      "  @!q bra SKIP; st.global.b32 [%0], 1; SKIP: }" ::"l"(out + threadIdx.x),
      "r"(static_cast<int>(right))
      : "memory");
}

// A predicate that guards a store.
__global__ void guarded_store(int* out, bool right) {
  asm volatile(
      "{ .reg .pred p, q; setp.ne.s32 p, %1, 0; @p setp.ne.s32 q, %1, 0; @q st.global.b32 [%0], 1; }" ::"l"(
          out + threadIdx.x),
      "r"(static_cast<int>(right))
      : "memory");
}

// An accumulator that begins as nothing, over a loop: the name is the register's where it began.
__global__ void accumulator(int* out, int n, bool right) {
  asm volatile(
      "{ .reg .pred p, q; .reg .b32 sum, i; setp.ne.s32 p, %2, 0; @p mov.b32 sum, 0; mov.b32 i, 0;"
      "  AGAIN: add.s32 sum, sum, i; add.s32 i, i, 1; setp.lt.s32 q, i, %1; @q bra AGAIN;"
      "  st.global.b32 [%0], sum; }" ::"l"(out + threadIdx.x),
      "r"(n), "r"(static_cast<int>(right))
      : "memory");
}

// Of the choice, the one that is there is taken, or the other one.
__global__ void chosen(int* out, bool right) {
  asm volatile(
      "{ .reg .pred p; .reg .b32 v, w; setp.ne.s32 p, %1, 0; mov.b32 v, 7; selp.b32 v, v, w, p;"
      "  st.global.b32 [%0], v; }" ::"l"(out + threadIdx.x),
      "r"(static_cast<int>(right))
      : "memory");
}

// Fragments of which C was forgotten.
__global__ void fragment(int* out, bool right) {
  asm volatile(
      "{ .reg .pred p; .reg .b32 a, c<4>; setp.ne.s32 p, %1, 0; mov.b32 a, 0;"
      "  mov.b32 c0, 2; mov.b32 c1, 2; @p mov.b32 c2, 2; mov.b32 c3, 2;"
      "  mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {c0, c1, c2, c3}, {a, a}, {a}, {c0, c1, c2, c3};"
      "  st.global.b32 [%0], c2; }" ::"l"(out + threadIdx.x),
      "r"(static_cast<int>(right))
      : "memory");
}

// What decides nothing: half of a pair that is cut off again, a predicate that `and` does not look at, a
// value kept in shared memory, a register that meets itself, and one under a predicate that is read under it.
__global__ void only_read(int* out) {
  __shared__ int buffer[threads];
  asm volatile(
      "{ .reg .pred p, q, r; .reg .b16 h, l; .reg .b32 v, w, x, y; setp.ge.s32 p, %1, 64; mov.b16 l, 3;"
      "  mov.b32 v, {l, h}; and.b32 v, v, 65535; setp.eq.s32 q, w, 0; and.pred r, p, q; @r add.s32 v, v, 1;"
      "  st.shared.b32 [%2], w; xor.b32 x, w, w; add.s32 v, v, x; @p mov.b32 y, 1; @p add.s32 v, v, y;"
      "  st.global.b32 [%0], v; }" ::"l"(out + threadIdx.x),
      "r"(static_cast<int>(threadIdx.x)),
      "r"(static_cast<unsigned>(__cvta_generic_to_shared(&buffer[threadIdx.x])))
      : "memory");
}

void run(const char* name, const Memory& in, const Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return planted::is_either(name, mistake, &right); };
  if (is("load_not_done")) load_not_done<<<1, threads>>>(in.at, out.at, right ? threads : threads - 1);
  if (is("one_of_four")) one_of_four<<<1, threads>>>(out.at, right);
  if (is("address")) address<<<1, threads>>>(out.at, right);
  if (is("shared_address")) shared_address<<<1, threads>>>(out.at, right);
  if (is("branch")) branch<<<1, threads>>>(out.at, right);
  if (is("guarded_store")) guarded_store<<<1, threads>>>(out.at, right);
  if (is("accumulator")) accumulator<<<1, threads>>>(out.at, 4, right);
  if (is("chosen")) chosen<<<1, threads>>>(out.at, right);
  if (is("fragment")) fragment<<<1, threads>>>(out.at, right);
  if (is("only_read")) only_read<<<1, threads>>>(out.at);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
