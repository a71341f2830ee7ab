"""A PyTorch training with all that makes resuming hard: a shuffled loader, gradient accumulation, a scheduler,
BatchNorm, dropout, tied weights, and numbers drawn from three generators.

Usage: torch_loop.py RUN STEPS RESULT [EVERY]. Writes the digest of the final state to RESULT.
"""

import hashlib
import os
import random
import sys
import time

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import cairn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(20, 32)
        self.norm = nn.BatchNorm1d(32)
        self.drop = nn.Dropout(0.2)
        self.middle = nn.Linear(32, 32)
        self.tied = self.middle
        self.last = nn.Linear(32, 5)

    def forward(self, x):
        x = self.drop(torch.relu(self.norm(self.first(x))))
        return self.last(torch.relu(self.tied(torch.relu(self.middle(x)))))


def digest(*states) -> str:
    total = hashlib.sha256()

    def add(value) -> None:
        if isinstance(value, torch.Tensor):
            total.update(str((value.dtype, tuple(value.shape))).encode())
            total.update(value.detach().contiguous().view(torch.uint8).numpy().tobytes() if value.dim() else
                         value.detach().reshape(1).view(torch.uint8).numpy().tobytes())
        elif isinstance(value, dict):
            for key in value:
                add(str(key))
                add(value[key])
        elif isinstance(value, (list, tuple)):
            for each in value:
                add(each)
        else:
            total.update(repr(value).encode())

    for state in states:
        add(state)
    return total.hexdigest()


def main() -> None:
    run, steps, result = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    every = sys.argv[4] if len(sys.argv) > 4 else "7"
    pause = float(os.environ.get("STEP_SECONDS", "0"))
    torch.manual_seed(1)
    torch.set_num_threads(1)
    numpy.random.seed(2)
    random.seed(3)
    x, y = torch.randn(500, 20), torch.randint(0, 5, (500,))
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5, 0.9)
    loader = cairn.Loader(DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True))
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    with cairn.Checkpoints(run, every=int(every) if every.isdigit() else every, data=loader, **parts) as ck:
        step = ck.restore()
        print("from", step, flush=True)
        while step < steps:
            for i, (a, b) in enumerate(loader):
                noise = random.random() + numpy.random.rand()
                loss = nn.functional.cross_entropy(model(a + 0.01 * noise), b) / 2
                loss.backward()
                if loader.batch % 2 == 0 or loader.batch == len(loader):
                    ck.before_update()
                    optimizer.step()
                    optimizer.zero_grad()
                    scheduler.step()
                    step += 1
                    ck.log(loss=loss.item())
                    ck.after_step(step)
                    if pause:
                        time.sleep(pause)
                    if step >= steps:
                        break
    random_states = [torch.get_rng_state(), random.getstate(), numpy.random.get_state()[1].tolist()]
    with open(result + ".new", "w") as out:
        out.write(digest(model.state_dict(), optimizer.state_dict(), scheduler.state_dict(), random_states))
    os.replace(result + ".new", result)


main()
