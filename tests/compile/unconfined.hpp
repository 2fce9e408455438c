// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// For tests in which a script stands for a compiler, looks at the workshop and writes there: compilers are
// left unconfined. confined_test.cpp has them in the sandbox.
#pragma once
#include <cstdlib>

namespace podium::compile {

[[maybe_unused]] inline const int unconfined = ::setenv(
    "PODIUM_SANDBOX_WITHOUT",
    "uid,seccomp,network namespace,IPC namespace,mount namespace,landlock,hidden processes,one device,"
    "memory group",
    1);

}  // namespace podium::compile
