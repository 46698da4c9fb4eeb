#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the Gatling DSL with scenarios, and looks for what its users leave behind.

For each store, on a cluster of three members on this machine:
- puts, through the DSL and through a scenario in turn: the same number at the same rate over as many connections,
  both after a warm-up of 30 s.
  Prints requests, failures, p50, p99 and CPU time of the load generator per request.
- users who also watch and lock: failures, threads of the JVM, and what the server still has after them.

./quorate, which has to be built, starts the clusters, on ports 25790 to 25870.
"""
import argparse
import glob
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
HOME = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
QUORATE = os.environ.get("QUORATE", os.path.join(HOME, "quorate")).split()
PORTS = {"etcd": 25790, "zookeeper": 25850}
WARM_UP = 30
TICKS = os.sysconf("SC_CLK_TCK")


class Sampler(threading.Thread):
    """CPU seconds and threads of the JVMs below a process, four times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.root, self.samples, self.ended = pid, [], False
        self.start()

    def run(self):
        while not self.ended:
            self.samples.append((time.time(), self.now()))
            time.sleep(0.25)

    def now(self):
        parents, found = {}, {}
        for stat in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(stat) as file:
                    text = file.read()
            except OSError:
                continue  # it has ended
            pid = int(text.split(" ", 1)[0])
            fields = text[text.rindex(")") + 2:].split()
            parents[pid] = int(fields[1])
            found[pid] = ((int(fields[11]) + int(fields[12])) / TICKS, int(fields[17]))
        below = {self.root}
        for _ in range(4):
            below |= {pid for pid, parent in parents.items() if parent in below}
        return {pid: found[pid] for pid in below if pid in found}

    def cpu(self, pid, start, end):
        """Returns the CPU seconds of a process between two times, and the seconds between the samples."""
        inside = [(at, all_[pid][0]) for at, all_ in self.samples if start <= at <= end and pid in all_]
        return inside[-1][1] - inside[0][1], inside[-1][0] - inside[0][0]

    def threads(self, pid):
        return [all_[pid][1] for _, all_ in self.samples if pid in all_]


def numbers(text):
    return {name: float(value) for name, value in re.findall(r"(?m)^(\w+)(?:\{\})?[ \t]([\d.e+]+)$", text)}


def left(store, endpoint):
    """Returns what clients have at a member."""
    host, port = endpoint.split(":")
    if store == "etcd":
        with urllib.request.urlopen("http://" + endpoint + "/metrics") as page:
            text = page.read().decode()
        all_ = numbers(text)
        leases = sum(sign * all_.get("etcd_debugging_" + name, 0)
                     for sign, name in ((1, "lease_granted_total"), (-1, "lease_revoked_total"),
                                        (-1, "server_lease_expired_total")))
        known = {"watchers": all_["etcd_debugging_mvcc_watcher_total"], "leases and so locks": leases}
    else:
        with socket.create_connection((host, int(port))) as sock:
            sock.sendall(b"mntr")
            all_ = numbers(b"".join(iter(lambda: sock.recv(65536), b"")).decode())
        known = {"sessions": all_["zk_num_alive_connections"], "watches": all_["zk_watch_count"],
                 "nodes of sessions, and so locks": all_["zk_ephemerals_count"]}
    with open("/proc/net/tcp") as table:
        rows = [row.split() for row in table.readlines()[1:]]
    known["connections"] = sum(row[1].endswith(":%04X" % int(port)) and row[3] == "01" for row in rows)
    return known


def dsl(arguments, store, endpoints, kind, directory):
    """Runs users; returns the values of their requests."""
    classes = os.path.join(arguments.output, "classes")
    command = ["java", "-Xms512m", "-Xmx2g", "--add-opens=java.base/java.lang=ALL-UNNAMED"]
    settings = {"store": store, "endpoints": ",".join(endpoints), "kind": kind, "rate": arguments.rate,
                "seconds": arguments.seconds, "warmUp": WARM_UP, "prefix": "dsl-%d-" % (time.time() * 1000)}
    command += ["-Dload.%s=%s" % each for each in settings.items()]
    command += ["-cp", classes + ":" + arguments.classpath, "io.gatling.app.Gatling", "-s", "DslLoad", "-rf", directory]
    before = [left(store, each) for each in endpoints]
    log = open(directory + ".txt", "w+")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sampler = Sampler(process.pid)
    started = ended = 0
    threads_before = 0
    for line in process.stdout:
        log.write(line)
        if " started..." in line:
            started = time.time()
            threads_before = sampler.threads(process.pid)[-1]
        if "Parsing log file" in line and not ended:
            ended = time.time()
    process.wait()
    sampler.ended = True
    threads = sampler.threads(process.pid)
    started += WARM_UP
    cpu, seconds = sampler.cpu(process.pid, started + arguments.seconds / 4, started + arguments.seconds)
    log.flush()
    log.seek(0)
    text = log.read()

    def row(name):
        """Returns a row of the table that Gatling prints: of all, successful and failed requests."""
        found = re.search(r"(?m)^> " + re.escape(name) + r" *\|(.*)\|(.*)\|(.*)$", text)
        return [float(each.replace(",", "").replace("-", "0")) for each in found.groups()]

    asked, succeeded, failed = row("request count")
    if kind == "users":
        print("  users: %d requests, %d failed%s, in %.0f s" % (
            asked, failed, " (see %s)" % log.name if failed else "", ended - started))
        print("  threads: %d before, %d at most, %d at the end" % (threads_before, max(threads), threads[-1]))
        limit = time.time() + 30
        while [left(store, each) for each in endpoints] != before and time.time() < limit:
            time.sleep(1)
        for endpoint, then in zip(endpoints, before):
            now = left(store, endpoint)
            print("  left at %s: %s" % (endpoint, ", ".join(
                "%s %d (before: %d)" % (name, now[name], then[name]) for name in now)))
        return None
    with open(glob.glob(directory + "/*/index.html")[0]) as page:
        cells = " ".join(re.sub("<[^>]*>", " ", page.read()).split())
    # the row of the puts alone: total, OK, KO, % KO, per second, least, p50, p75, p95, p99
    puts = [float(each) for each in re.search(r" put (?:0 )?((?:[\d.]+ ){10})", cells).group(1).split()]
    return {"ok": puts[1], "failed": puts[2], "p50": puts[6], "p99": puts[9],
            "us": cpu / (seconds * arguments.rate) * 1e6}


