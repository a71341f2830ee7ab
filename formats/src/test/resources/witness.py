"""Reads and writes tensor files with the libraries that everybody uses, for tests that compare bits.

witness.py read FORMAT FILE    prints, as JSON, each tensor's name, type, shape and bytes, and the file's metadata
witness.py write FOLDER        writes files of each format, and what is in them as FOLDER/expected.json
witness.py optimizer FILE KIND  loads model and optimizer as torch.optim does, and prints what they hold after a step
witness.py has MODULE          says whether it can be imported
"""

import json
import sys

import numpy
import safetensors


def described(name, dtype, shape, data):
    return {"name": name, "dtype": dtype, "shape": list(shape), "bytes": bytes(data).hex()}


def of_array(name, array):
    return described(name, str(array.dtype), array.shape, array.tobytes())


def of_tensor(name, tensor):
    import torch

    data = tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    return described(name, str(tensor.dtype).removeprefix("torch."), tensor.shape, data)


def read_safetensors(file):
    with open(file, "rb") as opened:
        content = opened.read()
    tensors = [described(name, t["dtype"], t["shape"], t["data"]) for name, t in safetensors.deserialize(content)]
    with safetensors.safe_open(file, "np") as opened:
        return tensors, opened.metadata() or {}


def read_npz(file):
    with numpy.load(file, allow_pickle=False) as arrays:
        metadata = json.loads(arrays["__metadata__.json"]) if "__metadata__.json" in arrays.files else {}
        return [of_array(name, arrays[name]) for name in arrays.files if name != "__metadata__.json"], metadata


def read_pt(file):
    import torch

    state = torch.load(file, weights_only=True)
    mapped = torch.load(file, weights_only=True, mmap=True)
    metadata = state.pop("__metadata__", {})
    for name, tensor in state.items():
        assert of_tensor(name, tensor) == of_tensor(name, mapped[name]), name
    return [of_tensor(name, tensor) for name, tensor in state.items()], metadata


def arrays():
    random = numpy.random.default_rng(1)
    made = {}
    for dtype in "f8 f4 f2 i8 i4 i2 i1 u8 u4 u2 u1 c8".split():
        array = numpy.frombuffer(random.bytes(24 * numpy.dtype(dtype).itemsize), dtype)
        made["layer/" + str(array.dtype)] = array.reshape(2, 3, 4)
    made["bool"] = numpy.array([True, False, True])
    made["scalar"] = numpy.array(1.5, "f4")
    made["empty"] = numpy.zeros((0, 3), "i8")
    made["column"] = numpy.asfortranarray(numpy.arange(5.0).reshape(5, 1))
    made["ünï.☃"] = numpy.arange(70000, dtype="i4")
    return made


def write_pt(folder, expected):
    import collections

    import torch

    names = "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 uint64 uint32 uint16 complex64".split()
    names += "float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu".split()
    names = [name for name in names if hasattr(torch, name)]
    random = numpy.random.default_rng(2)
    state = collections.OrderedDict()
    for name in names:
        dtype = getattr(torch, name)
        data = torch.frombuffer(bytearray(random.bytes(15 * dtype.itemsize)), dtype=torch.uint8)
        state[name] = data.view(dtype).reshape(3, 5)
    state["bool"] = torch.tensor([True, False])
    state["scalar"] = torch.tensor(2.5)
    state["empty"] = torch.zeros(0, 3)
    large = torch.arange(1000).reshape(10, 100)
    state["view"] = large[3:5]
    state["shared"] = large
    state["parameter"] = torch.nn.Parameter(torch.ones(2))
    torch.save(state, folder + "/plain.pt")
    torch.save(dict(state), folder + "/protocol4.pt", pickle_protocol=4)
    conjugate = torch.tensor([1 + 2j]).conj()
    torch.save({"model": {"conj": conjugate}}, folder + "/conj.pt")
    torch.save({"model": {"neg": conjugate.imag}}, folder + "/neg.pt")
    torch.save({"w": torch.ones(2, dtype=torch.complex128)}, folder + "/complex128.pt")
    torch.save({"seed": 1 << 80}, folder + "/wide.pt")
    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(4, 3)).sum().backward()
    optimizer.step()
    nested = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3, "name": "x"}
    torch.save(nested, folder + "/nested.pt")
    expected["plain.pt"] = [of_tensor(name, tensor) for name, tensor in state.items()]
    expected["protocol4.pt"] = expected["plain.pt"]
    expected["nested.pt"] = [of_tensor("model." + name, tensor) for name, tensor in model.state_dict().items()] + [
        of_tensor(f"optimizer.state.{i}.{key}", tensor)
        for i, moments in optimizer.state_dict()["state"].items()
        for key, tensor in moments.items()
    ]


def load_optimizer(file, kind):
    import torch

    state = torch.load(file, weights_only=True)
    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Linear(2, 1))
    model.load_state_dict(state["model"])
    optimizer = getattr(torch.optim, kind)(model.parameters(), lr=123.0)
    optimizer.load_state_dict(state["optimizer"])
    group = optimizer.state_dict()["param_groups"][0]
    held = [
        of_tensor(f"{name}.{key}", value)
        for (name, parameter) in model.named_parameters()
        for key, value in optimizer.state[parameter].items()
        if key != "step"
    ]
    steps = [float(optimizer.state[parameter].get("step", 0)) for parameter in model.parameters()]
    model(torch.ones(4, 3)).sum().backward()
    optimizer.step()
    moved = [float(optimizer.state[parameter].get("step", 0)) for parameter in model.parameters()]
    return {"tensors": held, "steps": steps, "moved": moved, "options": {k: v for k, v in group.items() if k != "params"}}


def has(module):
    try:
        __import__(module)
        return True
    except ImportError:
        return False


def write(folder):
    made = arrays()
    expected = {"numpy.npz": [of_array(name, array) for name, array in made.items()]}
    expected["deflated.npz"] = expected["numpy.npz"]
    numpy.savez(folder + "/numpy.npz", **made)
    numpy.savez_compressed(folder + "/deflated.npz", **made)
    numpy.savez(folder + "/fields.npz", points=numpy.zeros(3, [("x", "<f4"), ("y", "<i2", (2,))]))
    import safetensors.numpy

    contiguous = {name: numpy.ascontiguousarray(array) for name, array in made.items()}
    safetensors.numpy.save_file(contiguous, folder + "/numpy.safetensors", metadata={"who": "me"})
    expected["numpy.safetensors"] = [of_array(name, array) for name, array in contiguous.items()]
    if has("torch"):
        write_pt(folder, expected)
    with open(folder + "/expected.json", "w") as out:
        json.dump(expected, out)


if sys.argv[1] == "read":
    tensors, metadata = {"safetensors": read_safetensors, "npz": read_npz, "pt": read_pt}[sys.argv[2]](sys.argv[3])
    json.dump({"tensors": tensors, "metadata": metadata}, sys.stdout)
elif sys.argv[1] == "optimizer":
    json.dump(load_optimizer(sys.argv[2], sys.argv[3]), sys.stdout)
elif sys.argv[1] == "write":
    write(sys.argv[2])
else:
    print(has(sys.argv[2]))
