// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A contestant as `podium build` compiles it. CONTESTANT, its file, is the build's word.
#include CONTESTANT

#include <podium/plugin.hpp>
