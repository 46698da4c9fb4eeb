#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows whether the load generator decides which store wins at low rates.

Reads at 500 and 1,100 requests/s from etcd and ZooKeeper (stale reads, one member, 16 connections), and at 900 and
1,100/s from the map in memory: with and without three busy loops beside the load generator, as the user who runs it,
and as an ordinary user if that is root. Servers get real-time priority if the user may give it, so that busy loops
slow down the load generator only.

Prints p50 and p99 of the response times. A percentile is marked with * if more than a tenth of it is the load
generator's delay, as in Quorate's tables. Exits with 1 if the values of a store step between two neighboring rates, or
the order of two stores is reversed, and none of the values involved is marked. Linux only.

  src/fairness/low_rates.py [--seconds 15] [--repeats 1] [--realtime]
"""
import argparse
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534
BUSY_LOOPS = 3
# From this ratio on two values differ: repeats of one rate on an idle machine lie within it.
DIFFERENT = 2.0
SCENARIO = """title: Reads at {rates}
operation: get
duration: {seconds}s
warm-up: 20_000
keys: {{size: 32, count: 10_000}}
values: {{size: 256}}
consistency: serializable
{members}load: {{rates: [{rates}], connections: 16}}
databases: [{database}]
"""


def quorate(*arguments):
    return subprocess.run([str(CHECKOUT / "quorate"), *arguments], check=True, capture_output=True, text=True).stdout


def give_real_time(port):
    """Gives the process that listens at a port real-time priority; returns whether it has it."""
    sockets = subprocess.run(["ss", "-ltnpH", f"sport = :{port}"], capture_output=True, text=True).stdout
    pids = set(re.findall(r"pid=(\d+)", sockets))
    return bool(pids) and all(
        subprocess.run(["chrt", "--all-tasks", "--rr", "--pid", "1", pid], capture_output=True).returncode == 0
        for pid in pids)


class Servers:
    def __init__(self, work):
        self.endpoints = {}
        self.work = work

    def start(self):
        for database in ("etcd", "zookeeper"):
            directory = self.work / ("cluster-" + database)
            text = quorate("cluster", "up", database, "--members", "1", "--directory", str(directory))
            endpoint = re.search(r"127\.0\.0\.1:\d+", text).group()
            self.endpoints[database] = endpoint
            granted = give_real_time(endpoint.split(":")[1])
            print(f"{database} at {endpoint}: {'with' if granted else 'without'} real-time priority", flush=True)

    def stop(self):
        for database in self.endpoints:
            quorate("cluster", "down", database)


def launcher(work, ordinary):
    """Returns the command of Quorate, and for an ordinary user what comes before it."""
    if not ordinary:
        return [str(CHECKOUT / "quorate")]
    subprocess.run(
        ["mvn", "-q", "-B", "-ntp", "package", "-DskipTests", "-Dspotless.check.skip", "-Dcheckstyle.skip"],
        cwd=CHECKOUT, check=True)
    archive = glob.glob(str(CHECKOUT / "target" / "quorate-*.zip"))[0]
    place = work / "distribution"
    shutil.unpack_archive(archive, place)
    program = glob.glob(str(place / "*" / "bin" / "quorate"))[0]
    subprocess.run(["chmod", "-R", "a+rX", str(place)], check=True)
    os.chmod(program, 0o755)
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--bounding-set=-all",
            "--inh-caps=-all", "env", f"HOME={work / 'home'}", program]


def measure(work, command, database, rates, servers, options, label):
    """Runs a scenario and returns {rate: {percentile: (milliseconds, marked)}}."""
    scenario = work / f"{database}.yaml"
    members = "" if database == "memory" else "members: 1\n"
    scenario.write_text(SCENARIO.format(
        rates=", ".join(f"{rate}/s" for rate in rates), seconds=options.seconds, database=database, members=members))
    results = pathlib.Path(tempfile.mkdtemp(prefix=label + "-", dir=work))
    os.chmod(results, 0o777)
    where = [] if database == "memory" else ["--endpoints", servers.endpoints[database]]
    if options.realtime:
        where.append("--realtime")
    done = subprocess.run(
        [*command, "run", str(scenario), "--database", database, "--results", str(results), *where],
        capture_output=True, text=True, cwd=results)
    found = glob.glob(str(results / "**" / "result.json"), recursive=True)
    if done.returncode != 0 or not found:
        sys.exit(f"{label}: the run of {database} failed\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    steps = json.loads(pathlib.Path(found[0]).read_text())["databases"][0]["steps"]
    values = {}
    for rate, step in zip(rates, steps):
        values[rate] = {}
        for percentile in ("p50", "p99"):
            latency = step["latencyMs"][percentile]
            delay = step["lagMs"].get(percentile, 0) + step.get("receiveDelayMs", {}).get(percentile, 0)
            values[rate][percentile] = (latency, delay > latency / 10)
    return values


def shown(value):
    return f"{value[0]:9.3f}{'*' if value[1] else ' '}"


def judge(label, memory, stores):
    """Prints the values of a case and returns its problems."""
    problems = []
    for name, values in [("memory", memory), *stores.items()]:
        for percentile in ("p50", "p99"):
            low, high = (values[rate][percentile] for rate in values)
            rates = "/".join(str(rate) for rate in values)
            print(f"{label:14} {name:10} {percentile} at {rates:9}/s: {shown(low)} {shown(high)} ms", flush=True)
            times = max(low[0], high[0]) / min(low[0], high[0])
            if name == "memory" and times >= DIFFERENT and not (low[1] or high[1]):
                problems.append(f"{label}: {percentile} of memory steps by {times:.1f} times between {rates}/s")
    for percentile in ("p50", "p99"):
        ahead = []
        for rate in (500, 1100):
            etcd, zookeeper = stores["etcd"][rate][percentile], stores["zookeeper"][rate][percentile]
            if not (etcd[1] or zookeeper[1]):
                times = etcd[0] / zookeeper[0]
                ahead.append(1 if times >= DIFFERENT else -1 if times <= 1 / DIFFERENT else 0)
        if 1 in ahead and -1 in ahead:
            problems.append(f"{label}: the order of etcd and ZooKeeper by {percentile} is reversed between 500 and 1100/s")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=15, help="of each rate (default: 15)")
    parser.add_argument("--repeats", type=int, default=1, help="of each case (default: 1)")
    parser.add_argument("--realtime", action="store_true", help="give the load generator real-time priority")
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="low-rates-"))
    os.chmod(work, 0o755)
    (work / "home").mkdir(mode=0o777)
    os.chmod(work / "home", 0o777)
    servers = Servers(work)
    problems = []
    loops = []
    try:
        servers.start()
        users = ["root", "nobody"] if os.geteuid() == 0 else ["user"]
        for user in users:
            command = launcher(work, user == "nobody")
            for load in ("idle", "busy"):
                if load == "busy":
                    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(BUSY_LOOPS)]
                for repeat in range(options.repeats):
                    label = f"{user} {load} {repeat + 1}"
                    name = label.replace(" ", "-")
                    memory = measure(work, command, "memory", [900, 1100], servers, options, name)
                    stores = {
                        database: measure(work, command, database, [500, 1100], servers, options, name)
                        for database in ("etcd", "zookeeper")}
                    problems += judge(label, memory, stores)
                for loop in loops:
                    loop.kill()
                    loop.wait()
                loops = []
    finally:
        for loop in loops:
            loop.kill()
        servers.stop()
        shutil.rmtree(work, ignore_errors=True)
    for problem in problems:
        print(problem)
    print("no step and no reversal that is not marked" if not problems else f"{len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
