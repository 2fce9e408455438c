// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How cold a CPU's caches are after so many bytes were written and read, or read alone, in pages of 4 KiB or
// of 2 MiB, and what each costs.
//
//   g++ -std=c++20 -O2 -pthread tests/experiments/flushes.cpp -o /tmp/flushes && /tmp/flushes
//
// Medians of `samples`, in microseconds: one thread reads what another wrote before the flush, and writes as
// much that nobody has touched since. Each way in turn, on the first two processors.
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr int samples = 31, threads = 2;
constexpr std::size_t flushed = std::size_t{384} << 20, chunk = std::size_t{1} << 20, line = 64;  // bytes

using clock_type = std::chrono::steady_clock;
double since(clock_type::time_point start) {
  return std::chrono::duration<double, std::micro>(clock_type::now() - start).count();
}

void stay_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

char* memory(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (at == MAP_FAILED) std::abort();
  return static_cast<char*>(at);
}

char* large_pages(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) std::abort();
  madvise(at, bytes, MADV_HUGEPAGE);
  std::memset(at, 1, bytes);
  return static_cast<char*>(at);
}

void read_lines(const char* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += line) static_cast<void>(*static_cast<const volatile char*>(at + i));
}

void write_lines(char* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += line) *static_cast<volatile char*>(at + i) = 1;
}

template <class Work>
void in_chunks(char* at, const Work& work) {
  std::vector<std::thread> all;
  for (int thread = 0; thread < threads; ++thread)
    all.emplace_back([&, thread] {
      stay_on(thread);
      for (std::size_t i = static_cast<std::size_t>(thread) * chunk; i < flushed; i += threads * chunk)
        work(at + i);
    });
  for (auto& each : all) each.join();
}

enum Way { none, written_and_read, read_alone, read_in_large_pages, ways };

double flush(Way way, char* at, int value) {
  const auto start = clock_type::now();
  if (way == written_and_read) in_chunks(at, [&](char* part) { std::memset(part, value, chunk); });
  if (way != none) in_chunks(at, [](char* part) { read_lines(part, chunk); });
  return since(start);
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + samples / 2, all.end());
  return all[samples / 2];
}

}  // namespace

int main() {
  char *const buffer = memory(flushed), *const large = large_pages(flushed);
  std::printf("%10s | %24s | %24s | %24s | %24s\n", "", "not flushed", "written and read", "read alone",
              "read in large pages");
  std::printf("%10s", "KiB");
  for (int way = none; way < ways; ++way) std::printf(" | %8s%8s%8s", "read", "write", "flush");
  std::printf("\n");
  for (const std::size_t kib : {256u, 1024u, 4096u, 8192u, 32768u}) {
    const std::size_t bytes = kib << 10;
    char *const in = memory(bytes), *const out = memory(bytes);
    std::array<std::array<std::vector<double>, 3>, ways> times;
    for (int sample = 0; sample < samples; ++sample)
      for (int way = none; way < ways; ++way) {
        std::memset(in, sample, bytes);
        times[way][2].push_back(
            flush(static_cast<Way>(way), way == read_in_large_pages ? large : buffer, sample));
        std::thread([&] {
          stay_on(sample % threads);
          auto start = clock_type::now();
          read_lines(in, bytes);
          times[way][0].push_back(since(start));
          start = clock_type::now();
          write_lines(out, bytes);
          times[way][1].push_back(since(start));
        }).join();
      }
    std::printf("%10zu", kib);
    for (const auto& way : times)
      std::printf(" | %8.0f%8.0f%8.0f", median(way[0]), median(way[1]), median(way[2]));
    std::printf("\n");
    munmap(in, bytes);
    munmap(out, bytes);
  }
}
