// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What compiled device code says of its kernels, read from its bytes: no GPU, driver or vendor's tool is
// asked.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podium::compile {

struct KernelInfo {
  std::string name;            // as it is looked up: mangled, unless it is extern "C"
  std::vector<int> arguments;  // bytes of each, in order
  int most_threads = 0;        // of a block, as its launch bounds say; 0: not said
  int hidden = 0;              // bytes of arguments that it does not list: a launcher of its own fills them
  std::array<std::uint32_t, 3> block{};    // that it must be launched with; zeros: any
  std::array<std::uint32_t, 3> cluster{};  // blocks of a cluster; zeros: none
};

struct CodeObject {
  std::string architecture;  // "sm_90", "gfx942"
  std::vector<KernelInfo> kernels;
};

// Of a cubin, or of AMD's code object. Throws podium::Error, a sentence without place: "found …, expected …".
// Sources: cuda-binary-utilities' cuobjdump -elf, for the attributes EIATTR_KPARAM_INFO, EIATTR_MAX_THREADS,
// EIATTR_REQNTID and EIATTR_CLUSTER_DIM of sections .nv.info.*; "User Guide for AMDGPU Backend" of LLVM, for
// the note NT_AMDGPU_METADATA, versions 3 to 6.
CodeObject read_code(std::string_view bytes);

// Of a library that emulators/nvidia/compile made for an emulated device: what stands there for a cubin.
// Throws podium::Error, a sentence without place.
CodeObject read_translated(std::string_view bytes);

enum class CodeForm { cubin, ptx, fatbin, amd, amd_bundle, unknown };
CodeForm form_of(std::string_view bytes);

// The target that a PTX text states, "sm_90a"; "" if none.
std::string ptx_target(std::string_view text);

// What of a container (NVIDIA's fatbin, clang's offload bundle) is for a device of `architecture`: machine
// code where there is some, else, of a fatbin, PTX; where `translated`, PTX where there is some. Code that is
// in no container is returned as it is; what a fatbin compresses is decompressed. Throws podium::Error, a
// sentence without place: nothing is for that device, it is damaged, or a bundle is compressed.
std::string extract(std::string_view container, const std::string& architecture, bool translated = false);

}  // namespace podium::compile
