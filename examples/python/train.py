"""A plain PyTorch loop that survives 'kill -9': run it again, and it goes on. Usage: train.py RUN [EPOCHS]"""

import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

import cairn

torch.manual_seed(0)
x = torch.rand(4096, 64)
y = (x @ torch.rand(64, 1)).sin()

model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.BatchNorm1d(128), torch.nn.ReLU(), torch.nn.Linear(128, 1))
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
loader = cairn.Loader(DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True))

ck = cairn.attach(model, optimizer, run=sys.argv[1], data=loader, every="200ms")  # the usual: every="auto"
for epoch in range(loader.epoch, int(sys.argv[2]) if len(sys.argv) > 2 else 40):
    for a, b in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
    ck.log(loss=loss.item())
    print(f"epoch {epoch} loss {loss.item():.6f}", flush=True)
