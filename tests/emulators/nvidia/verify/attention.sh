#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# attention.sh PODIUM SOURCE-FOLDER [all]: a small workload of attention, on Hopper and on Blackwell, by kernels of ours.
# With `all`, of every such problem by every contestant, of which FlashInfer's take minutes to compile.
source "$(dirname "$(readlink -f "$0")")/common.sh"

if [ "${3:-}" != all ]; then
  expect 0 "$podium" verify attention_prefill --quiet --device cuda:emulated:sm_90a --workload bf16/square --contestant flash
  says '^attention_prefill/bf16 +flash +right'
  expect 0 "$podium" verify attention_prefill --quiet --device cuda:emulated:sm_100a --workload bf16/square --contestant flash_sm100
  says '^attention_prefill/bf16 +flash_sm100 +right'
  exit
fi
workloads=(
  attention_append:bf16-bf16/two
  attention_backward:bf16/one_over_a_tile
  attention_paged_decode:bf16-bf16/within_a_page
  attention_paged_prefill:bf16-bf16/short
  attention_prefill:bf16/square
  attention_ragged:bf16/short
  cascade:bf16/a_prefix_of_one
  merge_state:bf16/alike
  mla_decode:bf16/many_heads
)
for architecture in sm_90a sm_100a; do
  for one in "${workloads[@]}"; do
    "$podium" verify "${one%:*}" --quiet --timeout 600 --device cuda:emulated:$architecture --workload "${one#*:}" >"$said" 2>&1 || true
    says "^${one%:*}/[^ ]+ +naive +right"
    # FlashInfer 0.7.2's own for these architectures lack barriers and waits (docs/evidence/emulators_nvidia_runs.md).
    ! grep -E "^${one%:*}/" "$said" | grep -vE ' +(right|not supported|missing library) +| flashinfer_(fa3|sm90|sm100) +device error ' ||
      fail "on $architecture a contestant of ${one%:*} is not right:"
  done
done
