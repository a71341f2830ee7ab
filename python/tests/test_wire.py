import math
import struct
import unittest

from cairn import _wire


class WireTest(unittest.TestCase):
    def test_keeps_every_value(self):
        values = {
            "none": None, "flags": [True, False], "numbers": [0, -1, 2**63 - 1, -(2**63)], "text": "täxt \U0001f5ff",
            "bytes": b"\0\xff", "empty": [{}, [], "", b""], "deep": [[[[{"a": {"b": [1]}}]]]],
            "floats": [0.0, -0.0, 1e-320, math.inf, -math.inf],
        }  # fmt: skip
        self.assertEqual(_wire.decode(_wire.encode(values)), values)
        self.assertEqual(str(_wire.decode(_wire.encode({"z": -0.0}))["z"]), "-0.0")

    def test_keeps_the_bits_of_a_nan(self):
        nan = struct.unpack("<d", b"\x01\x02\x03\x04\x05\x06\xf8\x7f")[0]
        read = _wire.decode(_wire.encode({"x": nan}))["x"]
        self.assertEqual(struct.pack("<d", read), struct.pack("<d", nan))

    def test_refuses_what_no_message_holds(self):
        for value in (2**63, object(), {1, 2}):
            with self.assertRaises((TypeError, ValueError)):
                _wire.encode({"x": value})


if __name__ == "__main__":
    unittest.main()
