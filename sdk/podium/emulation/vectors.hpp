// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Short vectors with the sizes and alignments that GPUs give them.
#pragma once

#define PODIUM_VECTORS(T, name, align2, align4)                      \
  struct alignas(align2) name##2 { T x, y; };                        \
  struct name##3 { T x, y, z; };                                     \
  struct alignas(align4) name##4 { T x, y, z, w; };                  \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

PODIUM_VECTORS(signed char, char, 2, 4)
PODIUM_VECTORS(unsigned char, uchar, 2, 4)
PODIUM_VECTORS(short, short, 4, 8)
PODIUM_VECTORS(unsigned short, ushort, 4, 8)
PODIUM_VECTORS(int, int, 8, 16)
PODIUM_VECTORS(unsigned, uint, 8, 16)
PODIUM_VECTORS(long long, longlong, 16, 16)
PODIUM_VECTORS(unsigned long long, ulonglong, 16, 16)
PODIUM_VECTORS(float, float, 8, 16)
PODIUM_VECTORS(double, double, 16, 16)
#undef PODIUM_VECTORS
