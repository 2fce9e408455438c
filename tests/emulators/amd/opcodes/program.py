# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The HIP program that executes instructions: it reads operands from a file and writes what came of them to another."""

import re

from memory import FAR, OFFSET, SLOT, Access
from scalar import Scalar
from vector import BEFORE, Form

VECTORS, SCALARS = 1024, 256  # operands of each instruction
KINDS = (
    "word", "near", "small", "shift", "few", "fields", "wide_fields", "half", "half_numbers", "half_pairs", "float", "ordinary", "turns", "double", "scale",
    "float_pairs", "mixed", "classes", "whole_f16", "whole_f16_f32", "whole_bf16", "whole_bf16_f32", "fp8_fp8", "fp8_bf8", "bf8_fp8", "bf8_bf8",
    "plain_f16", "plain_f32", "plain_f64",
    "tiny_f16", "tiny_f32", "tiny_f64", "tiny_f16_scale", "tiny_f32_scale", "tiny_f64_scale", "tiny_to_f16", "tiny_to_f32", "tiny_mixed", "tiny_mixed_f32", "tiny_f32_dot", "tiny_dot",
)  # fmt: skip
TOGETHER = 12  # instructions of a kernel: fewer kernels are less to translate
CLOBBERS = ", ".join(f'"{r}"' for r in ["vcc", "memory", *(f"s{n}" for n in range(20, 28)), *(f"v{n}" for n in range(100, 109))])
HEAD = """// What instructions do: made by tests/emulators/amd/opcodes/program.py.
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
using U32 = std::uint32_t;
using U64 = std::uint64_t;
template <int n> using Words = U32 __attribute__((ext_vector_type(n)));
#if WAVE == 64
using Mask = U64;
#else
using Mask = U32;
#endif
__device__ U32 uniform(U32 x) { return __builtin_amdgcn_readfirstlane(x); }
__device__ U64 uniform64(U64 x) { return uniform(U32(x)) | U64(uniform(U32(x >> 32))) << 32; }
"""


class Target:
    def __init__(self, name: str):
        self.name, self.wave = name, 64 if name.startswith("gfx9") else 32
        self.cdna, self.rdna4 = self.wave == 64, name.startswith("gfx12")
        self.wait = "s_wait_idle" if self.rdna4 else "s_waitcnt vmcnt(0) lgkmcnt(0)"

    def filled(self, text: str) -> str:
        """A text with what depends on the width of waves."""
        wide = self.wave == 64
        names = {
            "n": str(self.wave), "vcc": "vcc" if wide else "vcc_lo", "exec": "exec" if wide else "exec_lo", "keep": "s[20:21]" if wide else "s20",
            "co_": "co_" if self.rdna4 else "", "co": "co_" if self.rdna4 else "", "written": "s[22:23], " if wide else "",
        }  # fmt: skip
        for name, value in names.items():
            text = text.replace("{" + name + "}", value)
        if self.rdna4:
            text = text.replace("s_waitcnt lgkmcnt(0)", "s_wait_dscnt 0x0")
        return quoted(text)


def quoted(text: str) -> str:
    return '"' + text.replace("\n", '\\n"\n      "') + '"'


def vector_case(form: Form, number: int, target: Target) -> str:
    kind = KINDS.index(form.data)
    wide = "64" in form.result or (form.result == "pair" and form.sources[0] == "64")
    register = "s" if form.scalar else "v"
    name = form.name.lower()
    if name.startswith(("v_cmp_", "v_addc_co", "v_subb_co", "v_subbrev_co", "v_add_co", "v_sub_co", "v_subrev_co", "v_cndmask_b32")):
        name += "_e64"
    masked = form.result == "mask"
    text = form.text or f"{name} %0{', %1' if form.carries else ''}{''.join(f', %{n + 2}' for n in range(len(form.sources)))}{form.modifiers}"
    result = '"=&s"(flags)' if masked else f'"+&{register}"(d)'
    sources = []
    for n, source in enumerate(form.sources):
        word = f"x{n}" if source == "64" else f"U32(x{n})"
        sources.append(f'"s"(Mask(__ballot(int(x{n} & 1))))' if source == "m" else f'"v"({word})')
    return f"""  {{  // {form.name}
    const U64 *at = data + {kind} * 3 * {VECTORS} + i, x0 = at[0], x1 = at[{VECTORS}], x2 = at[{2 * VECTORS}];
    (void)x0, (void)x1, (void)x2;
    {'U64' if wide else 'U32'} d = {BEFORE};
    Mask flags = 0, unused = 0;
    asm volatile({target.filled(text)}
      : {result}, "+&s"({'unused' if masked else 'flags'}) : {', '.join(sources)} : {CLOBBERS});
    (void)unused;
    out[({number} * {VECTORS} + i) * 2] = d;
    out[({number} * {VECTORS} + i) * 2 + 1] = flags >> lane & 1;
  }}
"""


