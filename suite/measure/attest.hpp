// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether the judge's own clock bears out the times a worker reports. Plain numbers in, plain numbers out.
#pragma once
#include <span>
#include <vector>

namespace podium::measure {

// What the trusted empty contestant showed on this device: how much longer the judge's interval is than the
// time reported, in microseconds, and how far that scatters.
struct Overhead {
  double constant = 0;
  double tolerance = 0;
  double reported = 0;  // what an empty call takes by the worker's word: an empty pair of events, on a GPU
};
// Pairs of microseconds. `least`: the tolerance is no smaller, in microseconds; see the two below.
Overhead overhead(std::span<const double> reported, std::span<const double> judged, double least);

// Beside a GPU the judge spins, on cores to spare: the scatter of its interval is that of the driver.
inline constexpr double least_tolerance_gpu = 20;  // microseconds
// On the CPU judge and contestant share the cores: threads that have just finished delay the wake-up of the
// judge.
inline constexpr double least_tolerance_host = 200;  // microseconds

// How much wider than in the calmest moment known the scatter may be before it excuses nothing.
inline constexpr double busy_factor = 2;
// Whether what is measured `now` may be held against a contestant, and may excuse one: no more than
// busy_factor times the tolerance of the calmest moment, and no overhead that is longer by more than that
// tolerance. Load lengthens both, and a lie would fit into what it adds.
bool as_calm(const Overhead& now, const Overhead& calmest);
// The one with the smaller tolerance; of equals the one with the smaller constant.
Overhead calmer(const Overhead& one, const Overhead& other);

struct Attestation {
  bool agrees = true;
  double excess = 0;     // microseconds that the judge saw beyond what was reported and the overhead
  double tolerance = 0;  // how much of that is noise
};
// The lower quartile of the excess over an entry's samples: a late wake-up lengthens one interval, a lying
// clock or hidden work lengthens all of them. A clock that lies in three samples of four, and so about the
// median that ranks, shows in the lower quartile of the intervals against that median. Empty spans agree.
Attestation attest(std::span<const double> reported, std::span<const double> judged,
                   const Overhead& overhead);

// Whether a disagreement is one to accuse of. A call that waits is launched within the judge's interval, and
// so differs from the empty contestant in more than that one scatters: it takes three tolerances. An honest
// one that polls its stream was once 1.8 off, in every attempt of that run (NVIDIA H200).
bool certain(const Attestation& found, bool waits);

// Short calls are held against the judge's clock several at a time: it then tells each of them that many
// times better. How many are to be drawn between these two, so that nobody knows it before: at the least what
// makes up ten times the tolerance, but never more than two thirds of those that there is room for; {1, 1}
// where one call makes it up, or where there is room for one alone.
struct Calls {
  int least, most;
  bool operator==(const Calls&) const = default;
};
Calls calls_together(double microseconds, const Overhead& overhead, int room);

// `single`: the time reported of one call; `judged`: the judge's intervals of `calls` calls behind one gate.
// Nothing that the worker says of these is used. The shortest counts: calls cannot be done sooner than they
// can be, and all else only lengthens an interval. One call may well be slower than its share of many. An
// empty span agrees.
Attestation attest_together(double single, std::span<const double> judged, int calls,
                            const Overhead& overhead);

// What the judge's clock saw of a contestant's calls on a workload, several behind one gate, in all rounds so
// far. What a round reports is looked at in that very round unless a look before bears it out already:
// whoever was believed once could report less from then on.
class Looks {
 public:
  // The judge's interval of `calls` calls, whatever was made of it: they cannot be done sooner than they can
  // be, in any round.
  void see(double judged, int calls) { looks_.push_back({judged, calls}); }
  // Of calls that are measured in another way from now on, intervals say nothing.
  void forget() { looks_.clear(); }
  bool confirms(double median, const Overhead& calmest) const;

 private:
  struct Look {
    double judged = 0;
    int calls = 0;
  };
  std::vector<Look> looks_;
};

}  // namespace podium::measure
