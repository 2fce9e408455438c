# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Forms whose operands are memory: their content as bytes, results that are bytes, and the PTX around a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .operands import WIDTH

LANES = 128
ROW = 4 * LANES  # bytes that all lanes move at once, a word each
UNTOUCHED = 0xA5  # in every byte of a box that nothing was copied to


def content(rows: Sequence[tuple], kinds: Sequence[str]) -> bytes:
    """The operands as they lie in memory, a column behind the other."""
    return b"".join(row[i].to_bytes(WIDTH[kind] // 8, "little") for i, kind in enumerate(kinds) for row in rows)


def answers(data: Sequence[int | None], blocks: int = 1) -> list[tuple]:
    """Each lane's words of the blocks' bytes, one block behind the other; None in one of its bytes leaves a word open."""
    threads, each = LANES // blocks, len(data) // blocks
    found = []
    for lane in range(LANES):
        begin = lane // threads * each + lane % threads * 4
        words = (data[at : at + 4] for at in range(begin, (lane // threads + 1) * each, 4 * threads))
        found.append(tuple(None if None in word else int.from_bytes(bytes(word), "little") for word in words))
    return found


def expecting(kinds: Sequence[str], result: Callable[[bytes], Sequence[int | None]], blocks: int = 1):
    """What Form.expected is, of a function of bytes."""
    return lambda rows: answers(result(content(rows, kinds)), blocks)


def sync(blocks: int = 1) -> str:
    return "bar.sync 0;" if blocks == 1 else "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"


def filled(size: int, blocks: int = 1) -> str:
    """%word and %p, which all but each block's first thread have; a box in which nothing lies yet."""
    text = f"{sync(blocks)} shl.b32 %word, %t, 2; add.u32 %word, %box, %word; setp.ne.u32 %p, %t, 0;\n"
    return text + "".join(f"st.shared.b32 [%word+{at}], 0x{UNTOUCHED:02x}{UNTOUCHED:02x}{UNTOUCHED:02x}{UNTOUCHED:02x}; "
                          for at in range(0, size, ROW // blocks)) + "\n"  # fmt: skip


def begun(size: int, expected: int, blocks: int = 1) -> str:
    """That, and an mbarrier in each block which expects bytes."""
    return (f"{filled(size, blocks)}@!%p mbarrier.init.shared::cta.b64 [%bar], 1;\nfence.mbarrier_init.release.cluster;\n"
            f"fence.proxy.async;\n{sync(blocks)}\n@!%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], {expected};\n")  # fmt: skip


# Of a wait: what never comes must not stop a recording.
_TRIES, _TIME = 2000, 2000  # how often, and a try's nanoseconds
WAIT = (f"mov.u32 %tries, 0;\nWAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], 0, {_TIME};\nadd.u32 %tries, %tries, 1;\n"
        f"setp.gt.u32 %late, %tries, {_TRIES}; or.pred %q, %q, %late;\n@!%q bra WAIT;\n")  # fmt: skip


def waited(result: str, type_: str, at: str = "%more", parity: int = 0) -> tuple[str, str]:
    """A wait for an mbarrier of a lane's own; and what makes a result of it where it was in vain, to be put behind the results."""
    return (f"WAIT: mbarrier.try_wait.parity.shared::cta.b64 %w, [{at}], {parity}, {_TIME}; add.u32 %tries, %tries, 1; setp.gt.u32 %late, %tries, {_TRIES}; "
            "or.pred %late, %late, %w; @!%late bra WAIT;", f"@!%w not.{type_} {result}, {result};")  # fmt: skip


OF_WAITS = ".reg .pred %w, %late; .reg .b32 %tries; mov.u32 %tries, 0; "


def read_back(size: int, blocks: int = 1) -> str:
    """The box as results; with the first word inverted where it was waited for in vain."""
    step = ROW // blocks
    names = ["%d"] if size == step else [f"%d{i}" for i in range(size // step)]
    return "".join(f"ld.shared.b32 {name}, [%word+{i * step}]; " for i, name in enumerate(names)) + f"\n@%late not.b32 {names[0]}, {names[0]};\n"


def scoped(text: str) -> str:
    return "{ .reg .b32 %word, %v, %tries; .reg .b64 %g; .reg .b16 %h; .reg .pred %p, %q, %late;\nsetp.ne.u32 %late, 0, 0;\n" + text + "}"


def placed(results: int, box: int) -> str:
    """The operands' first bytes where the results will be, the next in the box."""
    text = f"{sync()} shl.b32 %word, %t, 2; add.u32 %word, %box, %word; setp.ne.u32 %p, %t, 0; shl.b64 %g, %wide, 2; add.u64 %g, %in, %g;\n"
    for at in range(0, results, ROW):
        text += f"ld.global.b32 %v, [%g+{at}]; st.global.b32 [%place+{at}], %v; "
    for at in range(0, box, ROW):
        text += f"ld.global.b32 %v, [%g+{results + at}]; st.shared.b32 [%word+{at}], %v; "
    return text + f"\nfence.proxy.async;\n{sync()}\n"


COMMITTED = "@!%p cp.async.bulk.commit_group;\n@!%p cp.async.bulk.wait_group 0;\n"