def scalar_case(form: Scalar, number: int, target: Target) -> str:
    kind, count = KINDS.index(form.data), len(form.sources)
    words = [f"x{n}" if (bits or target.wave) == 64 else f"U32(x{n})" for n, bits in enumerate(form.sources)]
    listed = (["%0"] if form.result else []) + [f"%{n + 1}" for n in range(count)]
    text = form.text or f"{form.name.lower()} {', '.join(listed)}{form.immediate}"
    # The assembler numbers outputs first: %0 the result, %1 SCC behind, %2 SCC before, %3 ... the sources.
    text = re.sub(r"%([1-9])", lambda m: f"%{int(m[1]) + 2}", text)
    text = f"s_cmp_lg_u32 %2, 0\n {text}\n s_nop 4\n s_cselect_b32 %1, 1, 0"
    return f"""  {{  // {form.name}
    const U64* at = data + {kind} * 3 * {VECTORS} + i;
    const U64 x0 = uniform64(at[0]), x1 = uniform64(at[{VECTORS}]);
    const U32 before = uniform(U32(at[{2 * VECTORS}]) & 1);
    (void)x0, (void)x1;
    {'U64' if form.result == 64 else 'U32'} d = 0;
    U32 after = 0;
    asm volatile({target.filled(text)}
      : "=&s"(d), "=&s"(after) : {', '.join(f'"s"({word})' for word in ['before', *words])} : "scc", {CLOBBERS});
    out[({number} * {SCALARS} + i) * 2] = {'d' if form.result else '0'};
    out[({number} * {SCALARS} + i) * 2 + 1] = after;
  }}
"""


def access_text(a: Access, target: Target) -> str:
    """%0 result, %1 address, %2 data, %3 compared, %4 the buffer."""
    name = a.name.lower()
    offset = f" offset:{OFFSET}"
    if a.space == "S":
        return f"{name} %0, %1, {a.places[0]:#x}"
    if len(a.places) > 1:
        unit = a.bytes * (64 if a.far else 1)
        offset = f" offset0:{a.places[0] // unit} offset1:{(FAR if a.far else a.places[1]) // unit}"
    if a.space == "BUFFER":
        place = f"%1, %4, {'null' if target.rdna4 else '0'} offen{offset}"
        return f"{name} {'%0' if a.action == 'LOAD' else '%2'}, {place}"
    behind = (", off" if a.space in ("GLOBAL", "SCRATCH") else "") + offset
    if a.action == "LOAD":
        return f"{name} %0, %1{behind}"
    if a.action == "STORE":
        return f"{name} %1, %2{', %3' if len(a.places) > 1 else ''}{behind}"
    if a.space == "DS":
        data = "%3, %2" if a.action == "CMPSWAP" and target.cdna else "%2, %3" if a.action == "CMPSWAP" else "%2"
        return f"{name} {'%0, ' if a.returns else ''}%1, {data}{behind}"
    returning = " th:TH_ATOMIC_RETURN" if target.rdna4 else " sc0" if target.name in ("gfx942", "gfx950") else " glc"
    return f"{name} %0, %1, %2{behind}{returning}"


def access_case(a: Access, number: int, target: Target) -> str:
    words = a.registers if a.action in ("LOAD", "STORE") else a.bytes // 4
    together = a.action == "CMPSWAP" and a.space != "DS"  # what is stored, and what is compared, in a row
    data = words // len(a.places) * (2 if together else 1)
    where = {"DS": "U32(U64(lane_tile))", "SCRATCH": "U32(U64(own_at))", "BUFFER": "U32((at - work) * sizeof(U32))", "S": "uniform64(U64(at))"}.get(a.space, "U64(at)")
    register = "s" if a.space == "S" else "v"
    kind = lambda n: "U32" if n == 1 else f"Words<{n}>"  # noqa: E731
    result = "".join(f"out[{n}] = {'d' if words == 1 else f'd[{n}]'};" for n in range(words))
    local = {"DS": ("to_tile", "from_tile"), "SCRATCH": ("to_own", "from_own")}.get(a.space, ("", ""))
    copy = lambda to: {  # noqa: E731
        "to_tile": "for (int j = 0; j < 8; ++j) tile[j] = at[j], tile[8 + j] = tile[FAR_WORDS + j] = at[8 + j];",
        "from_tile": f"for (int j = 0; j < 8; ++j) at[j] = tile[j], at[8 + j] = tile[{'FAR_WORDS' if a.far else '8'} + j];",
        "to_own": "for (int j = 0; j < 16; ++j) own[j] = at[j];",
        "from_own": "for (int j = 0; j < 16; ++j) at[j] = own[j];",
        "": "",
    }[to]  # fmt: skip
    prepare = {
        "DS": "__shared__ U32 tiles[2 * FAR_WORDS]; volatile U32* tile = tiles + threadIdx.x * 16; "
        "const auto lane_tile = (__attribute__((address_space(3))) U32*)tile;",
        "SCRATCH": "volatile U32 own[16]; const auto own_at = (__attribute__((address_space(5))) U32*)own;",
    }.get(a.space, "")
    sources = [f'"{register}"({where})', f'"v"({kind(data)} {{{", ".join(f"x[{n}]" for n in range(data))}}})']
    compared = [f"x[{data + n}]" for n in range(data)]
    sources.append(f'"v"({kind(data)} {{{", ".join(compared)}}})' if not together else '"v"(0)')
    if a.space == "BUFFER":
        sources.append('"s"(buffer)')
    return f"""__global__ void access_{number}(const U32* data, U32* work, U32* results) {{
  // {a.name}
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  U32* const at = work + ({number} * {SCALARS} + i) * 16;
  U32* const out = results + ({number} * {SCALARS} + i) * 16;
  U32 x[8];
  for (int j = 0; j < 8; ++j) x[j] = data[i * 8 + j];
  {prepare} {copy(local[0])}
  const Words<4> buffer = {{uniform(U32(U64(work))), uniform(U32(U64(work) >> 32) & 0xffff), 1u << 30, 0}};
  (void)buffer;
  {kind(words)} d = {BEFORE};
  asm volatile({quoted(access_text(a, target) + chr(10) + ' ' + target.wait)} : "+&{register}"(d) : {', '.join(sources)} : "memory");
  {copy(local[1])}
  {result}
}}
"""


