// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/host/program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "suite/base/error.hpp"

namespace podium::host {

SharedObject::SharedObject(int descriptor, Pool& pool)
    : pool_(pool), file_(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
  if (!file_)
    throw Error(fmt::format("the judge's program cannot be read from descriptor {}: {}", descriptor,
                            std::strerror(errno)));
  path_ = fmt::format("/proc/self/fd/{}", file_.get());
  library_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_)
    throw Error(fmt::format("the judge's program cannot be loaded: {}; run `podium build` again", dlerror()));
}

SharedObject::~SharedObject() {
  dlclose(library_);
  // The loader knows a library by its path: if it kept this one (unique symbols do that), the path must never
  // lead to another, so its descriptor stays taken.
  if (dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD)) file_.release();
}

SharedObject::Kernel SharedObject::find(std::string_view name) {
  if (const auto known = kernels_.find(name); known != kernels_.end()) return known->second;
  const std::string text(name);
  void* symbol = dlsym(library_, text.c_str());
  if (!symbol)
    throw Error(fmt::format("the judge's program has no kernel '{}'; run `podium build` again", text));
  return kernels_[text] = reinterpret_cast<Kernel>(symbol);
}

void SharedObject::run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) {
  const Kernel entry = find(kernel);
  pool_.run(groups, [&](int group) { entry(words.data(), group, groups); });
}

}  // namespace podium::host
