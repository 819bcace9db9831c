"""Random writes by several writers to servers that are killed and restarted while the clock advances by weeks, and a recount of all
events by a program that does not know how the servers count them (docs/trends.md).

Usage: recount_test.py NEPHOS_PROGRAM [WRITES [SEED [LAST_SEED]]]

scripts/test-trends starts this test. NEPHOS_TEST_CLOCK names a folder with a library that sets the clock. If NEPHOS_TEST_POSTGRES is the
address of a database whose user can create others, three servers share a new database; without it, one server uses a folder, to which
commands write, too. The same seed repeats what is written, but not when a server is killed.
"""

import collections
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zoneinfo

from late_clock import LateClock
from nephos import PATIENCE, Nephos, ordinary_user

CONTAINER = "iCloud.org.nephos.recount"
ZONES = ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/Sao_Paulo", "Africa/Cairo"]
QUARTER = 900
# The test writes on days that include the night in which Cairo has no midnight.
FIRST = datetime.datetime(2026, 4, 1, tzinfo=datetime.timezone.utc)

SCHEMA = "DEFINE SCHEMA\n" + "".join(
    f'RECORD TYPE {name} ("___recordID" REFERENCE QUERYABLE, mark STRING, version STRING, names LIST<STRING>, owner REFERENCE, '
    'GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world");\n'
    for name in ("Post", "Comment", "Note"))
SETTINGS = """version: 1
trends:
  private: [Note]
"""
PARTS = SETTINGS + """  splits: [{type: Post, field: version}]
  lists: [{type: Post, field: names, of: all}, {type: Post, field: names, of: newest}]
"""


