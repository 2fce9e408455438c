// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A library that has nothing of what is looked for.
extern "C" int nothing_of_use() { return 0; }
