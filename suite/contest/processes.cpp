// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/processes.hpp"

#include <fmt/format.h>
#include <sys/sysinfo.h>

#include "suite/base/error.hpp"

namespace podium::contest {

Limits with_memory(Limits limits) {
  struct sysinfo info{};
  sysinfo(&info);
  if (limits.memory == 0) limits.memory = static_cast<std::int64_t>(info.totalram) * info.mem_unit / 4 * 3;
  return limits;
}

Executables executables(const std::string& backend) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  Executables found{.judge = here / ("podium-judge-" + backend),
                    .worker = here / ("podium-worker-" + backend),
                    .library = here / fmt::format("../lib/podium/libpodium-worker-{}.so", backend)};
  for (const auto& file : {found.judge, found.worker})
    if (!std::filesystem::exists(file))
      throw Error(
          fmt::format("this Podium was built without the {} backend ({} is not there); build it with "
                      "`cmake --workflow --preset {}`",
                      backend, file.string(), backend.substr(0, backend.find('-'))));
  return found;
}

}  // namespace podium::contest
