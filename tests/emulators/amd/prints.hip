// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// prints device|host|many|asserts|allocates: what kernels say to the host. `device` must print what `host`
// does, which is the C library's; `many` a line for each thread.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>

// The same text on both sides, with what printf() returned behind each line. `n` is 0: nothing is known at
// compile time.
__host__ __device__ void say(int n) {
  const auto line = [](int printed) { printf("%d\n", printed); };
  const long long big = (1ll << 40) + n;
  const double x = -1234.5678 + n;
  line(printf("no argument, 100 %%|"));
  line(printf("%d %i %5d|%-5d|%05d|%+d|% d|", n - 1, n + 2, n - 3, n + 4, n - 5, n + 6, n + 7));
  line(printf("%u %x %X %#x %o|", unsigned(n - 1), n + 255, n + 255, n + 255, n + 8));
  line(printf("%hhd %hd %hhu %hu|", n + 300, n + 70000, n + 300, n + 70000));
  line(printf("%ld %lld %lu %llx %zu %jd %td|", long(-big), -big, (unsigned long)big, (unsigned long long)big,
              size_t(big), big, big));
  line(printf("%f %.2f %10.3f|%-10.1f|%e %G %a|", x, x, x, x, x, x, x));
  line(printf("%f %f %g|", float(x), 1.0 / n, -0.0));
  line(printf("%c%c|%3c|", 'a' + n, 'b' + n, 'c' + n));
  line(printf("%s|%10s|%-6s|%.2s|%s|", "text", "right", "left", "cut", ""));
  line(printf("%*d|%-*d|%.*f|%.*s|", 6 + n, 42, 6 + n, 42, 2 + n, x, 3 + n, "shortened"));
  line(printf("%p|", reinterpret_cast<void*>(0x1234567890 + n)));
  line(printf(
      "a format that alone is much longer than the fifty-six bytes which a packet has for each lane: %s, %d|",
      "a text of exactly fifty-six bytes, its last byte is zero", n + 1));
  line(printf("%d %d %d %d %d %d %d %d %d %d|", n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8,
              n + 9));
}

__global__ void one(int n) { say(n); }

// Lanes apart from each other, and waves of several groups at a time.
__global__ void many() {
  if (threadIdx.x % 3 == 0)
    printf("block %d thread %d\n", int(blockIdx.x), int(threadIdx.x));
  else
    for (int i = 0; i < int(threadIdx.x % 3); ++i)
      printf("block %d thread %d turn %d\n", int(blockIdx.x), int(threadIdx.x), i);
}

__global__ void asserts(int limit) { assert(int(threadIdx.x) < limit); }

__global__ void allocates(void** at, int bytes) { *at = malloc(bytes); }

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  if (is("host")) say(argc - 2);
  if (is("device")) one<<<1, 1>>>(argc - 2);
  if (is("many")) many<<<5, 100>>>();
  if (is("asserts")) asserts<<<1, 64>>>(argc > 2 ? 64 : 37);
  if (is("allocates")) {
    void** at = nullptr;
    if (hipMalloc(&at, sizeof *at) != hipSuccess) return 1;
    allocates<<<1, 1>>>(at, 1 << 20);
  }
  if (const auto status = hipDeviceSynchronize(); status != hipSuccess)
    std::printf("%s\n", hipGetErrorString(status));
}
