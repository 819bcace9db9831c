"""Compares a response with one that a page shows, in which `…` stands for what differs each time."""

from __future__ import annotations

import json
import re

# Marks a list or an object that may contain more.
MORE = "…more"


def pattern(text: str) -> object:
    """Parses JSON as pages show it: with `…` in a text, as a value, and as the last member of an object or list.

    Raises ValueError if it is not JSON apart from that.
    """
    outside = re.split(r'("(?:[^"\\]|\\.)*")', text)
    for place in range(0, len(outside), 2):
        piece = re.sub(r":\s*…", ': "…"', outside[place])
        piece = re.sub(r"\{\s*…\s*\}", '{"%s":0}' % MORE, piece)
        piece = re.sub(r",\s*…\s*\}", ',"%s":0}' % MORE, piece)
        piece = re.sub(r"\[\s*…\s*\]", '["%s"]' % MORE, piece)
        outside[place] = re.sub(r",\s*…\s*\]", ',"%s"]' % MORE, piece)
    return json.loads("".join(outside))


def difference(shown: object, answer: object, place: str = "the answer") -> str | None:
    """Where a response differs from what the page shows, or None."""
    if isinstance(shown, str) and "…" in shown:
        if shown == "…":
            return None
        wild = ".*".join(re.escape(part) for part in shown.split("…"))
        is_like = isinstance(answer, str) and re.fullmatch(wild, answer, re.DOTALL)
        return None if is_like else f"{place} is {answer!r}, and not {shown!r}"
    if isinstance(shown, dict) and isinstance(answer, dict):
        names = set(shown) - {MORE}
        if missing := names - set(answer):
            return f"{place} has no {sorted(missing)}"
        if MORE not in shown and (more := set(answer) - names):
            return f"{place} has {sorted(more)}, too"
        return next((said for name in sorted(names) if (said := difference(shown[name], answer[name], f"{place}.{name}"))), None)
    if isinstance(shown, list) and isinstance(answer, list):
        known = [each for each in shown if each != MORE]
        if len(known) > len(answer) or len(known) < len(answer) and len(known) == len(shown):
            return f"{place} has {len(answer)} members, and not {len(known)}"
        pairs = enumerate(zip(known, answer))
        return next((said for number, pair in pairs if (said := difference(*pair, f"{place}[{number}]"))), None)
    same = shown == answer and isinstance(shown, bool) == isinstance(answer, bool)
    return None if same else f"{place} is {answer!r}, and not {shown!r}"
