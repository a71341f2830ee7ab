import array
import unittest
from collections import OrderedDict, namedtuple

import cairn
from cairn import _tree

Pair = namedtuple("Pair", ["mu", "nu"])


def there_and_back(value, like=None):
    tensors = {}
    tree = _tree.flatten(value, "state", tensors)

    def read(name):
        leaf = tensors[name]
        import ctypes

        return leaf.dtype, leaf.shape, memoryview(ctypes.string_at(leaf.address, leaf.size) if leaf.size else b"")

    return _tree.unflatten(tree, read, like), tree, tensors


class TreeTest(unittest.TestCase):
    def test_keeps_plain_values_of_any_nesting(self):
        value = {
            "b": [1, (2.5, None, ("x",)), {"inner": {3: True, "y": b"z"}}], "a": {4, 5}, "big": 2**80,
            "complex": 1 - 2j, "ordered": OrderedDict(z=1, a=2), "empty": [(), {}, [], ""], "$": "not a tag",
        }  # fmt: skip
        back, _, _ = there_and_back(value)
        self.assertEqual(back, value)
        self.assertEqual(list(back), list(value))
        self.assertIsInstance(back["ordered"], OrderedDict)
        self.assertIsInstance(back["b"][1], tuple)

    def test_stores_long_lists_texts_and_arrays_as_tensors(self):
        value = {
            "floats": [0.5] * 1000, "ints": tuple(range(-5, 1000)), "text": "ä" * (1 << 20), "bytes": bytes(5000),
            "array": array.array("i", [1, -2, 3]), "mixed": [1, 2.0] * 300, "huge": [2**70] * 300,
        }  # fmt: skip
        back, _, tensors = there_and_back(value)
        self.assertEqual(back, value)
        self.assertIsInstance(back["ints"], tuple)
        self.assertEqual(set(tensors), {"state." + each for each in ("floats", "ints", "text", "bytes", "array")})

    def test_makes_named_tuples_where_the_live_state_has_them(self):
        value = [Pair(array.array("d", [1.0]), (1, 2))]
        back, _, _ = there_and_back(value, like=value)
        self.assertEqual(back, value)
        self.assertIsInstance(back[0], Pair)

    def test_names_what_it_cannot_store(self):
        with self.assertRaisesRegex(cairn.UnsupportedStateError, r"state\.a\.1 is a builtins\.function"):
            there_and_back({"a": [1, lambda: None].copy()} | {"b": 0})
        deep = []
        for _ in range(200):
            deep = [deep]
        with self.assertRaisesRegex(cairn.UnsupportedStateError, "nested deeper"):
            there_and_back(deep)


if __name__ == "__main__":
    unittest.main()
