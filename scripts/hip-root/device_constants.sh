#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# device_constants.sh CLANG FOLDER: writes the oclc_*.bc files from which clang composes a kernel's environment: a
# constant or two each, chosen by target and options, that ocml.bc and ockl.bc read. Names and values are those of
# clang's AMDGPU driver and of the ROCm device libraries.
set -euo pipefail
clang=$1 folder=$2

layout='e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48'
layout+='-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024'
layout+='-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9'

# library NAME [CONSTANT 'TYPE VALUE']...
library() {
  local name=$1
  shift
  {
    printf 'target datalayout = "%s"\ntarget triple = "amdgcn-amd-amdhsa"\n' "$layout"
    while [ $# -gt 0 ]; do
      echo "@__oclc_$1 = linkonce_odr protected local_unnamed_addr addrspace(4) constant $2"
      shift 2
    done
  } | "$clang" -target amdgcn-amd-amdhsa -nogpulib -x ir -c -emit-llvm -o "$folder/$name.bc" -
}

library opencl # nobody reads it, but clang takes a folder without it for none
library oclc_wavefrontsize64_on wavefrontsize64 'i8 1' wavefrontsize_log2 'i32 6'
library oclc_wavefrontsize64_off wavefrontsize64 'i8 0' wavefrontsize_log2 'i32 5'

for option in daz_opt=daz_opt unsafe_math=unsafe_math_opt finite_only=finite_only_opt \
  correctly_rounded_sqrt=correctly_rounded_sqrt32; do
  library "oclc_${option%=*}_on" "${option#*=}" 'i8 1'
  library "oclc_${option%=*}_off" "${option#*=}" 'i8 0'
done

for version in 400 500 600; do library oclc_abi_version_$version ABI_version "i32 $version"; done

# gfx1100 -> 11000, gfx90a -> 9010: major * 1000 + minor * 100 + stepping
for target in 906 908 90a 942 950 1030 1100 1101 1102 1103 1150 1151 1200 1201; do
  stepping=${target: -1} minor=${target: -2:1} major=${target%??}
  library "oclc_isa_version_$target" ISA_version "i32 $((major * 1000 + minor * 100 + 16#$stepping))"
done
