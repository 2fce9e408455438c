// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What moves the time of a short kernel within one process, all else being equal: new events, new memory, new
// streams. Run several times it shows what moves it from process to process.
//   nvcc -std=c++20 -O3 -arch=sm_90 tests/experiments/streams.cu -o streams && for i in 1 2 3 4 5 6; do
//   ./streams; done
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#define CHECK(call)                                             \
  if (const cudaError_t status = (call); status != cudaSuccess) \
  std::printf("%s: %s\n", #call, cudaGetErrorString(status)), std::exit(1)

namespace {

constexpr int elements = 270336, rounds = 1000, calls = 60, changes = 16;
constexpr std::size_t memory = std::size_t(64) << 20, flushed = std::size_t(128) << 20;

__global__ void steps(const float* x, float* y, int n, int count, float factor) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float sum = x[i];
  for (int step = 0; step < count; ++step) sum = sum * factor + 1;
  y[i] = sum;
}

std::mt19937 dice{std::random_device{}()};
cudaStream_t stream;
cudaEvent_t start, stop;
char* arena;
char* caches;

// Microseconds, the median of many calls with flushed caches.
double median() {
  std::vector<double> times;
  for (int call = 0; call < calls; ++call) {
    CHECK(cudaMemsetAsync(caches, 1, flushed, stream));
    CHECK(cudaMemsetAsync(caches, 2, flushed, stream));
    CHECK(cudaEventRecord(start, stream));
    steps<<<elements / 256, 256, 0, stream>>>(reinterpret_cast<float*>(arena),
                                              reinterpret_cast<float*>(arena + memory / 2), elements, rounds,
                                              -1.0f);
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    times.push_back(1000.0 * milliseconds);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void show(const char* what, const std::function<void()>& change) {
  std::vector<double> medians;
  double sum = 0, squares = 0;
  for (int i = 0; i < changes; ++i) {
    change();
    medians.push_back(median());
    sum += medians.back();
  }
  for (const double m : medians) squares += (m - sum / changes) * (m - sum / changes);
  const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
  std::printf("%-22s mean %7.3f us, from %7.3f to %7.3f, standard deviation %5.1f ns\n", what, sum / changes,
              *low, *high, 1000 * std::sqrt(squares / (changes - 1)));
}

void new_events() {
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
}

// Elsewhere, since what it had is given to another first.
void new_memory() {
  char* other;
  CHECK(cudaFree(arena));
  CHECK(cudaMalloc(&other, (1 + dice() % 32) << 20));
  CHECK(cudaMalloc(&arena, memory));
  CHECK(cudaMemset(arena, 0, memory));
}

void new_stream() {
  std::vector<cudaStream_t> skipped(dice() % 8);
  for (auto& other : skipped) CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const auto& other : skipped) CHECK(cudaStreamDestroy(other));
}

}  // namespace

int main() {
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaMalloc(&arena, memory));
  CHECK(cudaMemset(arena, 0, memory));
  CHECK(cudaMalloc(&caches, flushed));
  for (int i = 0; i < changes; ++i) median();  // until the clocks hold
  show("nothing", [] {});
  show("new events", new_events);
  show("new memory", new_memory);
  show("new stream", new_stream);
}
