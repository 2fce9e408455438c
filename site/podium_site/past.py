# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The best time so far on a board, over runs."""

from dataclasses import dataclass

from . import charts, text


@dataclass
class Point:
    index: int  # of the run among those of this board
    row: object  # the fastest of this run
    best: object  # the fastest so far
    is_best: bool  # whether this run set it


def fastest(board):
    return min((row for row in board.ranked if row.time is not None), key=lambda r: (r.time, r.name), default=None)


def comparable(board):
    """What two boards must share for their times to compare."""
    return (board.revision, board.stage, board.run.level, tuple(board.workloads))


def segments(boards, stage):
    """Lists of points of one stage; another revision of the problem, or other workloads, begin a new list."""
    result, shared, best = [], None, None
    for index, board in enumerate(board for board in boards if board.stage == stage):
        row = fastest(board)
        if row is None:
            continue
        if comparable(board) != shared:
            shared, best = comparable(board), None
            result.append([])
        is_best = best is None or row.time < best.time
        best = row if is_best else best
        result[-1].append(Point(index, row, best, is_best))
    return result


def chart(boards, stage, href, label):
    """`href`: of a row's source, or None. Empty without two runs."""
    parts = segments(boards, stage)
    if sum(map(len, parts)) < 2:
        return ""
    series = []
    for points in parts:
        drawn = []
        for p in points:
            title = f"{p.row.board.run.date}: {p.row.name} {text.time(p.row.time)}"
            if not p.is_best:
                title += f"; best so far {p.best.name} {text.time(p.best.time)}"
            drawn.append((p.index, p.best.time, title, href(p.best), p.is_best, p.row.board.run.date))
        series.append((points[0].row.board.revision[:8] or "revision unknown", drawn))
    last = parts[-1][-1].best
    words = f"{label}: best so far over {sum(map(len, parts))} runs"
    words += f" in {len(parts)} revisions" if len(parts) > 1 else ""
    return charts.history(series, f"{words}; now {last.name} with {text.time(last.time)}.")
