import contextlib
import io
import os
import shutil
import sys
import tempfile
import unittest

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import cairn
from processes import end, eventually, killed_again_and_again, sidecars, start

KILLS = int(os.environ.get("CAIRN_TEST_KILLS", "3"))
SEED = int(os.environ.get("CAIRN_TEST_SEED", "11"))

FLOATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2,
          torch.float8_e4m3fnuz, torch.float8_e5m2fnuz]  # fmt: skip
WHOLES = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.uint16, torch.uint32, torch.uint64]


def bits(tensor):
    return (tensor.dtype, tensor.shape, tensor.contiguous().flatten().view(torch.uint8).tolist())


class TorchTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.addCleanup(lambda: eventually(lambda: not sidecars(os.getpid()), "all sidecars end"))
        self.run_folder = os.path.join(self.folder, "run")
        self.errors = io.StringIO()
        told = contextlib.redirect_stderr(self.errors)
        told.__enter__()
        self.addCleanup(told.__exit__, None, None, None)
        torch.manual_seed(0)

    def saved(self, **parts):
        with cairn.Checkpoints(self.run_folder, **parts) as ck:
            ck.restore()
            ck.after_step(1)

    def test_a_killed_training_ends_in_the_same_bits(self):
        undisturbed, disturbed = (os.path.join(self.folder, each) for each in ("one", "two"))
        self.assertEqual(end(start("torch_loop.py", self.run_folder, 150, undisturbed))[0], 0)
        killed_again_and_again(
            "torch_loop.py", os.path.join(self.folder, "killed"), 150, disturbed, SEED, KILLS,
            ("training", "sidecar", "training and sidecar"), STEP_SECONDS="0.01", LONGEST="2.5",
        )  # fmt: skip
        with open(undisturbed) as one, open(disturbed) as two:
            self.assertEqual(one.read(), two.read())

    def test_stores_every_type_bit_for_bit(self):
        state = {str(each): torch.randn(33, 7).to(each) for each in FLOATS}
        state.update((str(each), torch.randint(0, 100, (40,)).to(each)) for each in WHOLES)
        state["nan"] = torch.tensor([float("nan"), -0.0, float("inf"), 1e-45])
        state["bool"] = torch.tensor([[True], [False]])
        state["complex64"], state["complex128"] = torch.randn(5, dtype=torch.complex64), torch.randn(2, 3, dtype=torch.complex128)
        state["scalar"], state["empty"] = torch.tensor(3.5), torch.empty(0, 4)
        state["strided"] = torch.randn(6, 8).t()[::2]
        state["conjugate"] = torch.randn(5, dtype=torch.complex64).conj()
        self.saved(anything=state)
        back = cairn.load_state(self.run_folder)["anything"]
        self.assertEqual(list(back), list(state))
        for name, tensor in state.items():
            self.assertEqual(bits(back[name]), bits(tensor.resolve_conj()), name)

    def test_refuses_sparse_tensors_with_a_cure(self):
        with cairn.Checkpoints(self.run_folder, every=1, emb=[torch.eye(3).to_sparse()]) as ck:
            ck.restore()
            ck.after_step(1)
            self.assertRegex(self.errors.getvalue(), r"emb\.0 is sparse; store emb\.0\.to_dense\(\)")
            ck._updating = True  # nothing to save at the end

    def test_stores_tied_weights_once_and_restores_them_tied(self):
        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed = nn.Embedding(1000, 64)
                self.head = nn.Linear(64, 1000, bias=False)
                self.head.weight = self.embed.weight

        model = Tied()
        with cairn.Checkpoints(self.run_folder, codec="full", model=model) as ck:
            ck.restore()
            ck.after_step(1)
        folder = os.path.join(self.run_folder, "segments")
        size = sum(os.path.getsize(os.path.join(folder, each)) for each in os.listdir(folder))
        self.assertLess(size, 1.5 * model.embed.weight.nbytes)
        again = Tied()
        with cairn.Checkpoints(self.run_folder, model=again) as ck:
            ck.restore()
            ck._updating = True
        self.assertIs(again.head.weight, again.embed.weight)
        self.assertTrue(torch.equal(again.head.weight, model.embed.weight))

    def test_attaches_in_one_line(self):
        def training(run, epochs, stop_after=None):
            torch.manual_seed(3)
            x, y = torch.randn(64, 10), torch.randn(64, 1)
            model = nn.Sequential(nn.Linear(10, 8), nn.BatchNorm1d(8), nn.Dropout(0.1), nn.Linear(8, 1))
            optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
            loader = cairn.Loader(DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True))
            ck = cairn.attach(model, optimizer, run=run, data=loader, every=3)
            for _ in range(loader.epoch, epochs):
                for a, b in loader:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(model(a), b).backward()
                    optimizer.step()
                    if ck.step == stop_after:
                        ck.close(save=True)
                        return model
            ck.close()
            return model

        one = training(os.path.join(self.folder, "whole"), 6)
        training(self.run_folder, 6, stop_after=19)
        two = training(self.run_folder, 6)
        for (name, a), (_, b) in zip(one.state_dict().items(), two.state_dict().items()):
            self.assertEqual(bits(a), bits(b), name)
        self.assertIn("goes on from step 19", self.errors.getvalue())

    def test_attach_says_what_it_does_not_save(self):
        model = nn.Linear(2, 2)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        cairn.attach(model, optimizer, self.run_folder).close()
        self.assertIn("the place in the data is not saved; give data=", self.errors.getvalue())
        torch.optim.lr_scheduler.StepLR(optimizer, 5)
        with self.assertRaisesRegex(cairn.CairnError, "has a learning rate scheduler.*use cairn.Checkpoints"):
            cairn.attach(model, optimizer, self.run_folder)

    def test_another_model_is_refused_in_one_line(self):
        self.saved(model=nn.Linear(3, 2))
        with cairn.Checkpoints(self.run_folder, model=nn.Linear(3, 4)) as ck:
            with self.assertRaisesRegex(cairn.CairnError, r"^the checkpoint does not fit 'model': [^\n]*size mismatch[^\n]*$"):
                ck.restore()

    def test_a_gradient_scaler_that_skips_and_a_scheduler_are_restored(self):
        def make():
            torch.manual_seed(5)
            model = nn.Linear(4, 4)
            optimizer = torch.optim.Adam(model.parameters())
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)
            scaler = torch.amp.GradScaler("cpu", init_scale=3e38, growth_interval=3)
            return dict(model=model, optimizer=optimizer, scheduler=scheduler, scaler=scaler)

        def train(ck, parts, until):
            step = ck.restore()
            while step < until:
                loss = 100 * parts["model"](torch.randn(8, 4)).square().mean()
                parts["optimizer"].zero_grad()
                parts["scaler"].scale(loss).backward()
                ck.before_update()
                parts["scaler"].step(parts["optimizer"])
                before = parts["scaler"].get_scale()
                parts["scaler"].update()
                skips.append(parts["scaler"].get_scale() < before)
                parts["scheduler"].step()
                step += 1
                ck.after_step(step)

        results, skips = [], []
        for stops in ((12,), (2, 7, 12)):
            run = os.path.join(self.folder, str(len(stops)))
            for until in stops:
                parts = make()
                with cairn.Checkpoints(run, every=4, **parts) as ck:
                    train(ck, parts, until)
            results.append([parts[each].state_dict() for each in ("scaler", "scheduler")] + [bits(parts["model"].weight)])
        self.assertEqual(results[0], results[1])
        self.assertIn(True, skips)
        self.assertIn(False, skips)

    def test_loads_weights_of_any_run(self):
        model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        optimizer = torch.optim.Adam(model.parameters())
        model(torch.randn(5, 3)).sum().backward()
        optimizer.step()
        with cairn.Checkpoints(self.run_folder, every=1, keep="all", model=model, optimizer=optimizer) as ck:
            ck.restore()
            ck.log(accuracy=0.9)
            ck.after_step(1)
            self.assertTrue(ck.save_now())
            first = {name: value.clone() for name, value in model.state_dict().items()}
            with torch.no_grad():
                model[0].weight.zero_()
            ck.log(accuracy=0.1)
            ck.after_step(2)
        loaded = cairn.load(self.run_folder, only="weights")
        self.assertEqual(set(loaded), set(first))
        self.assertTrue(torch.equal(loaded["0.weight"], torch.zeros(4, 3)))
        best = cairn.load(self.run_folder, "best", only="0.")
        self.assertEqual(set(best), {"0.weight", "0.bias"})
        self.assertTrue(torch.equal(best["0.weight"], first["0.weight"]))
        again = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        again.load_state_dict(cairn.load(self.run_folder, 1, only="weights"))
        self.assertEqual(bits(again[0].weight), bits(first["0.weight"]))
        arrays = cairn.load(self.run_folder, 1, library="numpy", only=["0.weight"])
        self.assertTrue(numpy.array_equal(arrays["0.weight"], first["0.weight"].numpy()))
        with self.assertRaisesRegex(cairn.CairnError, r"^[^\n]*7[^\n]*$"):
            cairn.load(self.run_folder, 7)

    def test_forked_workers_of_a_loader_leave_the_run_alone(self):
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        inner = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=4, shuffle=True, num_workers=2)
        loader = cairn.Loader(inner)
        with cairn.attach(model, optimizer, self.run_folder, data=loader, every=2) as ck:
            for _ in range(2):
                for (x,) in loader:
                    optimizer.zero_grad()
                    model(x).sum().backward()
                    optimizer.step()
        self.assertEqual(cairn.load_state(self.run_folder)["step"], 32)
        self.assertEqual(ck.statistics()["failed"], 0)

    def test_numpy_arrays_are_restored_in_place(self):
        state = {"w": numpy.arange(12.0).reshape(3, 4), "i": numpy.int32(7), "f": numpy.asfortranarray(numpy.eye(3))}
        self.saved(state=state)
        new = {"w": numpy.zeros((3, 4)), "i": numpy.int32(0), "f": numpy.zeros((3, 3))}
        array = new["w"]
        with cairn.Checkpoints(self.run_folder, state=new) as ck:
            ck.restore()
            ck._updating = True
        self.assertIs(new["w"], array)
        for key in state:
            self.assertTrue(numpy.array_equal(new[key], state[key]), key)
        self.assertIs(type(new["i"]), numpy.int32)


if __name__ == "__main__":
    sys.exit(unittest.main())