class Cloud:
    """Servers with one store. The test sets their clock."""

    def __init__(self, program: str, folder: pathlib.Path, seed: int) -> None:
        self.database = ""
        self.folder, self.program = folder, program
        folder.chmod(0o755)
        # Servers use the time of their database, so the database has this clock, too (scripts/test-trends).
        self.offset = int(FIRST.timestamp() - time.time())
        self.clock = LateClock(os.environ["NEPHOS_TEST_CLOCK"], self.offset, is_built=True)
        self.environment = dict(self.clock.environment)
        address = os.environ.get("NEPHOS_TEST_POSTGRES")
        if address:
            name = f"recount_{os.getpid()}_{seed}"
            psql = os.path.join(os.environ.get("NEPHOS_POSTGRES_BIN", ""), "psql")
            self.sql = [psql, "--quiet", address.replace("postgres://", "postgresql://"), "-c"]
            subprocess.run([*self.sql, f"CREATE DATABASE {name}"], check=True)
            self.database = name
            head, _, query = address.partition("?")
            self.environment["NEPHOS_STORE"] = f"{head.rsplit('/', 1)[0]}/{name}?{query}"
            secret = folder / "secret"
            secret.write_bytes(subprocess.run([program, "secret", "new"], check=True, capture_output=True).stdout)
            secret.chmod(0o600)
            if user := ordinary_user(program):
                os.chown(secret, user["user"], user["group"])
            self.environment["NEPHOS_SECRET_KEY_FILE"] = str(secret)
        data = folder / "data"
        data.mkdir()
        self.data = str(data)
        self.servers = [self.start()]
        self.servers += [self.start() for _ in range(2 if address else 0)]

    def start(self) -> Nephos:
        return Nephos(self.program, self.data, environment=self.environment)

    def now(self) -> float:
        return time.time() + self.offset

    def leap(self, seconds: int) -> None:
        """Moves the clock forward, to a time after which no quarter of an hour ends for a while."""
        self.offset += seconds
        self.offset += int(60 - self.now() % QUARTER) % QUARTER
        self.clock.set(self.offset)

    def kill(self, place: int) -> None:
        self.servers[place].process.kill()
        self.servers[place].process.wait()
        self.end_commits()
        self.servers[place] = self.start()

    def end_commits(self) -> None:
        """Waits for commits of a killed server, which the database continues. Clients that read before they end do not see them."""
        if not self.database:
            return
        def ask(query: str) -> str:
            return subprocess.run([*self.sql, query, "-At"], check=True, capture_output=True, text=True).stdout.strip()
        now = ask("SELECT clock_timestamp()")
        while ask(f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{self.database}' AND xact_start <= '{now}'") != "0":
            time.sleep(0.05)

    def end(self) -> None:
        for server in self.servers:
            server.process.kill()
            server.process.wait()
        if self.database:
            subprocess.run([*self.sql, f"DROP DATABASE {self.database} WITH (FORCE)"], check=True)

    def run(self, *arguments: str, text: str | None = None) -> str:
        return self.servers[0].run(*arguments, text=text)


class Truth:
    """What happened, according to the writers: no more than a list."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.events: list[tuple[str, str, int]] = []
        self.live: dict[str, dict] = {}
        self.order = 0
        # Posts by version and event: created, deleted, restored, and how many more posts changed to the version than from it.
        self.values = collections.Counter()

    def event(self, record: dict, what: str, at: float) -> None:
        self.events.append((record["type"], what, int(at // QUARTER) * QUARTER))
        if record["type"] == "Post":
            self.values[record["version"], what] += 1

    def created(self, name: str, record: dict, at: float) -> None:
        with self.lock:
            self.order += 1
            self.live[name] = {**record, "created": record.get("created", at), "order": self.order}
            self.event(record, "created", at)

    def changed(self, name: str, record: dict) -> None:
        with self.lock:
            old = self.live[name]
            if record["type"] == "Post" and old["version"] != record["version"]:
                self.values[old["version"], "moved"] -= 1
                self.values[record["version"], "moved"] += 1
            old.update(record)

    def gone(self, name: str, at: float) -> dict:
        with self.lock:
            record = self.live.pop(name)
            self.event(record, "deleted", at)
            return record

    def back(self, name: str, record: dict, at: float) -> None:
        with self.lock:
            self.order += 1
            self.live[name] = {**record, "order": self.order}
            self.event(record, "restored", at)


class Writer:
    """Writes its own records, and determines the result of a request that got no response."""

    def __init__(self, cloud: Cloud, truth: Truth, number: int, seed: int) -> None:
        self.cloud, self.truth, self.number = cloud, truth, number
        self.chance = random.Random(f"{seed}-{number}")
        self.trash: dict[str, dict] = {}
        self.notes: dict[str, int] = {}
        self.query: dict[str, str] = {}
        self.writes = self.lost = 0
        self.mine: dict[str, list[str]] = {}

    def ask(self, path: str, body: dict) -> dict | None:
        server = self.cloud.servers[self.number % len(self.cloud.servers)]
        url = f"{server.url}/database/1/{CONTAINER}/development/{path}?{urllib.parse.urlencode(self.query)}"
        request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            # A server that stops, or a store that restarts, causes these statuses.
            assert error.code in (500, 503), f"{path}: {error.code} {error.read().decode()}"
        except (OSError, json.JSONDecodeError, EOFError) as error:
            assert not isinstance(error, AssertionError)
        except Exception as error:  # http.client has its own errors for connections that end within a response
            assert type(error).__module__ == "http.client", repr(error)
        return None

    def until_answered(self, path: str, body: dict) -> dict:
        patience = time.monotonic() + PATIENCE
        while time.monotonic() < patience:
            answer = self.ask(path, body)
            if answer is not None:
                return answer
            time.sleep(0.1)
        raise AssertionError(f"{path}: no server responds")

    def state(self, names: list[str]) -> dict[str, dict | None]:
        """The server's records with these names."""
        body = {"records": [{"recordName": name} for name in names]}
        answer = self.until_answered("public/records/lookup", body)
        return {name: None if "serverErrorCode" in row else row for name, row in zip(names, answer["records"])}

    def modify(self, operations: list[dict], marks: dict[str, str | None]) -> dict[str, bool]:
        """Returns for each name whether its operation took place. `marks` has the mark of each record afterwards; None for no record."""
        self.writes += len(operations)
        answer = self.ask("public/records/modify", {"operations": operations})
        if answer is not None:
            return {row["recordName"]: "serverErrorCode" not in row for row in answer["records"]}
        self.lost += 1
        found = self.state(list(marks))
        def holds(name: str) -> str | None:
            row = found[name]
            return row and row["fields"].get("mark", {}).get("value")
        return {name: holds(name) == mark for name, mark in marks.items()}

    def fields(self, kind: str, mark: str, version: str, count: int, owner: str | None = None) -> dict:
        fields = {"mark": {"value": mark}}
        if version:
            fields["version"] = {"value": version}
        if count:
            fields["names"] = {"value": [f"n{place}" for place in range(count)]}
        if owner:
            fields["owner"] = {"value": {"recordName": owner, "action": "DELETE_SELF"}}
        return fields

    def save(self, names: list[str]) -> None:
        operations, marks, records = [], {}, {}
        for name in names:
            old = self.truth.live.get(name)
            kind = old["type"] if old else self.chance.choice(["Post", "Comment"])
            mark = f"{self.number}-{self.writes}-{name}"
            record = {"type": kind, "version": self.chance.choice(["", "1.0", "1.1", "2.0"]), "names": self.chance.randrange(4)}
            operations.append({"operationType": "forceReplace", "record": {
                "recordName": name, "recordType": kind, "fields": self.fields(kind, mark, record["version"], record["names"])}})
            marks[name], records[name] = mark, record
        if self.chance.random() < 0.2 and (taken := next((name for name in self.own() if name not in marks), None)):
            # This operation is refused, while the others of the request are performed.
            operations.append({"operationType": "create", "record": {
                "recordName": taken, "recordType": self.truth.live[taken]["type"], "fields": {}}})
        done = self.modify(operations, marks)
        for name, record in records.items():
            if not done[name]:
                continue
            if name in self.truth.live:
                self.truth.changed(name, record)
            else:
                self.trash.pop(name, None)
                self.truth.created(name, record, self.cloud.now())

    def own(self) -> list[str]:
        return sorted(name for name in list(self.truth.live) if name.startswith(f"w{self.number}-"))

    def delete(self, names: list[str]) -> None:
        done = self.modify(
            [{"operationType": "forceDelete", "record": {"recordName": name}} for name in names], {name: None for name in names})
        for name in names:
            if done[name] and name in self.truth.live:
                self.trash[name] = self.truth.gone(name, self.cloud.now())

    def family(self) -> None:
        """Deletes a record, with which the records that refer to it are deleted."""
        root, leaves = f"w{self.number}-root{self.writes}", [f"w{self.number}-leaf{self.writes}-{place}" for place in range(3)]
        for name in [root, *leaves]:
            mark, owner = f"m-{name}", root if name != root else None
            save = {"operationType": "create", "record": {
                "recordName": name, "recordType": "Comment", "fields": self.fields("Comment", mark, "", 0, owner)}}
            if not self.modify([save], {name: mark})[name]:
                break
            self.truth.created(name, {"type": "Comment", "version": "", "names": 0}, self.cloud.now())
        if root in self.truth.live and self.modify(
            [{"operationType": "forceDelete", "record": {"recordName": root}}], {root: None})[root]:
            for name in [root, *leaves]:
                if name in self.truth.live:
                    self.truth.gone(name, self.cloud.now())

    def restore(self) -> None:
        names = sorted(name for name in self.trash if name not in self.truth.live)
        if not names:
            return
        name = self.chance.choice(names)
        self.writes += 1
        self.cloud.run("trash", "restore", CONTAINER, name)
        self.truth.back(name, self.trash.pop(name), self.cloud.now())

    def private(self) -> None:
        """Creates a zone of notes, and deletes some zones with all that they contain."""
        zone = f"z{self.number}-{self.writes}"
        self.until_answered("private/zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": zone}}}]})
        names = [f"{zone}-{place}" for place in range(5)]
        saves = [{"operationType": "forceReplace", "record": {"recordName": name, "recordType": "Note", "fields": {}}} for name in names]
        self.until_answered("private/records/modify", {"operations": saves, "zoneID": {"zoneName": zone}})
        self.writes += len(saves)
        self.notes[zone] = len(names)
        if self.chance.random() < 0.5:
            gone = self.chance.choice(sorted(self.notes))
            self.until_answered("private/zones/modify", {"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": gone}}}]})
            del self.notes[gone]

    def work(self, writes: int) -> None:
        end = self.writes + writes
        while self.writes < end:
            names = sorted({f"w{self.number}-{self.chance.randrange(60)}" for _ in range(self.chance.randrange(1, 9))})
            choice = self.chance.random()
            if choice < 0.6:
                self.save(names)
            elif choice < 0.85:
                self.delete(names)
            elif choice < 0.9:
                self.family()
            elif choice < 0.93:
                self.private()
            elif choice < 0.95:
                self.restore()
            else:
                self.save(names[:1])


