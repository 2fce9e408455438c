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
#include "divide.hpp"
#include "fill.hpp"
#include "fill_draw.hpp"
#include "fill_laid_out.hpp"
#include "growth.hpp"
#include "hold.hpp"
#include "host.hpp"
#include "laid_out.hpp"
#include "order.hpp"
#include "prefix.hpp"
#include "probe.hpp"
#include "recur.hpp"
#include "reduce.hpp"
#include "reduce_tile.hpp"
#include "scan.hpp"
#include "scatter.hpp"
#include "structure.hpp"
#include "view.hpp"
