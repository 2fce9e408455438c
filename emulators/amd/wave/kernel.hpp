// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that translated code needs.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "access.hpp"
#include "arithmetic.hpp"
#include "clock.hpp"
#include "dot.hpp"
#include "lanes.hpp"
#include "matrix.hpp"
#include "mode.hpp"
#include "sparse.hpp"
#include "state.hpp"
#include "value.hpp"
