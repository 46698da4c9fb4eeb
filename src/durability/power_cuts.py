#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts the power of stores many times, and prints what they lost, as the table of explanation/durability.md.

Each row has a store, its settings and the keys of `faults` in a scenario. It is repeated in small runs of a few cuts
until the number of cuts is reached. Each run puts new keys and reads all acknowledged ones back at its end. A run of
which Quorate reports less than it planned counts with what it did. Results are appended to a file of JSON lines, so
that the script continues where it was ended. Needs what `power-cut-all` needs, and ./quorate install powercut.

  src/durability/power_cuts.py [--cuts 100] [--row NAME ...] [--results DIRECTORY] [--table]
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
STORES = ("etcd", "zookeeper", "consul")
FAULT = {"inject": "[power-cut-all 1s]", "durability": "torn", "times": "25"}
# A JVM starts more slowly than a Go program.
RECOVERY = {"etcd": 4, "zookeeper": 8, "consul": 6}
MOST_FAILED = 5
SCENARIO = """title: Power cuts
{operation}
seed: {seed}
cold-start: true
values: {{size: 256}}
load: {{rate: 100/s, connections: 6}}
databases:
  {store}: {{settings: {{{settings}}}}}
faults: {{quiet: 1s, jitter: 1s, recovery: {recovery}s, sessions: 0, watches: 0, {faults}}}
"""
NEW_KEYS = "operation: put\nkeys: {size: 64}"
OLD_KEYS = "mix: {put: 80, get: 20}\nkeys: {size: 64, count: 1_000, distribution: uniform}"
SMALL_LOGS = {
    "etcd": "snapshot-count: 100, snapshot-catchup-entries: 50",
    "zookeeper": "snapCount: 100",
    "consul": "raft_snapshot_threshold: 100, raft_snapshot_interval: 1s",
}


def rows():
    """Returns (store, settings, faults, operation) by the name of the row."""
    found = {}
    for store in STORES:
        found[f"{store}, defaults"] = store, "", FAULT, NEW_KEYS
        found[f"{store}, `disk: lying`"] = store, "", control(disk="lying"), NEW_KEYS
        found[f"{store}, `new-cluster: true`"] = store, "", FAULT | {"new-cluster": "true", "times": "1"}, NEW_KEYS
        found[f"{store}, snapshot each 100 writes"] = store, SMALL_LOGS[store], FAULT, NEW_KEYS
        changed = FAULT | {"inject": "[add-member 8s, power-cut-all 1s]", "times": "5"}
        found[f"{store}, member changes between cuts"] = store, "", changed, NEW_KEYS
    found["etcd, `unsafe-no-fsync: true`"] = "etcd", "unsafe-no-fsync: true", control(), NEW_KEYS
    found["zookeeper, `forceSync: no`"] = "zookeeper", "forceSync: no", control(), NEW_KEYS
    found["zookeeper, `entries: posix`"] = "zookeeper", "", control(entries="posix"), NEW_KEYS
    maintained = FAULT | {"inject": "[compact 1s, power-cut-all 1s, defragment 2s, power-cut-all 2s]", "times": "5"}
    found["etcd, compaction and defragmentation between cuts"] = "etcd", "", maintained, OLD_KEYS
    found["etcd, compaction each second"] = "etcd", "auto-compaction-period: 1s", FAULT, OLD_KEYS
    return found


def control(**faults):
    return FAULT | {"durability": "strict", "times": "10"} | faults


def run(name, results, seed):
    """Runs the cuts of a row once, and returns what they did. The seed determines what survives by chance."""
    store, settings, faults, operation = rows()[name]
    text = SCENARIO.format(store=store, settings=settings, recovery=RECOVERY[store], operation=operation,
                           seed=seed, faults=", ".join(f"{key}: {value}" for key, value in faults.items()))
    with tempfile.TemporaryDirectory() as work:
        scenario = pathlib.Path(work, "power-cuts.yaml")
        scenario.write_text(text)
        done = subprocess.run([str(CHECKOUT / "quorate"), "run", str(scenario), "--results", results],
                              cwd=CHECKOUT, capture_output=True, text=True)
    found = re.search(r"^page +(.*)/index.html$", done.stdout, re.MULTILINE)
    directory = CHECKOUT / found.group(1) / store if found else CHECKOUT
    if not (directory / "faults.jsonl").exists():
        print(f"{name}: no cuts: {done.stdout[-2000:]}{done.stderr[-2000:]}", flush=True)
        return None
    cuts = [fault for fault in map(json.loads, (directory / "faults.jsonl").read_text().splitlines())
            if fault["kind"].startswith("power-cut") and not fault.get("problem", "").startswith("not caused")]
    verification = json.loads((directory / "manifest.json").read_text()).get("verification") or {}
    return {
        "row": name,
        "seed": seed,
        "cuts": len(cuts),
        "effective": sum(not fault.get("problem") for fault in cuts),
        "acknowledged": verification.get("acknowledgedKeys", 0),
        "read": verification.get("readKeys", 0),
        "lost": verification.get("missingKeys", 0) + verification.get("wrongKeys", 0),
        "notStarted": [text for fault in cuts for text in fault.get("notStarted", [])],
        "hit": [int(hit[1]) for fault in cuts if (hit := re.match(r"(\d+) of ", fault.get("observed", "")))],
        "history": re.findall(r"lost, stale or unexplained values in the load: (.*?)(?: in |;|$)", done.stdout, re.MULTILINE),
        "page": found.group(1),
    }


def table(lines):
    sums = collections.defaultdict(collections.Counter)
    for line in lines:
        sums[line["row"]].update({key: line[key] for key in ("cuts", "effective", "acknowledged", "read", "lost")})
        sums[line["row"]]["notStarted"] += len(line["notStarted"])
    print("| store and setting | cuts | discarded something | keys acknowledged | read back | lost or older "
          "| members that did not start |\n|---|---|---|---|---|---|---|")
    for name, count in sums.items():
        print(f"| {name} | {count['cuts']} | {count['effective']} | {count['acknowledged']:,} | {count['read']:,} "
              f"| {count['lost']:,} | {count['notStarted']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=100, help="how many cuts of each row")
    parser.add_argument("--row", action="append", choices=list(rows()), help="only this row")
    parser.add_argument("--results", default=str(CHECKOUT / "results"), help="directory of the runs, and of power-cuts.jsonl")
    parser.add_argument("--table", action="store_true", help="print what the file has, and run nothing")
    arguments = parser.parse_args()
    file = pathlib.Path(arguments.results, "power-cuts.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    for name in [] if arguments.table else arguments.row or rows():
        failed = 0
        while sum(line["cuts"] for line in lines if line["row"] == name) < arguments.cuts and failed < MOST_FAILED:
            seed = 1 + sum(line["row"] == name for line in lines) + failed
            line = run(name, str(pathlib.Path(arguments.results).absolute()), seed)
            if line is None:
                failed += 1
                continue
            lines.append(line)
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as out:
                out.write(json.dumps(lines[-1]) + "\n")
            print(lines[-1], flush=True)
    table(lines)


if __name__ == "__main__":
    main()