def recount(truth: Truth, kind: str, zone: str, now: float) -> list[tuple[str, int, int, int, int]]:
    """For each day in a time zone: created, deleted, restored, and how many exist at its end."""
    place = zoneinfo.ZoneInfo(zone)
    def day(moment: float) -> datetime.date:
        return datetime.datetime.fromtimestamp(moment, place).date()
    own = [event for event in truth.events if event[0] == kind]
    counts = collections.Counter((day(at), what) for _, what, at in own)
    first = min((day(at) for _, _, at in own), default=None)
    if first is None:
        return []
    rows, live = [], 0
    while first <= day(now):
        created, deleted, restored = (counts[first, what] for what in ("created", "deleted", "restored"))
        live += created - deleted + restored
        rows.append((str(first), created, deleted, restored, live))
        first += datetime.timedelta(days=1)
    return rows


class Reader:
    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.token = cloud.run("trends", "token", "create", CONTAINER).split()[0]

    def series(self, place: int = 0, **query: str):
        url = f"{self.cloud.servers[place].url}/nephos/1/{CONTAINER}/development/trends/series?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)


def values(reader: Reader) -> collections.Counter:
    """For each version of posts: how many were created, deleted, restored, and changed to it."""
    told = collections.Counter()
    for one in reader.series(type="Post", split="version"):
        for row in one["periods"]:
            for what in ("created", "deleted", "restored", "moved"):
                told[one["split"], what] += row[what]
    return told


