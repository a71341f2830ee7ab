"""Processes of tests: they are killed at chosen instants, and leave nothing behind."""

import os
import random
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
#: A bound, not a wait: machines may be overloaded.
BOUND = 300.0


def start(script, *arguments, **environment):
    """Starts a Python script of this folder."""
    return subprocess.Popen(
        [sys.executable, os.path.join(HERE, script), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def end(process):
    """Its exit code, output and errors."""
    out, err = process.communicate(timeout=BOUND)
    return process.returncode, out, err


def sidecars(of=None):
    """The ids of the sidecars that run now, of this training or of all."""
    found = []
    for each in os.listdir("/proc"):
        if not each.isdigit():
            continue
        try:
            with open(f"/proc/{each}/cmdline", "rb") as line:
                words = line.read().split(b"\0")
        except OSError:
            continue
        if b"dev.cairn.sidecar.Main" in words:
            training = words[words.index(b"dev.cairn.sidecar.Main") + 2]
            if of is None or int(training) == of:
                found.append(int(each))
    return found


def eventually(condition, what):
    until = time.monotonic() + BOUND
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"not within {BOUND} s: {what}")
        time.sleep(0.02)


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def killed_again_and_again(script, run, steps, result, seed, kills, who=("training",), **environment):
    """Runs a training to its end through so many kills at random instants. Returns its starting steps."""
    rng = random.Random(seed)
    starts, done = [], 0
    pids = []
    while True:
        process = start(script, run, steps, result, **environment)
        pids.append(process.pid)
        line = process.stdout.readline()
        if not line.startswith("from "):
            raise AssertionError(f"seed={seed}: {line}{end(process)}")
        starts.append(int(line.split()[1]))
        if done < kills:
            done += 1
            time.sleep(rng.random() * float(environment.get("LONGEST", "0.6")))
            victims = rng.choice(who)
            if "sidecar" in victims:
                for each in sidecars(process.pid):
                    kill(each)
            if "training" in victims:
                kill(process.pid)
                process.communicate(timeout=BOUND)
                if process.returncode != 0:
                    continue
        code, out, err = end(process)
        if code != 0:
            raise AssertionError(f"seed={seed}: exit code {code}: {out}{err}")
        if done >= kills or os.path.exists(result):
            break
    for pid in pids:
        eventually(lambda: not sidecars(pid), f"the sidecar of {pid} ends")
    return starts
