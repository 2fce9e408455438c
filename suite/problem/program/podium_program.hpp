// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that a generated judge's program includes. It defines PODIUM_WORDS, the number of words of its context,
// before.
#pragma once
#include "access.hpp"
#include "builtins.hpp"
#include "bytes.hpp"
#include "check.hpp"
#include "compare.hpp"
#include "fill.hpp"
#include "hold.hpp"
#include "probe.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "view.hpp"
