import os
import shutil
import sys
import tempfile
import unittest
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

import cairn
from processes import eventually, sidecars


class Adam(NamedTuple):
    count: Any
    mu: Any
    nu: Any


def start():
    params = {"dense": {"w": jnp.ones((4, 3)), "b": jnp.zeros(3, jnp.bfloat16)}, "scales": (jnp.float32(2), jnp.arange(5))}
    zeros = jax.tree.map(jnp.zeros_like, params)
    return params, Adam(jnp.int32(0), zeros, zeros), jax.random.key_data(jax.random.key(7))


@jax.jit
def step(params, state, key):
    key, used = jax.random.split(jax.random.wrap_key_data(key))
    noise = jax.random.normal(used, ())
    mu = jax.tree.map(lambda m, p: (0.9 * m + 0.1 * noise * (p + 1).astype(m.dtype)).astype(m.dtype), state.mu, params)
    params = jax.tree.map(lambda p, m: (p - m).astype(p.dtype), params, mu)
    return params, Adam(state.count + 1, mu, state.nu), jax.random.key_data(key)


class JaxTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.addCleanup(lambda: eventually(lambda: not sidecars(os.getpid()), "all sidecars end"))

    def train(self, run, until):
        params, state, key = start()
        with cairn.Checkpoints(os.path.join(self.folder, run), every=2, params=params, optimizer=state, key=key) as ck:
            number = ck.restore()
            while number < until:
                updated = step(ck.state["params"], ck.state["optimizer"], ck.state["key"])
                ck.before_update()
                ck.state["params"], ck.state["optimizer"], ck.state["key"] = updated
                number += 1
                ck.after_step(number)
            return ck.state["params"], ck.state["optimizer"], ck.state["key"]

    def test_a_pytree_continues_in_the_same_bits(self):
        whole = self.train("whole", 9)
        self.train("parts", 4)
        parts = self.train("parts", 9)
        self.assertEqual(jax.tree.structure(whole), jax.tree.structure(parts))
        self.assertIsInstance(parts[1], Adam)
        for one, two in zip(jax.tree.leaves(whole), jax.tree.leaves(parts)):
            self.assertIsInstance(two, jax.Array)
            self.assertEqual((one.dtype, one.shape, one.tobytes()), (two.dtype, two.shape, two.tobytes()))


if __name__ == "__main__":
    sys.exit(unittest.main())
