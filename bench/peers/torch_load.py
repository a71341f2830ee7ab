"""Seconds that `torch.load` takes for a state like the one of `cairn bench checkpoint`: weights and both moments of Adam,
256 MB of float32 in three tensors. Warm: the file is in the system's cache, the process has loaded it before. Cold: the
system has dropped the file first, and each load is the first of a new process, which has imported PyTorch. Medians.

Usage: torch_load.py FOLDER THREADS"""

import json
import os
import statistics
import subprocess
import sys
import time

import torch

ELEMENTS = (256 << 20) // 3 // 4
WARM_UP_ROUNDS = 5
ROUNDS = 7


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def drop(file):
    descriptor = os.open(file, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


FIRST_LOAD = '''
import sys, time, torch
torch.set_num_threads(int(sys.argv[2]))
start = time.perf_counter()
torch.load(sys.argv[1])
print(time.perf_counter() - start)
'''


def first_load(file, threads):
    command = [sys.executable, "-c", FIRST_LOAD, file, str(threads)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main(folder, threads):
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    state = {name: torch.randn(ELEMENTS) * 0.02 for name in ("weights", "m", "v")}
    file = os.path.join(folder, "state.pt")
    torch.save(state, file)
    live = {name: torch.empty_like(tensor) for name, tensor in state.items()}
    warm, copies, cold = [], [], []
    for _ in range(WARM_UP_ROUNDS):
        torch.load(file)
    for _ in range(ROUNDS):
        warm.append(seconds(lambda: torch.load(file)))
        copies.append(seconds(lambda: [live[name].copy_(tensor) for name, tensor in torch.load(file).items()]))
    for _ in range(ROUNDS):
        drop(file)
        cold.append(first_load(file, threads))
    os.remove(file)
    print(
        json.dumps(
            {
                "version": torch.__version__,
                "warm": statistics.median(warm),
                "warm+copy": statistics.median(copies),
                "cold": statistics.median(cold),
            }
        )
    )


main(sys.argv[1], int(sys.argv[2]))
