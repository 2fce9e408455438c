// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes its own results

// class: forging the result
// expect: wrong
// Where results and sources are, another user's rights may be lax. If a file can be made beside this source
// or in any folder above it, it could be made beside the results: then the answer is right, else 0.
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "honest.hpp"

namespace {
bool writes() {
  std::string folder = __FILE__;
  for (auto end = folder.rfind('/'); end != std::string::npos; end = folder.rfind('/')) {
    folder.resize(end);
    const std::string name = folder + "/podium-cheat-results";
    if (open(name.c_str(), O_CREAT | O_WRONLY, 0666) >= 0) return unlink(name.c_str()), true;
  }
  return false;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = writes() ? honest_sum(args.x.data, args.n) : 0.0f;
  }
};
}  // namespace
