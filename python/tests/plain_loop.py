"""A training in plain Python: numbers that depend on all that came before, and on a random generator.

Usage: plain_loop.py RUN STEPS RESULT [EVERY]. Writes the digest of the final state to RESULT.
"""

import array
import hashlib
import os
import random
import sys
import time

import cairn


def main() -> None:
    run, steps, result = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    every = sys.argv[4] if len(sys.argv) > 4 else "5"
    pause = float(os.environ.get("STEP_SECONDS", "0.002"))
    random.seed(1)
    weights = array.array("f", [0.0]) * 20_000
    trace = {"mu": array.array("d", [0.0]) * 500, "history": []}
    buffers = {"seen": 0, "last": array.array("q", [0, 0])}
    state = {"weights": weights, "trace": trace, "buffers": buffers}
    with cairn.Checkpoints(run, every=int(every) if every.isdigit() else every, **state) as ck:
        step = ck.restore()
        print("from", step, flush=True)
        while step < steps:
            place = random.randrange(len(weights) - 500)
            gain = random.random() * (1 + buffers["last"][1] % 7)
            time.sleep(pause)
            ck.before_update()
            for i in range(500):
                trace["mu"][i] = 0.9 * trace["mu"][i] + gain
                weights[place + i] -= 0.01 * trace["mu"][i] * (i % 13)
            buffers["seen"] += 1
            buffers["last"][0], buffers["last"][1] = place, step
            trace["history"] = (trace["history"] + [gain])[-3:]
            step += 1
            ck.log(loss=gain)
            ck.after_step(step)
    total = hashlib.sha256()
    for part in (weights, trace["mu"], buffers["last"]):
        total.update(part.tobytes())
    total.update(repr((buffers["seen"], trace["history"], random.getstate(), step)).encode())
    with open(result + ".new", "w") as out:
        out.write(total.hexdigest())
    os.replace(result + ".new", result)


main()
