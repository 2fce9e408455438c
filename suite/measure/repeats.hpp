// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How often a call is repeated. Plain numbers in, plain numbers out.
#pragma once

namespace podium::measure {

// Calls of `microseconds` each that fill `seconds`: at least three, so that none of them alone is what is
// looked at, and no more than `most`. Three as well where the time is none.
int repeats_for(double seconds, double microseconds, int most);

}  // namespace podium::measure
