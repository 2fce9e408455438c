// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// System calls that a worker is refused, so that it and all it starts can be stopped and ended together.
#pragma once

namespace podium::contest {

// From now on this process and its descendants stay in their process group: setsid and setpgid fail with
// EPERM, as does io_uring_setup, whose kernel threads would work on while the process is stopped. Needs no
// privilege but "no new privileges" set. Async-signal-safe. False if the kernel refuses the filter.
bool stay_in_group();

}  // namespace podium::contest
