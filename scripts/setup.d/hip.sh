# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# A small ROCm root in $prefix/rocm, from the distribution's clang and the HIP headers that Triton's wheel carries.
# scripts/hip-root/README.md says what comes from where.

triton_wheel=triton==3.9.0
# Newest first. The device libraries of that wheel were written by LLVM 22: older readers may refuse them.
llvm_versions=(22 21 20 19)
needed_hip_headers=5.7 # the first whose hip_bf16.h is complete

hip_missing() { ! "$root/scripts/compiler" hip >/dev/null 2>&1; }

# The newest LLVM that this distribution has, or that is installed.
llvm_version() {
  local version
  for version in "${llvm_versions[@]}"; do
    if has_llvm "$version" || apt_has "clang-tools-$version"; then
      echo "$version"
      return
    fi
  done
  die 4 "needs clang ${llvm_versions[-1]} or later (${llvm_versions[0]} was tried), and apt-get knows none: enable the \
distribution's security and updates archives"
}

has_llvm() { [ -x "/usr/lib/llvm-${1:-${llvm_versions[0]}}/bin/clang-offload-bundler" ]; }
apt_has() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [0-9] ]]; }

add_hip_packages() {
  local version
  has_llvm || refresh_package_lists # which one there is cannot be known from old lists
  version=$(llvm_version)
  packages+=("clang-$version" "clang-tools-$version" "lld-$version" "llvm-$version") # the bundler calls llvm-objcopy
}

install_hip() {
  local new=$prefix/rocm.new version
  version=$(llvm_version)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  say "lays out $prefix/rocm with clang $version, from $triton_wheel (280 MB download) and the headers of libamdhip64-dev"
  rm -rf "$new" "$prefix/rocm"
  mkdir -p "$new"/{include,amdgcn/bitcode,share/hip}
  cp -r "$root"/scripts/hip-root/tree/* "$new"
  ln -s "/usr/lib/llvm-$version" "$new/llvm/installation"
  copy_triton_parts "$work" "$new"
  copy_missing_headers "$work" "$new"
  sed -n 's/^#define \(HIP_VERSION_M[AI][A-Z]*\|HIP_VERSION_PATCH\) *\([0-9]*\)$/\1=\2/p' \
    "$new/include/hip/hip_version.h" >"$new/share/hip/version"
  "$root/scripts/hip-root/device_constants.sh" "$new/llvm/installation/bin/clang" "$new/amdgcn/bitcode"
  compile_stub_runtime "$work" "$new"
  mv "$new" "$prefix/rocm" # whole or not at all
  "$root/scripts/compiler" hip >/dev/null || die 4 "the small ROCm in $prefix/rocm does not answer on this machine"
}

copy_triton_parts() { # WORK ROOT
  pip download --no-deps --only-binary :all: --dest "$1" "$triton_wheel"
  local amd=triton/backends/amd
  python3 "$root/scripts/hip-root/unpack_wheel.py" "$1"/triton-*.whl \
    $amd/include/hip/="$2/include/hip" $amd/include/hsa/="$2/include/hsa" \
    $amd/lib/ocml.bc="$2/amdgcn/bitcode/ocml.bc" $amd/lib/ockl.bc="$2/amdgcn/bitcode/ockl.bc"
  rm "$1"/triton-*.whl
}

# The types and functions of half and bfloat16, and hipRTC's, are in headers that the wheel lacks.
copy_missing_headers() { # WORK ROOT
  (cd "$1" && download_hip_package && dpkg-deb -x libamdhip64-dev_*.deb unpacked) ||
    die 4 "could not download the package libamdhip64-dev (Debian 13, Ubuntu 24.04), whose headers hip_fp16.h needs"
  local header from=$1/unpacked/usr/include/hip to=$2/include/hip
  for header in hip_fp16.h hip_bf16.h hip_bfloat16.h hip_complex.h hip_ext.h hiprtc.h \
    amd_detail/{amd_hip_fp16,amd_hip_bf16,amd_hip_bfloat16,amd_hip_complex,hip_fp16_gcc}.h; do
    [ -e "$to/$header" ] || cp "$from/$header" "$to/$header" || die 4 "the package libamdhip64-dev has no hip/$header"
  done
}

# Into the current folder: this distribution's libamdhip64-dev if new enough, else Debian 13's from the same archive.
download_hip_package() {
  local own archive
  own=$(apt-cache policy libamdhip64-dev | sed -n 's/^ *Candidate: //p')
  if dpkg --compare-versions "${own:-0}" lt $needed_hip_headers; then
    archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | awk '/\/debian\/$/ { found = $0 } END { print found }')
    mkdir -p apt/lists/partial apt/cache/archives/partial
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive trixie main" >apt/sources
    cat >apt/config <<END
Dir::Etc::sourcelist "$PWD/apt/sources";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$PWD/apt/lists";
Dir::Cache "$PWD/apt/cache";
Dir::State::status "/dev/null";
APT::Sandbox::User "root";
END
    export APT_CONFIG=$PWD/apt/config
    apt-get update -qq
  fi
  apt-get download -qq -o APT::Sandbox::User=root libamdhip64-dev
}

compile_stub_runtime() { # WORK ROOT
  python3 "$root/scripts/hip-root/stub_runtime.py" "$2/include/hip/amd_detail/hip_api_trace.hpp" >"$1/stub.cpp"
  # Under AMD's version nodes, so that programs linked here are found by AMD's loader to fit, and by the emulator's.
  local functions
  mapfile -t functions < <(grep -o '\b_*hip[A-Za-z0-9_]*(' "$1/stub.cpp" | tr -d '(' | sort -u)
  python3 -B "$root/emulators/amd/runtime/version_script.py" "${functions[@]}" \
    <"$root/emulators/amd/runtime/symbol_versions.txt" >"$1/symbols"
  "$2/llvm/installation/bin/clang++" -O1 -shared -fPIC -Wno-return-type-c-linkage "$1/stub.cpp" \
    -Wl,--version-script="$1/symbols" -Wl,-soname,libamdhip64.so.7 -o "$2/lib/libamdhip64.so.7"
  ln -s libamdhip64.so.7 "$2/lib/libamdhip64.so"

  # hipRTC compiles nothing: its functions answer HIPRTC_ERROR_INTERNAL_ERROR.
  {
    echo 'extern "C" {'
    grep -o '\bhiprtc[A-Z][A-Za-z]*(' "$2/include/hip/hiprtc.h" | tr -d '(' | sort -u | grep -v GetErrorString |
      sed 's/.*/int &() { return 11; }/'
    echo 'const char* hiprtcGetErrorString(int) { return "the small ROCm root has no hipRTC"; }'
    echo '}'
  } >"$1/rtc.cpp"
  "$2/llvm/installation/bin/clang++" -O1 -shared -fPIC "$1/rtc.cpp" -Wl,-soname,libhiprtc.so.7 -o "$2/lib/libhiprtc.so.7"
  ln -s libhiprtc.so.7 "$2/lib/libhiprtc.so"
}
