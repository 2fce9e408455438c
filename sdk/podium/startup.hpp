// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A library's start-up, run in the plugin ahead of the contestant's constructor.
#pragma once

namespace podium::plugin {
inline void (*startup)() = nullptr;
}
