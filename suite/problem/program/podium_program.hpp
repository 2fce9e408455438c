// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that a generated judge's program includes. It defines PODIUM_WORDS, the number of words of its context,
// before.
#pragma once
// Literals are C++'s, of 32 bits where these suffice: what does not fit is refused instead of wrapped.
#if defined(__CUDACC_RTC__)
#pragma nv_diag_error 61, 63
#elif defined(__clang__)
#pragma clang diagnostic error "-Winteger-overflow"
#pragma clang diagnostic error "-Wshift-count-overflow"
#else
#pragma GCC diagnostic error "-Woverflow"
#pragma GCC diagnostic error "-Wshift-count-overflow"
#endif
#include "access.hpp"
#include "bytes.hpp"
#include "check.hpp"
#include "clock.hpp"
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
