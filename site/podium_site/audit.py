# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What a run checked, how often, and what it refused: from the document's audit, or from the tables of an older one."""

from markupsafe import Markup

from . import text

# What a verdict means that blames nobody.
_LISTED = ("checked", "verified", "refused", "excused", "verdicts", "attested", "unattested")


def grouped(count):
    return f"{count:,.0f}".replace(",", " ")


def counted(count, word):
    """1 run, 2 runs: the number, grouped, and its word."""
    return grouped(count), word if count == 1 else f"{word}s"


def samples_of(run):
    """Calls that were checked; of an older Podium those that were timed, but in a run that only verified."""
    return text.number(checked(run).get("calls")) or text.number(run.audit.get("samples")) or text.number((run.run.get("spent") or {}).get("samples")) or 0


def checked(run):
    """What the judge counted; nothing in a run of an older Podium."""
    return run.audit.get("checked") or {}


def attested(run):
    if run.audit.get("attested") is True:
        return "yes: the sandbox kept contestants from the judge"
    why = run.audit.get("unattested")
    return f"no: {why}" if why else ""


def resumptions(run):
    """When the run, or a shard of its campaign, was resumed, and with which commit."""
    begun, resumed = set(), []
    for segment in run.run.get("segments") or []:
        shard = segment.get("shard") or ""
        if shard in begun:
            of = f"shard {shard}: " if shard else ""
            resumed.append(f"{of}{segment.get('started') or '?'}, commit {segment.get('commit') or 'unknown'}")
        begun.add(shard)
    return "; ".join(resumed)


def shards(run):
    """How many shards of a campaign the run was collected from, and from which nodes."""
    segments = [segment for segment in run.run.get("segments") or [] if segment.get("shard")]
    if not segments:
        return ""
    number, word = counted(len({segment["shard"] for segment in segments}), "shard")
    nodes = sorted({segment["node"] for segment in segments if segment.get("node")})
    return f"{number} {word}" + (f" on {', '.join(nodes)}" if nodes else "")


def provenance(run):
    """Pairs of what and its value."""
    record = run.run
    compilers = [
        " ".join([f"{c.get('backend', '')}: {c.get('version', '')}", *map(str, c.get("flags") or [])])
        for c in record.get("compilers") or []
    ]
    seed = str(record.get("order_seed") or "")
    return [
        ("Podium", f"{record.get('podium', '')}, commit {run.commit or 'unknown'}"),
        ("started", run.started), ("wall time", text.seconds(record.get("wall_seconds"))),
        ("driver", record.get("driver")), ("kernel", record.get("kernel")), ("processor", record.get("cpu")),
        ("compilers", Markup("<br>").join(compilers)), ("calibrated", record.get("calibrated")),
        ("rounds", record.get("rounds")), ("collected from", shards(run)), ("resumed", resumptions(run)),
        ("order of contestants", f"seed {seed}" if seed.strip("0") else ""),
        ("id", run.id),
    ]  # fmt: skip


def checks(run):
    """Pairs of what and how often."""
    canaries = [b.raw.get("canary") or {} for b in run.boards]
    conditions = [b.raw.get("conditions") or {} for b in run.boards]
    rows = [row for board in run.boards for row in board.rows]
    total = lambda parts, key: sum(text.number(part.get(key)) or 0 for part in parts)
    audited = lambda key: text.number(run.audit.get(key))
    errors = [row.value("worst_error") for row in rows if row.value("worst_error") is not None]
    worst = audited("worst_error")
    worst = worst if worst is not None else max(errors, default=None)
    samples, entries = samples_of(run), total(canaries, "entries")
    discarded, slow = (audited(key) if audited(key) is not None else total(conditions, key) for key in ("discarded", "slow"))
    judged = [f"{row.name} in {row.board.problem} {row.board.types}" for row in rows if row.raw.get("judged") is True]
    pairs = [
        ("calls, each checked", grouped(samples) if samples else ""),
        *_checked(checked(run)),
        ("entries that verified test workloads", grouped(audited("verifications")) if audited("verifications") else ""),
        ("entries that were timed", grouped(audited("timed_entries")) if audited("timed_entries") else ""),
        ("verdicts", ", ".join(f"{name} {grouped(n)}" for name, n in sorted((run.audit.get("verdicts") or {}).items()) if text.number(n))),
        ("largest error of what was right", "" if worst is None else f"{worst:.2f} of its limit"),
        ("elements that may hold anything", grouped(audited("left_out")) if audited("left_out") else ""),
        ("canaries before entries", f"{grouped(entries)}; {total(canaries, 'put_off'):.0f} entries waited, {total(canaries, 'disturbed'):.0f} began disturbed" if entries else ""),
        ("samples with a low clock", f"{discarded:.0f} discarded, {slow:.0f} counted" if any(board.timed for board in run.boards) and any(conditions) else ""),
        ("entries with the judge's times", f"{audited('judged'):.0f}" if audited("judged") else ""),
        ("rows with the judge's times", ", ".join(judged)),
        ("judge's clock", _clock(run)),
        ("attested", attested(run)),
        ("calls can be repeated", {True: "yes: their seeds are in the record", False: "no: the record holds no seeds"}.get(run.audit.get("seeds_revealed"), "")),
    ]  # fmt: skip
    known = {"samples", "discarded", "slow", "judged", "left_out", "worst_error", "entries", "timed_entries", "verifications", "seeds_revealed", *_LISTED}
    # What a newer Podium counts is shown by its own name.
    pairs += [(key.replace("_", " "), str(value)) for key, value in sorted(run.audit.items()) if key not in known and value]
    return pairs


