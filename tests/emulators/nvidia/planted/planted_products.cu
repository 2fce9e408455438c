// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Products of tcgen05.mma that nobody waits for, columns of tensor memory that nobody has written, or given
// back.
#include "planted_begun.hpp"

namespace {

using namespace planted;

enum class Wait { right, none, too_late, of_one, committed_before };

// What the product makes is loaded.
__global__ void loaded(int* out, Wait how) {
  const Begun b(1);
  if (threadIdx.x == 0) {
    if (how == Wait::committed_before) b.commit();
    b.multiply(false, how != Wait::committed_before);
  }
  sync();
  if (how == Wait::right || how == Wait::committed_before) await(b.mbarrier);
  if (how == Wait::of_one && threadIdx.x < 32) await(b.mbarrier);
  after();
  const int value = load(b.mine);
  wait_loads();
  if (how == Wait::too_late) await(b.mbarrier);
  say(out, static_cast<int>(__int_as_float(value)));
  b.end();
}
// One thread waits, and the others wait for it.
__global__ void loaded_by_all(int* out, bool right) {
  const Begun b(1);
  if (threadIdx.x == 0) {
    b.multiply(false);
    if (right) await(b.mbarrier);
  }
  sync();
  const int value = load(b.mine);
  wait_loads();
  say(out, static_cast<int>(__int_as_float(value)));
  sync();
  await(b.mbarrier);
  b.end();
}
// The second product is awaited as the first one was.
__global__ void two_products(int* out, bool right) {
  const Begun b(1);
  for (unsigned i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) b.multiply(false);
    await(b.mbarrier, right ? i : 0);
    after();
    sync();
  }
  const int value = load(b.mine);
  wait_loads();
  say(out, static_cast<int>(__int_as_float(value)));
  await(b.mbarrier, 1);
  b.end();
}
// Of two products the last one's arrival tells of both.
__global__ void right_last_commit_(int* out) {
  const Begun b(1);
  if (threadIdx.x == 0) {
    b.multiply(false, false);
    b.copy(second);
    b.commit();
  }
  await(b.mbarrier);
  after();
  const int value = load(b.mine);
  wait_loads();
  say(out, static_cast<int>(__int_as_float(value)));
  b.end();
}
// A warp stores where a product is about to write.
__global__ void stored_over(int* out, bool right) {
  const Begun b(1);
  if (threadIdx.x == 0) b.multiply(false);
  if (right) await(b.mbarrier);
  after();
  sync();
  if (b.warp < 4) store(b.mine, 3);
  wait_stores();
  sync();
  await(b.mbarrier);
  const int value = b.warp < 4 ? load(b.mine) : 0;
  wait_loads();
  say(out, value);
  b.end();
}
__global__ void never_written(int* out, bool right) {
  const Begun b;
  if (b.warp < 4) {
    if (right) store(b.mine, 5);
    wait_stores();
    const int value = load(b.mine);
    wait_loads();
    say(out, value);
  }
  b.end();
}
__global__ void kept(int* out, bool right) {
  const Begun b;
  say(out, 1);
  if (right) b.end();
}

// More columns, for a while.
__global__ void more_kept(int* out, bool right) {
  __shared__ unsigned place;
  const Begun b;
  say(out, 1);
  if (b.warp == 0) {
    asm volatile(
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(shared_address(&place))
        : "memory");
    __syncwarp();
    if (right) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(place) : "memory");
  }
  b.end();
}

void run(const char* name, Memory&, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return is_either(name, mistake, &right); };
  const auto how = [&](Wait wrong) { return right ? Wait::right : wrong; };
  if (is("product_not_waited_for")) loaded<<<1, block>>>(out.at, how(Wait::none));
  if (is("product_waits_too_late") && !right) loaded<<<1, block>>>(out.at, Wait::too_late);
  if (is("product_one_waits") && !right) loaded<<<1, block>>>(out.at, Wait::of_one);
  if (is("product_committed_before") && !right) loaded<<<1, block>>>(out.at, Wait::committed_before);
  if (is("product_for_all")) loaded_by_all<<<1, block>>>(out.at, right);
  if (is("product_second")) two_products<<<1, block>>>(out.at, right);
  if (is("last_commit") && right) right_last_commit_<<<1, block>>>(out.at);
  if (is("product_stored_over")) stored_over<<<1, block>>>(out.at, right);
  if (is("columns_never_written")) never_written<<<1, block>>>(out.at, right);
  if (is("columns_kept")) kept<<<1, block>>>(out.at, right);
  if (is("more_columns_kept")) more_kept<<<1, block>>>(out.at, right);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
