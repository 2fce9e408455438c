// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What device code calls of the host: printf, assert, malloc.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

const char* text_at(u64 at) { return reinterpret_cast<const char*>(at); }

// One conversion of a format, with a copy of its argument's bytes.
class Arguments {
 public:
  explicit Arguments(u64 at) : at_(at) {}
  template <class T>
  T take() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const T value = read<T>(reinterpret_cast<const u8*>(at_));
    at_ += sizeof(T);
    return value;
  }

 private:
  u64 at_;
};

template <class T>
int print_one(const std::string& conversion, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return std::printf(conversion.c_str(), value);
#pragma GCC diagnostic pop
}

}  // namespace

void assert_fail(Thread* t, u64 message, u64 file, u32 line, u64 function) {
  launch().fail(&of(t), 0,
                fmt::format("the assertion `{}` does not hold ({}:{}, {})", text_at(message), text_at(file),
                            line, text_at(function)));
}

s32 print(Thread*, u64 format, u64 arguments) {
  launch().needs_one_thread();
  Arguments values(arguments);
  s32 count = 0;
  for (const char* c = text_at(format); *c != '\0'; ++c) {
    if (*c != '%' || c[1] == '%' || c[1] == '\0') {
      if (*c == '%' && c[1] == '%') ++c;
      std::putchar(*c);
      continue;
    }
    std::string conversion = "%";
    bool wide = false;
    for (++c; *c != '\0' && !std::strchr("diouxXcsfFeEgGaAp", *c); ++c) {
      if (std::strchr("lzjt", *c))
        wide = true;
      else if (*c != 'h')
        conversion += *c;
    }
    if (*c == '\0') break;
    ++count;
    if (std::strchr("fFeEgGaA", *c))
      print_one(conversion + *c, values.take<double>());
    else if (*c == 's')
      print_one(conversion + *c, text_at(values.take<u64>()));
    else if (*c == 'p')
      print_one(conversion + *c, reinterpret_cast<void*>(values.take<u64>()));
    else if (wide)
      print_one(conversion + "ll" + *c, static_cast<long long>(values.take<u64>()));
    else
      print_one(conversion + *c, values.take<int>());
  }
  return count;
}

u64 device_malloc(Thread*, u64 bytes) {
  launch().needs_one_thread();
  void* const at = std::malloc(bytes == 0 ? 1 : bytes);
  if (!at) return 0;
  device_memory().add(at, bytes, fmt::format("a kernel's malloc of {} bytes", bytes));
  const u64 begin = reinterpret_cast<u64>(at);
  forget_cells(begin, begin + bytes);
  return begin;
}
void device_free(Thread* t, u64 at) {
  if (at == 0) return;
  launch().needs_one_thread();
  if (!device_memory().remove(reinterpret_cast<void*>(at)))
    launch().fail(&of(t), 0, fmt::format("free of {:#x}, which malloc did not return", at));
  std::free(reinterpret_cast<void*>(at));
}

}  // namespace podium::ptx
