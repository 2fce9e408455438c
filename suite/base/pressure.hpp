// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How long processes of this machine wait for processors, by the kernel's word.
#pragma once
#include <sys/types.h>

#include <string_view>

namespace podium {

// Microseconds since the machine started in which any process was ready to run and had no processor; 0 where
// the kernel keeps no account of it. Source: /proc/pressure/cpu, Linux 4.20.
double waited_for_processors();

// That is a mean over the busy processors: of sixteen, one that somebody waits for counts a sixteenth. So, of
// one process: for how many microseconds its first thread has waited in its life; 0 where the kernel does not
// count. Source: /proc/PID/schedstat.
double waited_by(pid_t process);

// The former of its file's text: "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345".
double waited_in(std::string_view text);

}  // namespace podium
