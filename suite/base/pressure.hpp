// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How long processes of this machine wait for processors, by the kernel's word.
#pragma once
#include <string_view>

namespace podium {

// Microseconds since the machine started in which any process was ready to run and had no processor; 0 where
// the kernel keeps no account of it. Source: /proc/pressure/cpu, Linux 4.20.
double waited_for_processors();

// The same of that file's text: "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345".
double waited_in(std::string_view text);

}  // namespace podium
