"""What saving costs a PyTorch training loop in total: an MLP with Adam (70 MB of state), saved every K steps by
torch.save, torch.distributed.checkpoint (DCP), DCP's asynchronous save, and Cairn, in turns with the loop that saves nothing.

The time is that of the whole loop, until the last save is durable. Cairn's starts with a fresh sidecar each time, whose code
is cold; the time to start it is given apart.

Usage: training_loop.py DIR [K [STEPS [TURNS [KINDS]]]]
"""

import os
import shutil
import statistics
import sys
import time

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.nn import functional as F

import cairn

root = sys.argv[1]
K, N, TURNS = (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in ((2, 50), (3, 300), (4, 3)))
KINDS = sys.argv[5].split(",") if len(sys.argv) > 5 else ["torch.save", "dcp.save", "dcp.async", "cairn", "cairn.lossy"]

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29514", RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo")
torch.set_num_threads(len(os.sched_getaffinity(0)))
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(784, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 10))
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
X, Y = torch.rand(64, 64, 784), torch.randint(0, 10, (64, 64))


def forward_and_backward(i):
    optimizer.zero_grad()
    F.cross_entropy(model(X[i % 64]), Y[i % 64]).backward()


def state():
    return {"m": model.state_dict(), "o": optimizer.state_dict()}


def peer(kind):
    future, waited, start, number = None, 0.0, time.perf_counter(), 0
    for i in range(N):
        forward_and_backward(i)
        optimizer.step()
        if kind != "none" and i % K == K - 1:
            before = time.perf_counter()
            path = os.path.join(root, f"{kind}{number % 2}")
            number += 1
            shutil.rmtree(path, ignore_errors=True)
            if kind == "torch.save":
                torch.save(state(), path + ".pt")
                with open(path + ".pt", "rb") as file:
                    os.fsync(file.fileno())
            elif kind == "dcp.save":
                dcp.save(state(), checkpoint_id=path)
            else:
                if future:
                    future.result()
                future = dcp.async_save(state(), checkpoint_id=path)
            waited += time.perf_counter() - before
    if future:
        future.result()
    return time.perf_counter() - start, waited, 0.0, number


def ours(kind):
    path = os.path.join(root, "run")
    shutil.rmtree(path, ignore_errors=True)
    before = time.perf_counter()
    codec = "lossy+m" if kind.endswith("lossy") else "lossless"
    every = "auto" if kind.endswith("auto") else K
    ck = cairn.Checkpoints(path, every=every, codec=codec, keep="latest:2", model=model, optimizer=optimizer)
    ck.restore()
    start = time.perf_counter()
    for i in range(N):
        forward_and_backward(i)
        ck.before_update()
        optimizer.step()
        ck.after_step(i + 1)
    ck._settle(None)
    end = time.perf_counter()
    statistics = ck.statistics()
    ck.close(save=False)
    return end - start, statistics["waited"], start - before, int(statistics["committed"])


os.makedirs(root, exist_ok=True)
for i in range(20):
    forward_and_backward(i)
    optimizer.step()
results = {}
for turn in range(TURNS):
    for kind in ["none", *KINDS]:
        results.setdefault(kind, []).append(ours(kind) if kind.startswith("cairn") else peer(kind))
base = statistics.median(each[0] for each in results["none"])
print(f"step {base / N * 1e3:.2f} ms, {N} steps, {TURNS} turns, torch {torch.__version__}, {torch.get_num_threads()} threads")
for kind, each in results.items():
    total, waited, begin, saves = (statistics.median(column) for column in zip(*each))
    added = total - base
    print(
        f"{kind:12s} total {total:6.2f} s  added {100 * added / base:5.1f} %  waited {100 * waited / base:4.1f} %"
        f"  saves {saves:.0f}  each {1e3 * added / max(saves, 1):4.0f} ms  start {begin:.2f} s"
    )
shutil.rmtree(root, ignore_errors=True)