class Since:
    """Values that are counted back are those that records had when the server read them; after that, each change is known."""

    def __init__(self, truth: Truth, reader: Reader) -> None:
        self.truth, self.told = truth.values.copy(), values(reader)

    def compare(self, truth: Truth, reader: Reader) -> int:
        told, real = values(reader), truth.values
        for key in {*told, *real}:
            found, due = told[key] - self.told[key], real[key] - self.truth[key]
            assert found == due, f"{key}: {found} and {due}"
        return len(told)


def compare(cloud: Cloud, truth: Truth, reader: Reader, has_parts: bool) -> int:
    """Compares every figure with the recount. Returns the number of figures."""
    figures = 0
    for kind in ("Post", "Comment"):
        for number, zone in enumerate(ZONES):
            told = reader.series(number % len(cloud.servers), type=kind, zone=zone)
            assert "countingBack" not in told, told["countingBack"]
            found = [tuple(row[key] for key in ("start", "created", "deleted", "restored", "live")) for row in told["periods"]]
            real = recount(truth, kind, zone, cloud.now())
            wrong = [pair for pair in zip(found, real) if pair[0] != pair[1]]
            assert found == real, f"{kind} in {zone}: {len(found)} and {len(real)} days, {wrong[:3]}"
            figures += 4 * len(found)
    if has_parts:
        posts = [record for record in truth.live.values() if record["type"] == "Post"]
        real = collections.Counter(record["version"] for record in posts)
        told = {one["split"]: one["periods"][-1]["live"] for one in reader.series(type="Post", split="version", by="year")}
        assert {name: count for name, count in told.items() if count} == dict(real), f"{told} and {real}"
        lists = {one["of"]: one["periods"][-1]["total"] for one in reader.series(type="Post", list="names", by="year")}
        newest = max(posts, key=lambda record: (record["created"], record["order"]))
        assert lists["all"] == sum(record["names"] for record in posts), lists
        rivals = {record["names"] for record in posts if abs(record["created"] - newest["created"]) < 1}
        assert lists["newest"] in rivals, f"{lists} and {newest}"
        figures += len(told) + 2
    return figures


