// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that a generated kernel includes.
#pragma once
#include "emulators/nvidia/device/atomics.hpp"
#include "emulators/nvidia/device/cluster_launch.hpp"
#include "emulators/nvidia/device/convert.hpp"
#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/flushing.hpp"
#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/module.hpp"
#include "emulators/nvidia/device/operations.hpp"
#include "emulators/nvidia/device/sparse_mma.hpp"
#include "emulators/nvidia/device/tcgen05.hpp"
#include "emulators/nvidia/device/tensor_copy.hpp"
#include "emulators/nvidia/device/wgmma.hpp"
#include "emulators/nvidia/device/wmma.hpp"
