"""The same two models in PyTorch, eager, with momentum, on one thread: steps a second of lr, images a second of lenet."""

import json
import time

import torch
from torch import nn
from torch.nn import functional

ROUNDS = 5
BATCHES = 50


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, images):
        features = functional.avg_pool2d(functional.relu(self.conv1(images)), 2)
        features = functional.avg_pool2d(functional.relu(self.conv2(features)), 2).flatten(1)
        hidden = functional.relu(self.fc2(functional.relu(self.fc1(features))))
        return self.fc3(hidden)


def steps_per_second(model, shape, batch, steps):
    """The best of some rounds, as 'cairn bench train' has it."""
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9)
    images = torch.rand(BATCHES, batch, *shape)
    labels = torch.randint(0, 10, (BATCHES, batch))

    def train(count):
        for i in range(count):
            optimizer.zero_grad(set_to_none=True)
            functional.cross_entropy(model(images[i % BATCHES]), labels[i % BATCHES]).backward()
            optimizer.step()

    train(30)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        train(steps)
        best = min(best, time.perf_counter() - start)
    return steps / best


torch.set_num_threads(1)
torch.manual_seed(0)
print(
    json.dumps(
        {
            "version": torch.__version__,
            "lr.1t": steps_per_second(nn.Linear(784, 10), (784,), 100, 2000),
            "lenet.1t": 64 * steps_per_second(LeNet(), (1, 28, 28), 64, 200),
        }
    )
)
