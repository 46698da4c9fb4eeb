#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows whether the doctor names the cause of stalls that this script injects from outside.

Runs a load of puts and, during it, does one thing again and again at random times: stops the leader for 300 ms, slows
its fsync, starts busy loops, stops the load generator, collects ZooKeeper's garbage, defragments etcd, or lets ZooKeeper
write snapshots all the time. Another run has members in distant zones, and healthy runs have no injection. Nothing of
this is known to the run. Then it asks './quorate doctor RUN' and compares the first line with the injected cause.

Prints a line for each run, and for each cause how often it was named first. Exits with 1 if a cause was named first in
less than nine of ten runs, or if a healthy run accuses anything. Linux only; slow-fsync needs strace and root.

  src/diagnosis/injected_causes.py [--runs 10] [--seconds 25] [--only CAUSE,...] [--keep DIR] [--seed 1]
"""
import argparse
import glob
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
QUORATE = os.environ.get("QUORATE", str(CHECKOUT / "quorate"))
SCENARIO = """title: {cause}
mix: {{put: 80, get: 20}}
duration: {seconds}s
warm-up: 10_000
seed: {seed}
keys: {{size: 32, count: {keys}, distribution: uniform}}
values: {{size: {size}}}
load: {{rate: {rate}/s, connections: 30}}
databases: {databases}
{more}"""
BUSY = """
import os, sys, threading, time
end = time.time() + float(sys.argv[1])
for i in range(16):
    if os.fork() == 0:
        while time.time() < end:
            pass
        os._exit(0)
for i in range(16):
    os.wait()
"""


class Cause:
    """A cause: what the first line has to say, the scenario, and what to do again and again."""

    def __init__(self, words, inject=None, every=(2.0, 4.0), databases="[etcd]", keys=1_000, size=256, rate=200, more=""):
        self.words, self.inject, self.every = words, inject, every
        self.databases, self.keys, self.size, self.rate, self.more = databases, keys, size, rate, more


def stop(pid, seconds):
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


def below(pid):
    """Returns all processes below a process, with their command lines."""
    parents, commands = {}, {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                text = file.read()
            with open(path.replace("/stat", "/cmdline")) as file:
                command = file.read().replace("\0", " ")
        except OSError:
            continue
        own = int(path.split("/")[2])
        parents[own] = int(text[text.rindex(")") + 2:].split()[1])
        commands[own] = command
    found, more = set(), {pid}
    while more:
        found |= more
        more = {each for each, parent in parents.items() if parent in found} - found
    return {each: commands[each] for each in found if each in commands}


class Running:
    """The processes of a run."""

    def __init__(self, process, database):
        self.process, self.database = process, database

    def servers(self):
        word = {"etcd": "etcd --", "zookeeper": "QuorumPeerMain", "consul": "consul agent"}[self.database]
        return sorted(pid for pid, command in below(self.process.pid).items()
                      if word in command and "sh -c" not in command and not command.startswith("/bin/sh"))

    def load_generator(self):
        return next(pid for pid, command in below(self.process.pid).items() if "LoadGenerator" in command)

    def client_port(self, pid):
        command = below(self.process.pid)[pid]
        return re.search(r"--listen-client-urls[ =]https?://([0-9.:]+)", command).group(1)

    def leader(self):
        """Returns the pid of etcd's leader."""
        for pid in self.servers():
            with urllib.request.urlopen(f"http://{self.client_port(pid)}/metrics", timeout=5) as answer:
                if b"\netcd_server_is_leader 1\n" in answer.read():
                    return pid
        return self.servers()[0]


def member_paused(run):
    stop(run.leader(), 0.3)


def cpu_hog(run):
    subprocess.run([sys.executable, "-c", BUSY, "2"], check=True)


def load_generator_starved(run):
    stop(run.load_generator(), 0.3)


def collect_garbage(pid):
    """Asks a JVM for a collection as jcmd does, but without another JVM, whose start would use much CPU."""
    path = f"/tmp/.java_pid{pid}"
    if not os.path.exists(path):
        mark = pathlib.Path(f"/tmp/.attach_pid{pid}")
        mark.touch()
        os.kill(pid, signal.SIGQUIT)
        for _ in range(100):
            if os.path.exists(path):
                break
            time.sleep(0.05)
        mark.unlink()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b"1\0jcmd\0GC.run\0\0\0")
        while connection.recv(4096):
            pass


def garbage(run):
    for pid in run.servers():
        collect_garbage(pid)


