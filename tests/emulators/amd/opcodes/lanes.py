# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Vector instructions in which other lanes have a part, and division, which takes several: in the words of AMD's
instruction set guides. All lanes are on; lanes that are off are in lanes.hip, a level above."""

from numbers_of import divided, value
from vector import BEFORE, low, vector


def across(names: str, result: str, sources: str, of, **more) -> None:
    """`of` takes the lists of the wave's operands, and the lane."""
    vector(names, result, sources, of, of_wave=True, **more)


across("V_READFIRSTLANE_B32", "u32", "32", lambda a, lane: a[0], scalar=True)
across("V_READLANE_B32", "u32", "32", lambda a, lane: a[11], scalar=True, modifiers=", 11")
# The value is a scalar: the first lane's.
across("V_WRITELANE_B32", "u32", "32", lambda a, lane: a[0] if lane == 5 else BEFORE, text="v_readfirstlane_b32 s20, %2\n s_nop 4\n v_writelane_b32 %0, s20, 5")
vector("V_MBCNT_LO_U32_B32", "u32", "32 32", lambda a, b, lane: low((a[lane] & (1 << min(lane, 32)) - 1).bit_count() + b[lane]), of_wave=True)
vector("V_MBCNT_HI_U32_B32", "u32", "32 32", lambda a, b, lane: low((a[lane] & (1 << max(lane - 32, 0)) - 1).bit_count() + b[lane]), of_wave=True)
# Through LDS's crossbar, and from a lane by its address in bytes, or to it.
across("DS_BPERMUTE_B32", "u32", "32 32", lambda a, b, lane: b[(a[lane] >> 2) % len(a)], modifiers="\n s_waitcnt lgkmcnt(0)")
swizzled = " offset:0x041f\n s_waitcnt lgkmcnt(0)"  # lane ^ 1
across("DS_SWIZZLE_B32", "u32", "32", lambda a, lane: a[lane ^ 1], modifiers=swizzled)
# Sixteen selectors of four bits: lane n of a row takes that lane of its own row, or of the row beside it.
SELECTORS = (0x76543210 ^ 0x35A1F08C, 0xFEDCBA98 ^ 0x1C7E2B94)
permuted = "s_mov_b32 s20, 0x{:x}\n s_mov_b32 s21, 0x{:x}\n {} %0, %2, s20, s21"


def selected(lane: int) -> int:
    return (SELECTORS[0] | SELECTORS[1] << 32) >> 4 * (lane % 16) & 15


across("V_PERMLANE16_B32", "u32", "32", lambda a, lane: a[lane // 16 * 16 + selected(lane)], text=permuted.format(*SELECTORS, "v_permlane16_b32"))
across("V_PERMLANEX16_B32", "u32", "32", lambda a, lane: a[(lane // 16 ^ 1) * 16 + selected(lane)], text=permuted.format(*SELECTORS, "v_permlanex16_b32"))
across("V_PERMLANE64_B32", "u32", "32", lambda a, lane: a[lane ^ 32] if len(a) == 64 else a[lane])
swap = "v_mov_b32 %0, %2\n v_mov_b32 v100, %3\n v_swap_b32 %0, v100\n v_lshlrev_b32 v100, 1, v100\n v_xor_b32 %0, %0, v100"
vector("V_SWAP_B32", "u32", "32 32", lambda a, b: b ^ low(a << 1), text=swap)

# The odd rows of the first with the even ones of the second.
swap_rows = swap.replace("v_swap_b32", "s_nop 1\n v_permlane16_swap_b32")
across(
    "V_PERMLANE16_SWAP_B32", "u32", "32 32",
    lambda a, b, lane: b[lane - 16] ^ low(b[lane] << 1) if lane // 16 % 2 else a[lane] ^ low(a[lane + 16] << 1),
    text=swap_rows,
)  # fmt: skip

# a / b in the four steps that compilers write for f32, five for f64, is the nearest number to the exact quotient:
# what each step leaves to the next is the machine's own affair.
DIVISION = {
    "f32": """v_div_scale_f32 v100, {vcc}, %3, %3, %2
 v_div_scale_f32 v101, {vcc}, %2, %3, %2
 v_rcp_f32 v102, v100
 s_nop 4
 v_fma_f32 v103, -v100, v102, 1.0
 v_fma_f32 v102, v103, v102, v102
 v_mul_f32 v103, v101, v102
 v_fma_f32 v104, -v100, v103, v101
 v_fma_f32 v103, v104, v102, v103
 v_fma_f32 v104, -v100, v103, v101
 s_nop 4
 v_div_fmas_f32 v104, v104, v102, v103
 v_div_fixup_f32 %0, v104, %3, %2""",
    "f64": """v_div_scale_f64 v[100:101], {vcc}, %3, %3, %2
 v_div_scale_f64 v[102:103], {vcc}, %2, %3, %2
 v_rcp_f64 v[104:105], v[100:101]
 s_nop 4
 v_fma_f64 v[106:107], -v[100:101], v[104:105], 1.0
 v_fma_f64 v[104:105], v[104:105], v[106:107], v[104:105]
 v_fma_f64 v[106:107], -v[100:101], v[104:105], 1.0
 v_fma_f64 v[104:105], v[104:105], v[106:107], v[104:105]
 v_mul_f64 v[106:107], v[102:103], v[104:105]
 v_fma_f64 v[100:101], -v[100:101], v[106:107], v[102:103]
 s_nop 4
 v_div_fmas_f64 v[104:105], v[100:101], v[104:105], v[106:107]
 v_div_fixup_f64 %0, v[104:105], %3, %2""",
}
for kind, text in DIVISION.items():
    width = "64" if kind == "f64" else "32"
    for step in ("SCALE", "FMAS", "FIXUP"):
        of = lambda a, b, k=kind: divided(value(a, k), value(b, k), k)  # noqa: E731
        vector(f"V_DIV_{step}_{kind.upper()}", kind, f"{width} {width}", of, text=text, data="float" if kind == "f32" else "double")
