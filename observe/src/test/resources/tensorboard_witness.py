"""What TensorBoard reads of a folder: `tensorboard_witness.py FOLDER` prints JSON.

`accumulator` is what its Python reader finds in FOLDER/w0, `multiplexer` what the one of its own pages finds there,
`served` what its server, with the fast reader, sends to a page for FOLDER."""

import json
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from tensorboard.backend.event_processing import event_accumulator
from tensorboard.backend.event_processing import plugin_event_accumulator


def accumulated(folder):
    reader = event_accumulator.EventAccumulator(folder, size_guidance={"scalars": 0, "histograms": 0, "tensors": 0})
    reader.Reload()
    tags = reader.Tags()
    return {
        "scalars": {tag: [[s.step, s.value] for s in reader.Scalars(tag)] for tag in tags["scalars"]},
        "histograms": {
            tag: [
                [h.step, h.histogram_value.min, h.histogram_value.max, sum(h.histogram_value.bucket)]
                for h in reader.Histograms(tag)
            ]
            for tag in tags["histograms"]
        },
    }


def tensors(folder):
    reader = plugin_event_accumulator.EventAccumulator(folder, size_guidance={"tensors": 0})
    reader.Reload()
    found = {}
    for tag in reader.Tags()["tensors"]:
        found[tag] = {
            "steps": [event.step for event in reader.Tensors(tag)],
            "plugin": reader.SummaryMetadata(tag).plugin_data.plugin_name,
            "text": b"".join(reader.Tensors(tag)[0].tensor_proto.string_val).decode(),
        }
    return found


def get(address, path):
    with urllib.request.urlopen(address + path, timeout=60) as answer:
        return json.load(answer)


def served(folder):
    server = subprocess.Popen(
        [sys.executable, "-m", "tensorboard.main", "--logdir", folder, "--port", "0", "--load_fast=true"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for line in server.stderr:
            address = re.search(r"http://localhost:\d+/", line)
            if address:
                break
        else:
            raise SystemExit("the server did not start")
        end = time.monotonic() + 120
        while "test/loss" not in get(address[0], "data/plugin/scalars/tags").get("w0", {}):
            if time.monotonic() > end:
                raise SystemExit("the server found no curve")
            time.sleep(0.2)
        curves = {}
        for tag in get(address[0], "data/plugin/scalars/tags")["w0"]:
            query = urllib.parse.urlencode({"run": "w0", "tag": tag})
            points = get(address[0], "data/plugin/scalars/scalars?" + query)
            curves[tag] = [[step, value] for _, step, value in points]
        return {
            "scalars": curves,
            "histograms": get(address[0], "data/plugin/histograms/tags").get("w0", {}),
            "texts": get(address[0], "data/plugin/text/tags").get("w0", []),
        }
    finally:
        server.terminate()
        server.wait()


print(
    json.dumps(
        {
            "accumulator": accumulated(sys.argv[1] + "/w0"),
            "multiplexer": tensors(sys.argv[1] + "/w0"),
            "served": served(sys.argv[1]),
        }
    )
)