def source(vectors: list[Form], scalars: list[Scalar], accesses: list[Access], target: Target) -> str:
    text, launches = HEAD.replace("WAVE", str(target.wave)), []
    text += f"constexpr int FAR_WORDS = {FAR // 4};\n"
    for name, forms, case, count, threads in (("vectors", vectors, vector_case, VECTORS, 256), ("scalars", scalars, scalar_case, SCALARS, 1)):
        index = "blockIdx.x" if threads == 1 else "blockIdx.x * blockDim.x + threadIdx.x"
        for first in range(0, len(forms), TOGETHER):
            cases = "".join(case(form, first + n, target) for n, form in enumerate(forms[first : first + TOGETHER]))
            text += f"__global__ void {name}_{first}(const U64* data, U64* out) {{\n  const int i = int({index}), lane = int(threadIdx.x) % {target.wave};\n"
            text += f"  (void)lane;\n{cases}}}\n"
            launches.append(f"{name}_{first}<<<{count // threads}, {threads}>>>(data, {name});")
    for number, a in enumerate(accesses):
        text += access_case(a, number, target)
        count, threads = (SCALARS, 1) if a.space == "S" else (SCALARS // 64, 64)
        launches.append(f"access_{number}<<<{count}, {threads}>>>(words, work, results);")
    sizes = {"vectors": len(vectors) * VECTORS * 16, "scalars": len(scalars) * SCALARS * 16}
    sizes["work"] = sizes["results"] = len(accesses) * SCALARS * SLOT
    operands, words = len(KINDS) * 3 * VECTORS * 8, SCALARS * 32
    body = "\n  ".join(launches)
    return text + f"""
// IN: operands, words, work. OUT: what came of it.
int main(int, char** argv) {{
  std::FILE* const in = std::fopen(argv[1], "rb");
  std::vector<char> given({operands + words + sizes["work"]});
  if (in == nullptr || std::fread(given.data(), 1, given.size(), in) != given.size()) return 2;
  const auto device = [&](std::size_t bytes, const char* from) {{
    void* at = nullptr;
    if (hipMalloc(&at, bytes + 1) != hipSuccess || (from ? hipMemcpy(at, from, bytes, hipMemcpyDefault) : hipMemset(at, 0, bytes)) != hipSuccess) std::exit(2);
    return at;
  }};
  const auto data = static_cast<const U64*>(device({operands}, given.data()));
  const auto words = static_cast<const U32*>(device({words}, given.data() + {operands}));
  const auto work = static_cast<U32*>(device({sizes["work"]}, given.data() + {operands + words}));
  const auto vectors = static_cast<U64*>(device({sizes["vectors"]}, nullptr));
  const auto scalars = static_cast<U64*>(device({sizes["scalars"]}, nullptr));
  const auto results = static_cast<U32*>(device({sizes["results"]}, nullptr));
  (void)data, (void)words, (void)work, (void)vectors, (void)scalars, (void)results;
  {body}
  if (const auto status = hipDeviceSynchronize(); status != hipSuccess) {{
    std::printf("%s\\n", hipGetErrorString(status));
    return 1;
  }}
  std::FILE* const to = std::fopen(argv[2], "wb");
  const auto write = [&](const void* at, std::size_t bytes) {{
    std::vector<char> found(bytes);
    if (to == nullptr || hipMemcpy(found.data(), at, bytes, hipMemcpyDefault) != hipSuccess ||
        std::fwrite(found.data(), 1, bytes, to) != bytes) std::exit(2);
  }};
  write(vectors, {sizes["vectors"]});
  write(scalars, {sizes["scalars"]});
  write(work, {sizes["work"]});
  write(results, {sizes["results"]});
  return std::fclose(to);
}}
"""
