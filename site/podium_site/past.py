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
    begins = [_begins(*pair) for pair in zip([None, *parts], parts)]
    drawn = [(words, [_drawn(p, href) for p in points]) for words, points in zip(begins, parts)]
    listed = "; ".join(_words(p.row) for points in parts for p in points)
    last = parts[-1][-1].best
    words = f"{label}: the fastest of {sum(map(len, parts))} runs"
    words += f" in {len(parts)} revisions" if len(parts) > 1 else ""
    return charts.history(drawn, f"{words}: {listed}. Best now: {last.name} with {text.time(last.time)}.")


def _begins(before, points):
    """What a list of points begins with that the one before it has not."""
    board = points[0].row.board
    if before is None or before[0].row.board.revision != board.revision:
        return f"revision {board.revision[:8] or 'unknown'}"
    return "other workloads" if before[0].row.board.workloads != board.workloads else "another method"


def _drawn(point, href):
    row = point.row
    title = _words(row)
    if not point.is_best:
        title += f"; best so far {point.best.name} {text.time(point.best.time)}"
    return charts.Run(point.index, row.board.run.date, row.time, *row.interval, point.best.time, point.is_best, title, href(row))


def _words(row):
    return f"{row.board.run.date} {row.name} {text.time(row.time)}" + text.interval(*row.interval)