# What the judge counts of what it checked, in words.
_CHECKED = (
    ("elements", "elements of outputs, each looked at for poison, infinities and NaN"),
    ("compared", "of these compared with a reference"),
    ("examined", "elements and results that checks of the whole answer looked at"),
    ("bytes", "bytes of guards and inputs, held against what they were before the call"),
)


def _checked(counts):
    counts = counts if isinstance(counts, dict) else {}
    return [(words, grouped(text.number(counts[key]))) for key, words in _CHECKED if text.number(counts.get(key))]


def _clock(run):
    most = lambda key: max((v for v in (text.number(b.record.get(key)) for b in run.boards) if v is not None), default=None)
    overhead, tolerance = most("judge_overhead"), most("tolerance")
    if overhead is None or tolerance is None:
        return ""
    return f"overhead at most {text.time(overhead)}, known within {text.time(tolerance)}"


def refusals(run):
    """What was refused and why: as recorded, or else the rows that have no place in a ranking."""
    recorded = run.audit.get("refused")
    if isinstance(recorded, list):
        return [
            {
                "problem": str(one.get("problem", "")),
                "types": str(one.get("types", "")),
                "contestant": str(one.get("contestant", "")),
                "verdict": one.get("verdict") or "",
                "failure": one.get("failure") is True,
                "count": one.get("count"),
                "workloads": ", ".join(map(str, one.get("workloads") or [])),
                "text": one.get("text") or "",
            }
            for one in recorded
        ]
    return [
        {
            "problem": row.board.problem, "types": row.board.types, "contestant": row.name,
            "verdict": row.raw.get("verdict") or row.standing, "failure": row.standing == "failed",
            "count": None, "workloads": "", "text": row.raw.get("text") or "",
        }
        for board in run.boards
        for row in board.standing("failed", "declined")
    ]  # fmt: skip


def verifications(run):
    """Of each contestant on each board: on how many workloads it was right, and where it came nearest to a limit."""
    lines = []
    for one in run.audit.get("verified") or []:
        workloads = one.get("workloads") or []
        worst = max(workloads, key=lambda w: text.number(w.get("worst_error")) or 0, default={})
        error = text.number(worst.get("worst_error"))
        lines.append(
            {
                "problem": str(one.get("problem", "")),
                "types": str(one.get("types", "")),
                "contestant": str(one.get("contestant", "")),
                "emulated": one.get("emulated") is True,
                "count": len(workloads),
                "elements": sum(text.number((w.get("checked") or {}).get("elements")) or 0 for w in workloads),
                "error": text.DASH if error is None else f"{error:.2f}",
                "sort": "" if error is None else f"{error:.9g}",
                "words": f"{worst.get('workload', '')}: {worst['text']}" if worst.get("text") else "",
            }
        )
    return lines


def refused_words(refused):
    kinds = {one["failure"] for one in refused}
    return {frozenset({False}): "Not available here", frozenset({True, False}): "Refused or not available here"}.get(frozenset(kinds), "Refused")