def engine(arguments, store, endpoints, directory):
    """Runs a scenario with the same puts; returns its values."""
    command = QUORATE + ["run", "put", "--database", store, "--endpoints", ",".join(endpoints), "--rate",
                         str(arguments.rate), "--duration", "%ds" % arguments.seconds, "--connections", "6",
                         "--key-size", "64", "--value-size", "256", "--results", directory]
    with open(directory + ".txt", "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        sampler = Sampler(process.pid)
        process.wait()
    sampler.ended = True
    result = json.load(open(glob.glob(directory + "/**/result.json", recursive=True)[0]))["databases"][0]
    with open(glob.glob(directory + "/**/seconds.csv", recursive=True)[0]) as file:
        seconds = [int(line.split(",")[2]) for line in file.readlines()[1:]]
    first, last = min(seconds), max(seconds)
    # of all JVMs, the load generator has the most CPU time meanwhile
    pids = {pid for at, all_ in sampler.samples if first <= at <= last for pid in all_}
    cpu, length = max(sampler.cpu(pid, first + (last - first) / 4, last) for pid in pids)
    operation = result["steps"][0]["operations"][0]
    return {"ok": operation["requestsSucceeded"], "failed": operation["requestsFailed"] + operation["requestsDropped"],
            "p50": operation["latencyMs"]["p50"], "p99": operation["latencyMs"]["p99"],
            "us": cpu / (length * arguments.rate) * 1e6}


def compare(arguments, store, endpoints):
    rows = []
    for pair in range(1, arguments.pairs + 1):
        for name, run in (("DSL", lambda to: dsl(arguments, store, endpoints, "puts", to)),
                          ("scenario", lambda to: engine(arguments, store, endpoints, to))):
            values = run(os.path.join(arguments.output, "%s-%s-%d" % (store, name, pair)))
            rows.append((name, values))
            print("  %-8s %d: %d ok, %d failed, p50 %.2f ms, p99 %.2f ms, CPU per request %.0f us" % (
                name, pair, values["ok"], values["failed"], values["p50"], values["p99"], values["us"]), flush=True)
    asked = arguments.rate * arguments.seconds
    print("  counts:", "equal" if all(each["ok"] == asked for _, each in rows) else "NOT all %d" % asked)
    for value in ("p50", "p99"):
        all_ = {name: [each[value] for other, each in rows if other == name] for name in ("DSL", "scenario")}
        # whole milliseconds, and what two runs of one kind differ by
        band = 1 + max(max(each) - min(each) for each in all_.values())
        difference = sum(all_["DSL"]) / arguments.pairs - sum(all_["scenario"]) / arguments.pairs
        print("  %s: DSL - scenario = %.2f ms, band %.2f ms: %s" % (
            value, difference, band, "agree" if abs(difference) <= band else "DIFFER"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="zookeeper,etcd")
    parser.add_argument("--classpath", default=os.path.join(HOME, "bench-gatling", "target", "lib", "*"))
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=2)
    parser.add_argument("--output", default="/tmp/quorate-dsl")
    arguments = parser.parse_args()
    classes = os.path.join(arguments.output, "classes")
    os.makedirs(classes, exist_ok=True)
    subprocess.run(["javac", "-d", classes, "-cp", arguments.classpath, os.path.join(HERE, "DslLoad.java")], check=True)
    for store in arguments.stores.split(","):
        port = PORTS[store]
        endpoints = ["127.0.0.1:%d" % (port + 10 * member) for member in range(3)]
        up = subprocess.run(QUORATE + ["cluster", "up", store, "--port", str(port)], capture_output=True, text=True)
        if up.returncode:
            sys.exit(up.stdout + up.stderr)
        print(store, "at", ", ".join(endpoints), flush=True)
        try:
            compare(arguments, store, endpoints)
            dsl(arguments, store, endpoints, "users", os.path.join(arguments.output, store + "-users"))
        finally:
            subprocess.run(QUORATE + ["cluster", "down", store], stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
