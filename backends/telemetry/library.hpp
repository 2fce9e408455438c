// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A shared library that may be absent, and functions that it may lack.
#pragma once
#include <string>
#include <vector>

#include "suite/base/error.hpp"

namespace podium::telemetry {

// Its library could not be loaded, refused to start, or does not know the device: one sentence.
class Unavailable : public Error {
 public:
  using Error::Error;
};

class Library {
 public:
  // The first of `names` that can be loaded; the environment's `variable`, where it is set, alone. Throws
  // Unavailable naming them.
  Library(const char* variable, std::vector<std::string> names);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::string& name() const { return name_; }

  // Null where the library has no such function.
  template <class F>
  void find(F*& function, const char* symbol) const {
    function = reinterpret_cast<F*>(address(symbol));
  }
  // Throws Unavailable naming the function.
  template <class F>
  void need(F*& function, const char* symbol) const {
    find(function, symbol);
    if (!function) lacks(symbol);
  }

 private:
  void* address(const char* symbol) const;
  [[noreturn]] void lacks(const char* symbol) const;

  void* handle_ = nullptr;
  std::string name_;
};

// "0000:c1:00.0" in parts. Throws Unavailable for anything else.
struct PciAddress {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
};
PciAddress pci_address(const std::string& text);

}  // namespace podium::telemetry