def defragmentation(run):
    request = urllib.request.Request(f"http://{run.client_port(run.leader())}/v3/maintenance/defragment", b"{}")
    urllib.request.urlopen(request, timeout=60).read()


def slow_fsync(run):
    tracer = subprocess.Popen(
        ["strace", "-f", "-q", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_exit=150000",
         "-o", "/dev/null", "-p", str(run.leader())], stderr=subprocess.DEVNULL)
    time.sleep(1)
    tracer.terminate()
    tracer.wait()


CAUSES = {
    "member-paused": Cause("stop of the process", member_paused),
    "slow-link": Cause("round trip between members", rate=50, more="topology: {name: mn-mz, round-trip: 60ms}\n"),
    "gc-pressure": Cause("garbage collection of the server", garbage, databases="[zookeeper]", keys=100_000, size=1_024),
    "defragmentation": Cause("a defragmentation", defragmentation, every=(3.0, 6.0), keys=100_000, size=2_048),
    "snapshot-storm": Cause("a snapshot", databases="{zookeeper: {settings: {snapCount: 1000}}}", keys=200_000,
                            size=1_024),
    "cpu-hog": Cause("CPU use of another process", cpu_hog, every=(3.0, 6.0)),
    "slow-fsync": Cause("slow fsync", slow_fsync, every=(3.0, 5.0)),
    "starved-load-generator": Cause("stall of the load generator", load_generator_starved),
    "healthy": Cause("nothing conspicuous"),
    "healthy-zookeeper": Cause("nothing conspicuous", databases="[zookeeper]"),
    "healthy-consul": Cause("nothing conspicuous", databases="[consul]"),
}


def run(name, cause, number, arguments, work):
    """Runs a cause once; returns whether it was named first, and the first line of the doctor."""
    rng = random.Random(f"{arguments.seed} {name} {number}")
    scenario = work / f"{name}.yaml"
    scenario.write_text(SCENARIO.format(
        cause=name, seconds=arguments.seconds, seed=number + 1, keys=cause.keys, size=cause.size, rate=cause.rate,
        databases=cause.databases, more=cause.more))
    results = work / f"{name}-{number}"
    log = open(work / f"{name}-{number}.log", "w+")
    process = subprocess.Popen([QUORATE, "run", str(scenario), "--results", str(results)], stdout=log, stderr=log,
                               cwd=CHECKOUT)
    database = re.search(r"[a-z]+", cause.databases).group()
    running = Running(process, database)
    problems = []

    def injections():
        while process.poll() is None and "  measuring " not in open(log.name).read():
            time.sleep(0.1)
        end = time.time() + arguments.seconds - 2
        while cause.inject and process.poll() is None:
            time.sleep(rng.uniform(*cause.every))
            if time.time() > end:
                break
            try:
                cause.inject(running)
            except Exception as problem:  # the run may have just ended
                problems.append(repr(problem))

    thread = threading.Thread(target=injections)
    thread.start()
    code = process.wait()
    thread.join()
    if code not in (0, 3):
        raise SystemExit(f"{name}: the run failed, see {log.name}")
    for problem in problems:
        print("  ", problem)
    directory = next(results.glob("*/*/*/manifest.json")).parents[1]
    found = subprocess.run([QUORATE, "doctor", str(directory)], capture_output=True, text=True, cwd=CHECKOUT)
    if found.returncode not in (0, 3):
        raise SystemExit(f"{name}: {found.stderr}")
    (work / f"{name}-{number}.txt").write_text(found.stdout)
    first = found.stdout.splitlines()[0]
    if name.startswith("healthy"):
        return bool(re.search("nothing conspicuous|no recorded cause", first)), first
    return cause.words in first, first


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=25)
    parser.add_argument("--only", default=",".join(CAUSES))
    parser.add_argument("--keep")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    work = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="injected-causes-"))
    work.mkdir(parents=True, exist_ok=True)
    failed = False
    for name in arguments.only.split(","):
        if name == "slow-fsync" and not shutil.which("strace"):
            print(f"{name}: left out, as strace is missing")
            continue
        named = 0
        for number in range(arguments.runs):
            right, first = run(name, CAUSES[name], number, arguments, work)
            named += right
            print(f"{name} {number + 1}: {'named' if right else 'MISSED'}: {first}", flush=True)
        print(f"{name}: {named} of {arguments.runs}", flush=True)
        least = 1.0 if name.startswith("healthy") else 0.9
        failed |= named < least * arguments.runs
    if not arguments.keep:
        shutil.rmtree(work)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
