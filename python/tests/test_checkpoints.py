import array
import contextlib
import ctypes
import io
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import cairn
from cairn import _process
from processes import HERE, end, eventually, kill, killed_again_and_again, sidecars, start

#: Kills of each kind; `./mvnw verify -Ppython` asks for more.
KILLS = int(os.environ.get("CAIRN_TEST_KILLS", "3"))
SEED = int(os.environ.get("CAIRN_TEST_SEED", "11"))


def numbers(count=1000, value=0.0):
    return array.array("f", [value]) * count


class CheckpointsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.addCleanup(lambda: eventually(lambda: not sidecars(os.getpid()), "all sidecars end"))
        self.run_folder = os.path.join(self.folder, "run")
        self.errors = io.StringIO()
        told = contextlib.redirect_stderr(self.errors)
        told.__enter__()
        self.addCleanup(told.__exit__, None, None, None)

    def script(self, text, **environment):
        """Runs these lines in a process of their own."""
        path = os.path.join(self.folder, "script.py")
        with open(path, "w") as out:
            out.write(
                "import array, os, signal, sys, time\nsys.path.insert(0, %r)\nimport cairn\n"
                "run = %r\nweights = array.array('f', [0.0]) * 1000\n" % (HERE, self.run_folder)
                + textwrap.dedent(text)
            )
        return start(path, **environment)

    def saved(self):
        """Step and weights of the newest checkpoint, once nobody writes any more."""
        state = cairn.load_state(self.run_folder)
        return state["step"], state["weights"]

    def test_restores_what_was_saved(self):
        state = {"b": (1, 2.5, None, {3: "x"}), "a": array.array("q", range(9)), "empty": array.array("d")}
        weights = numbers(value=0.1)
        with cairn.Checkpoints(self.run_folder, every=2, weights=weights, other=state) as ck:
            self.assertEqual(ck.restore(), 0)
            for step in range(1, 6):
                ck.before_update()
                weights[step] = step
                state["b"] = (step, 2.5, None, {3: "y"})
                ck.log(loss=1 / step)
                ck.after_step(step)
        new, other = numbers(), {"b": None, "a": array.array("q", [0] * 9), "more": 1}
        with cairn.Checkpoints(self.run_folder, weights=new, other=other) as ck:
            self.assertEqual(ck.restore(), 5)
            self.assertEqual(ck.metrics, {"loss": 0.2})
            self.assertEqual(ck.step, 5)
        self.assertEqual(new, weights)
        self.assertEqual(other, state)

    def test_saves_the_best_interval_by_default_and_the_last_step_at_the_end(self):
        weights = numbers()
        with cairn.Checkpoints(self.run_folder, every="50ms", weights=weights) as ck:
            ck.restore()
            for step in range(1, 10_000):
                weights[0] = step
                ck.after_step(step)
                time.sleep(0.005)
                if ck.statistics()["committed"] >= 3:
                    break
            last = step
        self.assertEqual(self.saved()[0], last)
        self.assertEqual(self.saved()[1][0], last)

    def test_a_lossy_run_ends_exactly(self):
        weights = numbers(100_000)
        with cairn.Checkpoints(self.run_folder, every=1, codec="lossy", weights=weights) as ck:
            ck.restore()
            for step in range(1, 4):
                for i in range(0, 100_000, 7):
                    weights[i] += 0.001 * i / step
                ck.after_step(step)
        self.assertEqual(self.saved(), (3, weights))

    def test_tensors_that_share_memory_are_stored_once(self):
        weights = numbers(500_000)
        for i in range(0, 500_000):
            weights[i] = hash((i, 1)) % 1000003 / 7
        with cairn.Checkpoints(self.run_folder, codec="full", weights=weights, tied={"again": weights}) as ck:
            ck.restore()
            ck.after_step(1)
        size = sum(
            os.path.getsize(os.path.join(self.run_folder, "segments", each))
            for each in os.listdir(os.path.join(self.run_folder, "segments"))
        )
        self.assertLess(size, 1.5 * 2_000_000)
        state = cairn.load_state(self.run_folder)
        self.assertEqual(state["weights"], weights)
        self.assertEqual(state["tied"]["again"], weights)

    def test_a_killed_training_ends_in_the_same_bits(self):
        undisturbed, disturbed = (os.path.join(self.folder, each) for each in ("one", "two"))
        self.assertEqual(end(start("plain_loop.py", self.run_folder, 150, undisturbed))[0], 0)
        killed_again_and_again(
            "plain_loop.py", os.path.join(self.folder, "killed"), 150, disturbed, SEED, KILLS,
            ("training", "sidecar", "training and sidecar"), STEP_SECONDS="0.01",
        )  # fmt: skip
        with open(undisturbed) as one, open(disturbed) as two:
            self.assertEqual(one.read(), two.read())

    def test_a_copy_that_is_complete_is_committed_though_the_training_is_killed_at_once(self):
        process = self.script(
            """
            with cairn.Checkpoints(run, every=1, weights=weights) as ck:
                ck.restore()
                weights[7] = 7
                ck.after_step(1)  # not announced: the copy is complete now
                os.kill(os.getpid(), signal.SIGKILL)
            """
        )
        self.assertEqual(end(process)[0], -signal.SIGKILL)
        eventually(lambda: not sidecars(process.pid), "the sidecar ends")
        self.assertEqual(self.saved()[0], 1)
        self.assertEqual(self.saved()[1][7], 7)

    def test_an_interpreter_that_ends_in_the_middle_of_a_save_leaves_it_committed(self):
        process = self.script(
            """
            ck = cairn.Checkpoints(run, every=1, weights=array.array('f', [1.5]) * 5_000_000)
            ck.restore()
            ck.before_update()
            ck.after_step(1)
            """
        )
        self.assertEqual(end(process), (0, "", ""))
        self.assertEqual(self.saved()[0], 1)
        eventually(lambda: not sidecars(process.pid), "the sidecar ends")

    def test_a_training_outlives_its_sidecar(self):
        weights = numbers()
        with cairn.Checkpoints(self.run_folder, every=1, weights=weights) as ck:
            ck.restore()
            ck.after_step(1)
            eventually(lambda: (ck._hear(), ck.statistics()["committed"])[1] == 1, "the first save")
            for pid in sidecars(os.getpid()):
                kill(pid)
            eventually(lambda: not sidecars(os.getpid()), "the sidecar ends")
            step = 1
            while ck.statistics()["committed"] < 2:
                step += 1
                weights[0] = step
                ck.after_step(step)
                time.sleep(0.01)
        self.assertEqual(self.saved()[0], step)
        self.assertRegex(
            self.errors.getvalue(),
            r"the saving process has ended \(killed by signal 9\); the training goes on, and a new one starts soon\n",
        )

    def test_a_second_training_of_the_same_run_is_refused(self):
        with cairn.Checkpoints(self.run_folder, weights=numbers()):
            with self.assertRaisesRegex(cairn.CairnError, "run is in use: .* is held by process .*; wait for it"):
                cairn.Checkpoints(self.run_folder, weights=numbers())

    def test_a_folder_that_cannot_be_written_is_refused(self):
        path = os.path.join(self.folder, "file")
        open(path, "w").close()
        with self.assertRaisesRegex(cairn.CairnError, r"^[^\n]*file[^\n]*; [^\n]*$"):
            cairn.Checkpoints(os.path.join(path, "run"), weights=numbers())
        with self.assertRaisesRegex(cairn.CairnError, "every='sometimes' is neither 'auto'"):
            cairn.Checkpoints(self.run_folder, every="sometimes", weights=numbers())

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_read_only_folder_is_refused(self):
        os.mkdir(self.run_folder, 0o500)
        with self.assertRaisesRegex(cairn.CairnError, "; "):
            cairn.Checkpoints(self.run_folder, weights=numbers())

    def test_a_sidecar_of_another_version_is_refused(self):
        self.addCleanup(setattr, _process, "PROTOCOL", _process.PROTOCOL)
        _process.PROTOCOL = 99
        with self.assertRaisesRegex(cairn.CairnError, "another version: it speaks protocol 1 .*; install both"):
            cairn.Checkpoints(self.run_folder, weights=numbers())

    def test_without_java_the_cure_is_told(self):
        self.addCleanup(os.environ.__setitem__, "CAIRN_JAVA", os.environ["CAIRN_JAVA"])
        os.environ["CAIRN_JAVA"] = "/nowhere/java"
        with self.assertRaisesRegex(cairn.CairnError, "no Java at /nowhere/java: .*; set CAIRN_JAVA"):
            cairn.Checkpoints(self.run_folder, weights=numbers())

    def test_another_state_is_refused(self):
        with cairn.Checkpoints(self.run_folder, weights=numbers()) as ck:
            ck.restore()
            ck.after_step(1)
        with cairn.Checkpoints(self.run_folder, weights=numbers(), more=[1]) as ck:
            with self.assertRaisesRegex(cairn.CairnError, "has nothing else and not more: give the same parts"):
                ck.restore()

    def test_a_forked_process_leaves_the_run_to_its_parent(self):
        weights = numbers()
        with cairn.Checkpoints(self.run_folder, every=1, weights=weights) as ck:
            ck.restore()
            child = os.fork()
            if child == 0:
                try:
                    ck.after_step(99)
                    ck.close()
                    os._exit(0 if not cairn.checkpoints._open else 1)
                finally:
                    os._exit(2)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            ck.after_step(1)
        self.assertEqual(self.saved()[0], 1)

    def test_a_forked_process_that_lives_on_does_not_keep_the_sidecar(self):
        process = self.script(
            """
            ck = cairn.Checkpoints(run, every=1, weights=weights)
            ck.restore()
            ck.after_step(1)
            if os.fork() == 0:
                ctypes = __import__('ctypes').CDLL(None)
                sys.stdout.close(); os.close(1); os.close(2)
                time.sleep(600)
                os._exit(0)
            print(os.getpid(), flush=True)
            time.sleep(600)
            """
        )
        process.stdout.readline()
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True)
        others = [int(each) for each in children.stdout.split() if int(each) not in sidecars(process.pid)]
        process.kill()
        process.communicate()
        eventually(lambda: not sidecars(process.pid), "the sidecar ends")
        for each in others:
            kill(each)
        self.assertEqual(self.saved()[0], 1)

    def test_a_signal_ends_the_training_after_an_exact_save(self):
        for name, stop, code in (("SIGTERM", "exit", 75), ("SIGUSR1", "raise", 3)):
            run = self.run_folder + name
            process = self.script(
                f"""
                try:
                    with cairn.Checkpoints({run!r}, codec='lossy', stop={stop!r}, weights=weights) as ck:
                        step = ck.restore()
                        print('ready', flush=True)
                        while True:
                            step += 1
                            weights[0] = step / 3
                            ck.after_step(step)
                            time.sleep(0.01)
                except cairn.Stopped as e:
                    assert e.saved and e.notice == {name!r}, e
                    sys.exit(3)
                """
            )
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(getattr(signal, name))
            ended, _, err = end(process)
            self.assertEqual(ended, code, err)
            self.assertRegex(err, rf"^cairn: stopped by {name} at step \d+, saved; the same command goes on from here\n$")
            state = cairn.load_state(run)
            self.assertEqual(state["weights"][0], ctypes.c_float(state["step"] / 3).value)

    def test_signals_of_a_terminal_are_for_the_training(self):
        with cairn.Checkpoints(self.run_folder, every=1, weights=numbers()) as ck:
            ck.restore()
            for pid in sidecars(os.getpid()):
                for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                    os.kill(pid, each)
            ck.after_step(1)
            self.assertTrue(ck.save_now())
        self.assertEqual(self.errors.getvalue(), "")

    def test_without_shared_memory_the_training_goes_on(self):
        weights = numbers()
        with cairn.Checkpoints(self.run_folder, every=1, weights=weights) as ck:
            ck.restore()
            ck.state["more"] = numbers(100_000)
            before = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
            try:
                ck.after_step(1)
                ck.after_step(2)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            self.assertRegex(
                self.errors.getvalue(),
                r"^cairn: save of step 1 failed: no shared memory for the state of 0 MB: [^;\n]*; [^\n]*; "
                r"the training goes on\n$",
            )
            ck._not_before = 0
            ck.after_step(3)
        self.assertEqual(self.saved()[0], 3)

    def test_on_a_full_disk_the_training_goes_on(self):
        weights = array.array("f", os.urandom(400_000))
        with cairn.Checkpoints(self.run_folder, every=1, weights=weights) as ck:
            ck.restore()
            (pid,) = sidecars(os.getpid())
            limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (50_000, limits[1]))
            ck.after_step(1)
            self.assertFalse(ck.save_now())
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
            self.assertRegex(
                self.errors.getvalue(), r"^cairn: save of step 1 failed: [^\n]*; the training goes on\n$"
            )
            ck._not_before = 0
            ck.after_step(2)
            self.assertTrue(ck.save_now())
        self.assertEqual(self.saved(), (2, weights))

    def test_a_damaged_checkpoint_is_passed_over(self):
        weights = numbers()
        with cairn.Checkpoints(self.run_folder, every=1, codec="full", weights=weights) as ck:
            ck.restore()
            for step in (1, 2):
                weights[0] = step
                ck.after_step(step)
                self.assertTrue(ck.save_now())
        folder = os.path.join(self.run_folder, "segments")
        newest = max((os.path.join(folder, each) for each in os.listdir(folder)), key=os.path.getmtime)
        with open(newest, "r+b") as file:
            file.write(bytes(os.path.getsize(newest)))
        again = numbers()
        with cairn.Checkpoints(self.run_folder, weights=again) as ck:
            self.assertEqual(ck.restore(), 1)
        self.assertEqual(again[0], 1)
        self.assertIn("passed over the checkpoint of step 2", self.errors.getvalue())

    def test_nothing_is_left_behind(self):
        before = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
        descriptors = len(os.listdir("/proc/self/fd"))
        for _ in range(2):
            with cairn.Checkpoints(self.run_folder, every=1, weights=numbers()) as ck:
                step = ck.restore()
                ck.after_step(step + 1)
        self.assertEqual(len(os.listdir("/proc/self/fd")), descriptors)
        after = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
        self.assertEqual({each for each in after - before if "cairn" in each}, set())
        self.assertEqual(sidecars(os.getpid()), [])
        self.assertEqual(sorted(os.listdir(self.run_folder)), ["log", "segments", "writer.lock"])


if __name__ == "__main__":
    sys.exit(unittest.main())
