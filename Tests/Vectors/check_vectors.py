#!/usr/bin/env python3
"""Check docs/vectors/audiences.json against a reader written from docs/audiences.md and docs/flags.md alone."""
import json, pathlib, re, sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

KEYLESS = "TARGETING_KEY_MISSING"  # a fourth truth value, next to True, False and None (cannot be evaluated)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
KNOWN_KEYS = set("""about buckets versions noVersions ranges noRanges locales noLocales texts moments noMoments recurrences audiences
    proved context now conditions noConditions flags evaluations noContexts unreadable""".split())
LANGUAGES = {}  # languages.json

class Refused(Exception):
    """The input is not valid."""

def need(condition, expected):
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(f"expected {expected}")

def need_match(pattern, text, expected):
    match = isinstance(text, str) and re.fullmatch(pattern, text)
    need(match, expected)
    return match

def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)

def is_scalar(value):
    return isinstance(value, (str, int, float))

def same(a, b):
    """Equality of JSON values, in which true is not 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and a == b

# Buckets

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

def rotate(x, bits):
    return (x << bits | (x & MASK) >> 64 - bits) & MASK

def mix(lane, word):
    return rotate(lane + word * P2 & MASK, 31) * P1 & MASK

def xxhash64(data):
    """xxHash64 with the seed 0."""
    at, size, h = 0, len(data), P5
    word = lambda at, width: int.from_bytes(data[at:at + width], "little")
    if size >= 32:
        lanes = [P1 + P2 & MASK, P2, 0, -P1 & MASK]
        for at in range(0, size - 31, 32):
            lanes = [mix(lane, word(at + 8 * i, 8)) for i, lane in enumerate(lanes)]
        at, h = at + 32, sum(map(rotate, lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = (h ^ mix(0, lane)) * P1 + P4 & MASK
    h = h + size & MASK
    while at + 8 <= size:
        h, at = rotate(h ^ mix(0, word(at, 8)), 27) * P1 + P4 & MASK, at + 8
    if at + 4 <= size:
        h, at = rotate(h ^ word(at, 4) * P1 & MASK, 23) * P2 + P3 & MASK, at + 4
    for byte in data[at:]:
        h = rotate(h ^ byte * P5 & MASK, 11) * P1 & MASK
    h = (h ^ h >> 33) * P2 & MASK
    h = (h ^ h >> 29) * P3 & MASK
    return h ^ h >> 32

def bucket_of(salt, key):
    return (xxhash64(f"{salt}/{key}".encode()) >> 32) * 100_000 >> 32

# Versions, ranges, locales

SUFFIX = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"

def parse_version(text):
    """Return the numbers as written, and a key that sorts as Semantic Versioning does."""
    match = need_match(rf"[vV]?([0-9]{{1,9}}(?:\.[0-9]{{1,9}}){{0,3}})(?:-({SUFFIX}))?(?:\+{SUFFIX})?", text, "a version")
    numbers = [int(n) for n in match[1].split(".")]
    suffix = [(0, int(s), "") if s.isdigit() else (1, 0, s) for s in match[2].split(".")] if match[2] else []
    return numbers, (numbers + [0] * (4 - len(numbers)), not suffix, suffix)

def parse_range(text):
    """Return choices, each a list of (operator, numbers, key)."""
    need(isinstance(text, str) and all(map(str.split, text.split("||"))), "versions such as >=2.3 <3")
    bounds = lambda choice: [need_match("(>=|<=|>|<|=|)([^<>=].*)", bound, "a bound") for bound in choice.split()]
    return [[(bound[1], *parse_version(bound[2])) for bound in bounds(choice)] for choice in text.split("||")]

def bound_holds(bound, key):
    """In a bound without a suffix, numbers that are left out may have any value, so only the written ones are compared."""
    operator, numbers, limit = bound
    begin, end = (key[0][:len(numbers)], numbers) if limit[1] else (key, limit)
    equal = begin == end and key >= limit
    return {">=": key >= limit, "<": key < limit, ">": begin > end, "<=": begin <= end}.get(operator, equal)

def in_range(choices, text):
    return any(all(bound_holds(bound, parse_version(text)[1]) for bound in choice) for choice in choices)

def present_region(code):
    return LANGUAGES["regions"].get(code.upper(), code.upper())

def parse_locale(text):
    """Return language, stated script, likely script and region, in present codes; "" for what is not stated."""
    match = need_match("([A-Za-z]{2,3}(?:[-_][0-9A-Za-z]{1,8})*)(?:@.*)?", text, "a locale")
    language, *others = re.split("[-_]", match[1])
    script = others.pop(0).title() if others and re.fullmatch("[A-Za-z]{4}", others[0]) else ""
    region = present_region(others[0]) if others and re.fullmatch("[A-Za-z]{2}|[0-9]{3}", others[0]) else ""
    language, *scripts = LANGUAGES["aliases"].get(language.lower(), language.lower()).split("-")
    script = script or "".join(scripts)
    likely = [name for tag in (f"{language}-{region}", language) for name, tags in LANGUAGES["scripts"].items() if tag in tags]
    return language, script, script or (likely + ["Latn"])[0], region

def wider(tag):
    return next((parent for parent, tags in LANGUAGES["parents"].items() if tag in tags), None)

def distance(wide, narrow):
    """How far a text is from a reader, to be compared; None if it does not cover them."""
    language, script, likely, region = wide
    regions, tag = [narrow[3]], f"{narrow[0]}-{narrow[3]}"
    while narrow[3] and (tag := wider(tag)):
        regions.append(tag.split("-")[1])
    if script not in ("", narrow[2]) or language not in (narrow[0], wider(narrow[0])) or region and region not in regions:
        return None
    return likely != narrow[2], language != narrow[0], regions.index(region) if region in regions else len(regions)

def covers(wide, narrow):
    return distance(wide, narrow) is not None

def choose(texts, locales):
    """The nearest of the tags to the first locale that one of them covers; else the first."""
    alike = lambda tag: tag.replace("_", "-").lower()
    for locale in locales:
        steps = [(distance(parse_locale(tag), parse_locale(locale)), alike(tag) != alike(locale), place) for place, tag in enumerate(texts)]
        if found := [step for step in steps if step[0] is not None]:
            return texts[min(found)[2]]
    return texts[0]

# Moments, recurrences

def parse_zone(name):
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError, AttributeError) as error:
        raise Refused("expected a time zone") from error

def parse_day(text):
    try:
        return datetime.strptime(need_match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, "a day")[0], "%Y-%m-%d").date()
    except ValueError as error:
        raise Refused("expected a day") from error

def day_at(now, zone):
    """The day on the calendar of a client; None if its time zone is not known."""
    try:
        return (EPOCH + timedelta(milliseconds=now)).astimezone(parse_zone(zone)).date()
    except Refused:
        return None

def wall_moment(wall, zone):
    """The milliseconds at which clocks first show this time, or at which they are put forward past it."""
    offset = lambda moment: moment.astimezone(zone).utcoffset()
    early, late = sorted(wall.replace(tzinfo=timezone.utc) - wall.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1))
    if late.astimezone(zone).replace(tzinfo=None) != wall:
        while late - early > timedelta(seconds=1):  # There is one change of the offset between the two: find it.
            middle = early + (late - early) // timedelta(seconds=2) * timedelta(seconds=1)
            early, late = (early, middle) if offset(middle) == offset(late) else (middle, late)
        early = late
    return (early - EPOCH) // timedelta(milliseconds=1)

def parse_clock(text):
    """The time since the start of the day."""
    match = need_match("([0-2][0-9]):([0-5][0-9])", text, "a time of day")
    clock = timedelta(hours=int(match[1]), minutes=int(match[2]))
    need(clock <= timedelta(days=1), "a time of day")
    return clock

def parse_moment(text):
    offset = r"(?:[Zz]|([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?)"
    form = rf"([0-9-]{{10}})(?:[Tt ]([0-9:]{{8}})(\.[0-9]+)?{offset}| ([0-9:]{{5}}) (\S+))"
    match = need_match(form, text, "a moment")
    try:
        day = datetime.strptime(match[1], "%Y-%m-%d")
        if match[8]:
            return wall_moment(day + parse_clock(match[7]), parse_zone(match[8]))
        seconds = datetime.strptime(f"{match[1]} {match[2]}", "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc) - EPOCH
        if match[4]:
            ahead = timedelta(hours=int(match[5]), minutes=int(match[6] or 0))
            seconds += ahead if match[4] == "-" else -ahead
        return seconds // timedelta(milliseconds=1) + int((match[3] or ".")[1:4].ljust(3, "0"))
    except (ValueError, OverflowError) as error:
        raise Refused("expected a moment") from error

def parse_recurrence(doc):
    """Return a function that lists the windows [begin, end) which may overlap the time between two moments."""
    need(isinstance(doc, dict) and doc.keys() <= {"days", "from", "until", "zone"}, "a recurrence")
    zone, days = parse_zone(doc.get("zone")), doc.get("days")

    def parse_day(text):
        match = need_match("([0-9]{2}-[0-9]{2})(?: ([0-9:]{5}))?", text, "a day such as 12-24 18:00")
        try:
            day = date.fromisoformat(f"2000-{match[1]}")
        except ValueError as error:
            raise Refused("expected a day of the year") from error
        return day.month, day.day, parse_clock(match[2] or "00:00")

    def in_year(year, day):
        start = datetime(year, 3, 1) if day[:2] == (2, 29) and (year % 4 or not year % 100 and year % 400) else datetime(year, *day[:2])
        return start + day[2]

    if "days" in doc:
        need(isinstance(days, list) and days and all(day in WEEKDAYS for day in days), "days such as sat")
        begin, end = parse_clock(doc.get("from", "00:00")), parse_clock(doc.get("until", "24:00"))
        end += timedelta(days=end <= begin)
    else:
        begin, end = parse_day(doc.get("from")), parse_day(doc.get("until"))

    def windows(first, last):
        first, last = ((EPOCH + timedelta(milliseconds=m, days=d)).replace(tzinfo=None) for m, d in ((first, -3), (last, 2)))
        if days:
            starts = (datetime(first.year, first.month, first.day) + timedelta(days=n) for n in range((last - first).days + 2))
            walls = [(start + begin, start + end) for start in starts if WEEKDAYS[start.weekday()] in days]
        else:
            walls = [(in_year(y, begin), in_year(y + (end <= begin), end)) for y in range(first.year - 1, last.year + 1)]
        return [(wall_moment(start, zone), wall_moment(stop, zone)) for start, stop in walls]
    return windows

def recurs_at(windows, now):
    return any(begin <= now < end for begin, end in windows(now, now))

# Conditions: judged to True, False, None or KEYLESS

def all_of(values):
    """False takes precedence; then a missing targetingKey; then a value that cannot be evaluated."""
    return next((value for value in (False, KEYLESS, None) if value in values), True)

def negated(value):
    return not value if isinstance(value, bool) else value

def any_of(values):
    return negated(all_of([negated(value) for value in values]))

def names(value, pattern="(?s:.+)"):
    """A string or a list of strings, as a list."""
    values = value if isinstance(value, list) else [value]
    need(0 < len(values) <= 1000, "1 to 1,000 values")
    return [need_match(pattern, v, "a name or a list")[0] for v in values]

def any_case(value):
    return [name.lower() for name in names(value)]

def parse_boolean(value):
    need(isinstance(value, bool), "true or false")
    return value

def parse_traits(value):
    """The requirements of `fact` and `claim`, as choices: each name of a list, or lists of values by name."""
    if isinstance(value, (str, list)):
        return [{name: [True]} for name in names(value)]
    need(isinstance(value, dict) and value, "a name or values by name")
    asked = {name: v if isinstance(v, list) else [v] for name, v in value.items()}
    need(all(0 < len(vs) <= 1000 and all(map(is_scalar, vs)) for vs in asked.values()), "a string, a number, true or false")
    return [asked]

def has_traits(traits, choices):
    def has(name, values):
        return name in traits and any(same(traits[name], value) for value in values)
    return any(all(has(name, values) for name, values in asked.items()) for asked in choices)

def parse_percent(value):
    """Return the number of buckets, and the salt if there is one."""
    doc = value if isinstance(value, dict) else {"share": value}
    share, salt = doc.get("share"), doc.get("salt", "")
    need(doc.keys() <= {"share", "salt"} and isinstance(salt, str) and is_number(share) and 0 <= share <= 100, "a share of 100")
    need(abs(share * 1000 - round(share * 1000)) < 1e-6, "three decimals at most")
    return round(share * 1000), doc.get("salt")

def parse_served(value):
    """Variants by flag id; None stands for the value true."""
    need(value and isinstance(value, (str, dict)), "a flag")
    return {value: None} if isinstance(value, str) else {flag: names(variants) for flag, variants in value.items()}

def parse_several(docs):
    need(isinstance(docs, list), "a list of conditions")
    return [parse_condition(doc) for doc in docs]

def says(key):
    return lambda judge, wanted, salt: judge.context.get(key, "").lower() in wanted

def runs(key):
    return lambda judge, choices, salt: key in judge.context and in_range(choices, judge.context[key])

CONDITIONS = {  # How the value of a key is parsed, and how a judge (j) decides whether it holds, with the salt (s) of the rule or audience.
    "audience": (names, lambda j, v, s: any_of([j.fits(j.audiences[n], n) if n in j.audiences else None for n in v])),
    "locale": (lambda v: list(map(parse_locale, names(v))), lambda j, v, s: any(covers(wide, j.locale) for wide in v)),
    "platform": (any_case, says("platform")),
    "device": (any_case, says("device")),
    "country": (lambda v: [present_region(code).lower() for code in names(v, "[A-Za-z]{2}")], says("country")),
    "app": (parse_range, runs("appVersion")),
    "os": (parse_range, runs("osVersion")),
    "signedIn": (parse_boolean, lambda j, v, s: v == ("person" in j.proved)),
    "role": (names, lambda j, v, s: any(role in v for role in j.proved.get("roles", []))),
    "person": (names, lambda j, v, s: j.proved.get("person") in v),
    "fact": (parse_traits, lambda j, v, s: has_traits(j.proved.get("facts", {}), v)),
    "claim": (parse_traits, lambda j, v, s: has_traits(j.claims, v)),
    "percent": (parse_percent, lambda j, v, s: KEYLESS if j.key is None else bucket_of(s if v[1] is None else v[1], j.key) < v[0]),
    "from": (parse_moment, lambda j, v, s: j.now >= v),
    "until": (parse_moment, lambda j, v, s: j.now < v),
    "every": (parse_recurrence, lambda j, v, s: recurs_at(v, j.now)),
    "day": (lambda v: [parse_day(day) for day in names(v)], lambda j, v, s: j.day in v),
    "flag": (parse_served, lambda j, v, s: all_of([j.is_served(flag, variants) for flag, variants in v.items()])),
    "all": (parse_several, lambda j, v, s: all_of([j.fits(inner, s) for inner in v])),
    "any": (parse_several, lambda j, v, s: any_of([j.fits(inner, s) for inner in v])),
    "not": (lambda v: parse_condition(v), lambda j, v, s: negated(j.fits(v, s))),
}

def parse_condition(doc):
    """The requirements by key; the value of an unknown key is not read."""
    need(isinstance(doc, dict) and doc, "a condition")
    condition = {key: CONDITIONS[key][0](value) if key in CONDITIONS else None for key, value in doc.items()}
    need(not doc.keys() >= {"from", "until"} or condition["from"] < condition["until"], "until after from")
    need(len(inside := list(conditions_in(condition))) <= 2000 and max(depth for depth, _ in inside) <= 16, "fewer conditions")
    return condition

def conditions_in(condition, depth=1):
    """This condition and all inside it, with their depths."""
    yield depth, condition
    for inner in condition.get("all", []) + condition.get("any", []) + [condition[key] for key in condition if key == "not"]:
        yield from conditions_in(inner, depth + 1)

def flags_needed(condition, audiences, path=()):
    """The ids of the flags that a condition needs, also through audiences; refuses a cycle of audiences."""
    needed = set()
    for _, inner in conditions_in(condition):
        needed |= inner.get("flag", {}).keys()
        for name in inner.get("audience", []):
            need(name not in path, "audiences without a circle")
            needed |= flags_needed(audiences.get(name, {}), audiences, (*path, name))
    return needed

# Flags

KINDS = {"boolean": lambda v: isinstance(v, bool), "string": lambda v: isinstance(v, str), "number": is_number, "json": lambda v: True}

def parse_rule(doc, number, salt, variants):
    """Parse a rule. If it has an unknown key, only its id is read."""
    need(isinstance(doc, dict), "a rule")
    rule = {"id": doc.get("id", str(number)), "when": {}, "salt": salt}
    need(isinstance(rule["id"], str) and rule["id"], "an id")
    if not doc.keys() <= {"id", "when", "serve"}:
        return rule | {"when": {"": None}}
    if "when" in doc:
        rule["when"] = parse_condition(doc["when"])
    serve = doc.get("serve") if isinstance(doc.get("serve"), dict) else {"variant": doc.get("serve")}
    if serve.keys() == {"variant"}:
        need(serve["variant"] in variants, "a variant")
    else:
        need(serve.keys() in ({"split"}, {"split", "salt"}) and isinstance(serve["split"], dict), "a variant or a split")
        shares = serve["split"].values()
        need(serve["split"].keys() <= variants.keys() and isinstance(serve.get("salt", ""), str), "variants to split by a salt")
        need(all(is_number(s) and s == int(s) >= 0 for s in shares) and sum(shares) == 100_000, "shares of 100,000")
    return rule | serve

def parse_prerequisite(doc):
    """Return the id of the flag, and variants; None stands for the value true."""
    if isinstance(doc, str) and doc:
        return doc, None
    need(isinstance(doc, dict) and doc.keys() == {"flag", "variants"} and isinstance(doc["flag"], str), "a flag and variants")
    return doc["flag"], names(doc["variants"])

def parse_entry(doc):
    need(isinstance(doc, dict) and doc.keys() == {"at", "state"} and doc["state"] in ("on", "off"), "at and state")
    return parse_moment(doc["at"]), doc["state"]

def parse_flag(name, doc):
    """A flag from its fields, with its documents as JSON values."""
    flag = {"kind": "boolean", "state": "off", "salt": name, "rules": [], "prerequisites": [], "schedule": []} | doc
    variants = flag.get("variants")
    need(flag["kind"] in KINDS and flag["state"] in ("on", "off") and isinstance(flag["salt"], str), "a kind, a state and a salt")
    need(isinstance(variants, dict) and len(variants) <= 100 and all(map(KINDS[flag["kind"]], variants.values())), "variants of the kind")
    need(flag.get("offVariant") in variants and flag.get("defaultVariant") in variants, "variants to serve")
    for field, limit in (("rules", 500), ("prerequisites", 16), ("schedule", 400)):
        need(isinstance(flag[field], list) and len(flag[field]) <= limit, f"a list of {field}")
    return flag | {"rules": [parse_rule(rule, number, flag["salt"], variants) for number, rule in enumerate(flag["rules"], 1)],
                   "prerequisites": [parse_prerequisite(p) for p in flag["prerequisites"]],
                   "schedule": sorted(map(parse_entry, flag["schedule"]), key=lambda entry: entry[0])}

def parse_flags(docs, audiences):
    """All flags by id; None for those that are invalid, are in a cycle, or need more than 32 others in a row."""
    flags, needs = dict.fromkeys(docs), {}
    for name, doc in docs.items():
        try:
            flags[name] = parse_flag(name, doc)
            conditions = (flags_needed(rule["when"], audiences) for rule in flags[name]["rules"])
            needs[name] = {needed for needed, _ in flags[name]["prerequisites"]}.union(*conditions)
        except (Refused, TypeError):  # The latter if a list or an object is used as a name.
            pass
    step = lambda found, ends=(): set().union(*(needs.get(name, set()) for name in found if name not in ends))
    reached, row = needs, needs
    for _ in needs:
        reached = {name: found | step(found) for name, found in reached.items()}
    circular = {name for name, found in reached.items() if name in found}
    for _ in range(32):
        row = {name: step(found, circular) for name, found in row.items()}
    return flags | {name: None for name in needs if name in circular or row[name]}

# Contexts and evaluation

def parse_reported_locale(text):
    need(text != "" and not text.split(".")[0].lower().endswith("posix"), "a locale that somebody has chosen")
    parse_locale(text.split(".")[0])
    return text.split(".")[0]

REPORTED = {  # How what a client reports is read.
    "locale": parse_reported_locale, "platform": lambda v: need_match("(?s:.+)", v, "a platform")[0],
    "device": lambda v: need_match("(?s:.+)", v, "a device")[0], "country": lambda v: present_region(need_match("[A-Za-z]{2}", v, "a country")[0]),
    "osVersion": lambda v: parse_version(v) and v, "appVersion": lambda v: parse_version(v) and v,
    "timeZone": lambda v: parse_zone(need_match("UTC|GMT|[^/]+/.+", v, "a time zone")[0]) and v}

def parse_context(doc):
    """Return what a client states about itself: known keys that can be read, claims, and the keys that cannot be read."""
    need(isinstance(doc, dict) and len(doc) <= 256, "an object of at most 256 keys")
    known, unreadable, claims = {}, [], {}
    for key, value in ((key, value) for key, value in doc.items() if value is not None):
        if key == "targetingKey":
            need(isinstance(value, str) and 0 < len(value.encode()) <= 1024, "a targetingKey")
            known[key] = value
        if key in REPORTED:
            try:
                need(isinstance(value, str), "a string")
                known[key] = REPORTED[key](value)
            except Refused:
                unreadable.append(key)
        if key not in (*REPORTED, "targetingKey") or key == "timeZone":
            claims.update({key: value} if is_scalar(value) else {})
    return known, claims, unreadable

class Judge:
    """Judges conditions and flags for one person at one moment."""

    def __init__(self, case, audiences, flags):
        self.context, self.claims, _ = parse_context(case["context"])
        self.proved, self.now, self.audiences, self.flags, self.answers = case["proved"], case["now"], audiences, flags, {}
        self.key = self.proved.get("person") or self.context.get("targetingKey")
        self.locale = parse_locale(self.context["locale"]) if "locale" in self.context else ("",) * 4
        self.day = day_at(self.now, self.claims.get("timeZone"))

    def fits(self, condition, salt):
        return all_of([CONDITIONS[key][1](self, asked, salt) if key in CONDITIONS else None for key, asked in condition.items()])

    def is_served(self, flag, variants):
        """Whether a flag serves one of these variants, or the value true; None if it cannot be evaluated."""
        answer = self.evaluate(flag)
        return None if "error" in answer else answer["value"] is True if variants is None else answer["variant"] in variants

    def evaluate(self, name):
        if name not in self.answers:
            flag = self.flags.get(name)
            self.answers[name] = {"flag": name} | (self.answer(flag) if flag else
                                                   {"error": "PARSE_ERROR" if name in self.flags else "FLAG_NOT_FOUND"})
        return self.answers[name]

    def answer(self, flag):
        """The steps of docs/flags.md, in their order."""
        serve = lambda variant, reason, **more: {"variant": variant, "value": flag["variants"][variant], "reason": reason, **more}
        if ([flag["state"]] + [state for at, state in flag["schedule"] if at <= self.now])[-1] == "off":
            return serve(flag["offVariant"], "DISABLED")
        for needed, variants in flag["prerequisites"]:
            if self.is_served(needed, variants) is not True:
                return serve(flag["offVariant"], "DISABLED", prerequisite=needed)
        more = {}
        for rule in flag["rules"]:
            fits = self.fits(rule["when"], flag["salt"])
            if fits is None:
                more.setdefault("passedOver", rule["id"])
            elif fits == KEYLESS or fits and "split" in rule and self.key is None:
                return {"error": KEYLESS}
            elif fits and "variant" in rule:
                return serve(rule["variant"], "TARGETING_MATCH", rule=rule["id"], **more)
            elif fits:
                bucket, end = bucket_of(rule["salt"], self.key), 0
                for variant, share in rule["split"].items():
                    if bucket < (end := end + share):
                        return serve(variant, "SPLIT", rule=rule["id"], bucket=bucket, **more)
        return serve(flag["defaultVariant"], "DEFAULT" if flag["rules"] else "STATIC", **more)

# Checking

class Report:
    """Counts cases, and prints those that differ."""
    cases = differ = 0

    def check(self, what, expected, find):
        try:
            found = find()
        except Refused:
            found = "refused"
        except Exception as error:  # A case must not hide those after it.
            found = f"failed: {error!r}"
        self.cases += 1
        if not same(expected, found):
            self.differ += 1
            print(f"{what}: expected {json.dumps(expected, ensure_ascii=False)}, found {json.dumps(found, ensure_ascii=False)}")

    def check_members(self, what, case, inside, holds):
        for key, expected in ((inside, True), ("excludes", False)):
            for member in case[key]:
                self.check(f"{what} {case[what]} of {member}", expected, lambda: holds(case[what], member))

    def check_windows(self, every, windows):
        """Check each edge to the millisecond, and that there is no other window between the first and the last."""
        what, expected = f"every {json.dumps(every)}", [[parse_moment(moment) for moment in window] for window in windows]
        for begin, end in expected:
            for moment, holds in ((begin - 1, False), (begin, True), (end - 1, True), (end, False)):
                self.check(f"{what} at {moment}", holds, lambda: recurs_at(parse_recurrence(every), moment))
        first, last = expected[0][0], expected[-1][1]
        touching = lambda begin, end: begin < end and begin < last and end > first
        self.check(f"{what} windows", expected, lambda: [[b, e] for b, e in parse_recurrence(every)(first, last) if touching(b, e)])

def check_all(vectors, report):
    """Check all sections of the vectors."""
    section = lambda key: vectors.get(key, [])
    versions, audiences = section("versions"), {name: parse_condition(doc) for name, doc in vectors.get("audiences", {}).items()}
    for case in section("buckets"):
        salt, key = case["salt"], case["targetingKey"]
        report.check(f"bucket {salt}/{key}", case["bucket"], lambda: bucket_of(salt, key))
    for version in versions:
        after = versions[versions.index(version) + 1:]
        report.check(f"version {version} before", after, lambda: [v for v in versions if parse_version(version)[1] < parse_version(v)[1]])
    for case in section("ranges"):
        report.check_members("range", case, "contains", lambda text, version: in_range(parse_range(text), version))
    for case in section("locales"):
        report.check_members("locale", case, "covers", lambda wide, narrow: covers(parse_locale(wide), parse_locale(narrow)))
    for case in section("texts"):
        locales = [case["locale"]] * (case["locale"] is not None) + case["else"]
        report.check(f"text of {case['texts']} for {locales}", case["chosen"], lambda: choose(case["texts"], locales))
    for case in section("moments"):
        report.check(f"moment {case['moment']}", case["milliseconds"], lambda: parse_moment(case["moment"]))
    for case in section("recurrences"):
        report.check_windows(case["every"], case["windows"])
    for key, parse in (("noVersions", parse_version), ("noRanges", parse_range), ("noLocales", parse_locale), ("noMoments", parse_moment),
                       ("noConditions", parse_condition), ("noContexts", parse_context)):
        for doc in section(key):
            report.check(f"{key} {json.dumps(doc, ensure_ascii=False)}", "refused", lambda: (parse(doc), "accepted")[1])
    for case in section("unreadable"):
        report.check(f"context {json.dumps(case['context'])}", sorted(case["properties"]), lambda: sorted(parse_context(case["context"])[2]))
    for name in audiences:
        report.check(f"audience {name}", True, lambda: flags_needed(audiences[name], audiences, (name,)) is not None)
    needed = {"needed": {"variants": {"off": False, "on": True}, "offVariant": "off", "defaultVariant": "off", "state": "on"}}
    for case in section("conditions"):
        find = lambda: Judge(vectors, audiences, parse_flags(needed, audiences)).fits(parse_condition(case["when"]), "f")
        report.check(f"condition {json.dumps(case['when'])}", case["fits"], find)
    flags = parse_flags(vectors.get("flags", {}), audiences)
    for number, case in enumerate(section("evaluations"), 1):
        for expected in case["expect"]:
            find = lambda: Judge(case, audiences, flags).evaluate(expected["flag"])
            report.check(f"evaluation {number} of {expected['flag']}", expected, find)

def main(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    LANGUAGES.update(json.loads(pathlib.Path(path).with_name("languages.json").read_text(encoding="utf-8")))
    report, unknown = Report(), sorted(vectors.keys() - KNOWN_KEYS)
    check_all(vectors, report)
    for key in unknown:
        print(f"{key}: this key is not known")
    print(f"{report.cases} cases, {report.differ} differ")
    return 1 if unknown or report.differ else 0

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_vectors.py docs/vectors/audiences.json")
    sys.exit(main(sys.argv[1]))