def settle(cloud: Cloud, writers: list[Writer], reader: Reader) -> None:
    """Waits until zones are swept and everything is counted back."""
    patience = time.monotonic() + PATIENCE
    while time.monotonic() < patience:
        parts = reader.series(type="Post", list="names", by="year")
        notes = reader.series(type="Note", private="1", by="year")
        if not any("countingBack" in one for one in [*parts, notes]) and \
                notes["periods"][-1]["live"] == sum(sum(writer.notes.values()) for writer in writers):
            return
        # Makes what is due in a minute due immediately.
        cloud.offset += 90
        cloud.clock.set(cloud.offset)
        time.sleep(0.5)
    raise AssertionError(f"the trends are still incomplete: {parts} {notes}")


def check(cloud: Cloud) -> None:
    found = subprocess.run(
        [cloud.program, "check", "--data", cloud.data], env={**os.environ, **cloud.environment}, capture_output=True, text=True,
        **ordinary_user(cloud.program))
    assert found.returncode == 0, found.stdout + found.stderr


def prepare(cloud: Cloud, folder: pathlib.Path) -> str:
    """Creates the container. Returns the token with which an app writes."""
    for arguments in (("container", "create", CONTAINER), ("account", "create", "ada@example.org")):
        cloud.run(*arguments)
    schema = folder / "schema.ckdb"
    schema.write_text(SCHEMA)
    schema.chmod(0o644)
    cloud.run("schema", "import", CONTAINER, str(schema))
    cloud.run("settings", "import", CONTAINER, text=SETTINGS)
    return cloud.run("token", "create", CONTAINER)


def together(writers: list[Writer], meanwhile) -> None:
    """Lets all writers write, and calls `meanwhile` until they have finished."""
    faults: list[BaseException] = []
    def work(writer: Writer) -> None:
        try:
            writer.work(120)
        except BaseException as fault:
            faults.append(fault)
    begun = time.time()
    threads = [threading.Thread(target=work, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    meanwhile(lambda: any(thread.is_alive() for thread in threads))
    if faults:
        raise faults[0]
    assert time.time() - begun < 600, "the clock went past a quarter of an hour; write less at a time"


def test(program: str, folder: pathlib.Path, writes: int, seed: int) -> None:
    chance, truth = random.Random(seed), Truth()
    cloud = Cloud(program, folder, seed)
    try:
        api = prepare(cloud, folder)
        reader = Reader(cloud)
        writers = [Writer(cloud, truth, number, seed) for number in range(3)]
        kills = figures = epochs = 0
        since = None

        def disturb(goes_on) -> None:
            nonlocal kills
            if epochs == 2:
                # Existing records are counted back while the writers write.
                cloud.run("settings", "import", CONTAINER, "--yes", text=PARTS)
            while goes_on():
                time.sleep(chance.uniform(0.05, 0.6))
                if kills < 3 * epochs and goes_on():
                    cloud.kill(chance.randrange(len(cloud.servers)))
                    kills += 1

        while sum(writer.writes for writer in writers) < writes:
            epochs += 1
            cloud.leap(chance.randrange(0, 3 * 86_400))
            web = cloud.run("session", "create", CONTAINER, "ada@example.org")
            for writer in writers:
                writer.query = {"ckAPIToken": api, "ckWebAuthToken": web}
            together(writers, disturb)
            if epochs >= 2:
                settle(cloud, writers, reader)
            figures += compare(cloud, truth, reader, has_parts=epochs >= 2)
            if since:
                figures += since.compare(truth, reader)
            elif epochs >= 2:
                since = Since(truth, reader)
        check(cloud)
        lost = sum(writer.lost for writer in writers)
        print(
            f"trends: {figures} figures are those of a recount, after {sum(writer.writes for writer in writers)} writes, {kills} kills, "
            f"{lost} responses lost, {len(cloud.servers)} servers, seed {seed}.", flush=True)
    finally:
        cloud.end()


def main() -> None:
    program, *numbers = sys.argv[1:]
    writes, first = [int(number) for number in [*numbers[:2], *["2500", "1"][len(numbers):]]]
    last = int(numbers[2]) if len(numbers) > 2 else first
    for seed in range(first, last + 1):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
            test(program, pathlib.Path(folder), writes, seed)


main()
