package dev.cairn.sidecar;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SaveOutcome;
import dev.cairn.store.Attributes;
import dev.cairn.store.StoreLockedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Writes the run of one training. One thread reads messages, and notes at once what a training tells beside a save;
/// the thread that calls [#run] does everything else, one message after the other.
final class Session {
    /// How long to wait for a holder of the run that looks alive: it may have been killed this moment.
    private static final Duration HASTE = Duration.ofSeconds(2);

    private static final Duration RETRY = Duration.ofMillis(50);

    private final Link link;
    private final SharedMemory memory;
    private final Hello hello;
    private final BlockingQueue<Optional<Attributes>> messages = new LinkedBlockingQueue<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicBoolean announced = new AtomicBoolean();
    private List<LiveTensor> layout = List.of();

    Session(Link link, SharedMemory memory, Hello hello) {
        this.link = link;
        this.memory = memory;
        this.hello = hello;
    }

    /// Opens the run and serves the training until it closes the run or is gone. A save whose message has come is
    /// committed in either case.
    void run() throws IOException, InterruptedException {
        try (Checkpoints checkpoints = open()) {
            var welcome = new HashMap<String, Object>();
            welcome.put("protocol", Hello.PROTOCOL);
            welcome.put("version", Main.version());
            link.send("welcome", welcome);
            Thread.ofPlatform().name("cairn-messages").daemon(true).start(() -> read(checkpoints));
            while (serve(checkpoints, messages.take())) {}
        }
        link.send("closed", Map.of());
    }

    /// Opens the run. Waits if it is held by the sidecar of a training that is gone: that one only finishes its save.
    private Checkpoints open() throws IOException, InterruptedException {
        long start = System.nanoTime();
        boolean told = false;
        while (true) {
            try {
                return Checkpoints.open(hello.run(), hello.options().withListener(new Reports(link)));
            } catch (StoreLockedException locked) {
                String complaint = String.valueOf(locked.getMessage());
                boolean finishing = Training.ofHolder(complaint)
                        .map(training -> !training.isAlive())
                        .orElse(false);
                if (!finishing && System.nanoTime() - start > HASTE.toNanos()) {
                    throw locked;
                }
                if (finishing && !told && System.nanoTime() - start > HASTE.toNanos()) {
                    told = true;
                    link.send("told", Map.of("text", "waiting for the last save of the training before"));
                }
                Thread.sleep(RETRY);
            }
        }
    }

    private void read(Checkpoints checkpoints) {
        try {
            Optional<Attributes> message = link.next();
            while (message.isPresent()) {
                if (type(message.get()).equals("steps")) {
                    note(checkpoints, message.get());
                } else {
                    busy.compareAndSet(false, type(message.get()).equals("save"));
                    messages.add(message);
                }
                message = link.next();
            }
        } catch (IOException | RuntimeException e) {
            link.send("told", Map.of("text", Complaints.line(e)));
        }
        messages.add(Optional.empty());
    }

    /// Steps that were made. Announces the next save once it is due.
    private void note(Checkpoints checkpoints, Attributes steps) {
        checkpoints.noteSteps(
                Math.toIntExact(steps.integer("count").orElse(1L)),
                seconds(steps, "each"),
                steps.flag("beside").orElse(false));
        if (!busy.get()
                && !announced.get()
                && checkpoints.isTimeToSave(steps.integer("step").orElse(0L))) {
            announced.set(true);
            link.send("due", Map.of());
        }
    }

    /// Does what a message asks for. Returns whether to go on.
    private boolean serve(Checkpoints checkpoints, Optional<Attributes> message) throws IOException {
        if (message.isEmpty()) {
            return false;
        }
        Attributes asked = message.get();
        switch (type(asked)) {
            case "restore" -> restore(checkpoints);
            case "continue" -> link.send("continued", Map.of("step", step(checkpoints.continueUnrestored())));
            case "layout" -> layout(asked);
            case "save" -> save(checkpoints, asked);
            case "close" -> {
                if (asked.flag("tidy").orElse(false)) {
                    checkpoints.awaitHousekeeping();
                }
                return false;
            }
            default -> throw new IOException("unknown message: " + type(asked));
        }
        return true;
    }

    private void restore(Checkpoints checkpoints) throws IOException {
        try {
            Optional<RestoredState> restored = RestoredState.latest(checkpoints, memory);
            if (restored.isPresent()) {
                link.send("restored", restored.get().message());
            } else {
                link.send("empty", Map.of());
            }
        } catch (IOException | RuntimeException e) {
            link.send("refused", Map.of("text", Complaints.line(e)));
        }
    }

    private void layout(Attributes asked) throws IOException {
        MemorySegment all = memory.first(asked.integer("size").orElse(0L));
        layout = CopiedState.tensors(asked.list("tensors").orElse(List.of()), all);
    }

    private void save(Checkpoints checkpoints, Attributes asked) {
        long step = asked.integer("step").orElse(-1L);
        try {
            Map<String, @Nullable Object> content = asked.map("attributes").orElse(Map.of());
            var copy = new CopiedState(layout, Attributes.of(content));
            Duration waited = seconds(asked, "waited");
            SaveOutcome outcome = asked.flag("exact").orElse(false)
                    ? checkpoints.saveCopyNow(step, copy, waited)
                    : checkpoints.saveCopy(step, copy, waited);
            switch (outcome) {
                case SaveOutcome.Committed committed -> saved(committed);
                case SaveOutcome.AlreadySaved already -> link.send("saved", Map.of("step", already.step()));
                case SaveOutcome.Failed failed -> failed(step, failed.cause());
                case SaveOutcome.Aborted _ -> failed(step, new IOException("the save was aborted"));
            }
        } catch (IOException | RuntimeException e) {
            failed(step, e);
        } finally {
            busy.set(false);
            announced.set(false);
        }
    }

    private void saved(SaveOutcome.Committed committed) {
        link.send(
                "saved",
                Map.of(
                        "step", committed.step(),
                        "number", committed.checkpoint().number(),
                        "bytes", committed.checkpoint().storedBytes(),
                        "seconds", committed.persist().toNanos() / 1e9));
    }

    private void failed(long step, Throwable cause) {
        link.send("failed", Map.of("step", step, "text", Complaints.line(cause)));
    }

    private static long step(Optional<Checkpoint> checkpoint) {
        return checkpoint.map(Checkpoint::step).orElse(-1L);
    }

    private static String type(Attributes message) {
        return message.text("type").orElse("");
    }

    private static Duration seconds(Attributes message, String name) {
        return Duration.ofNanos((long) (message.number(name).orElse(0.0) * 1e9));
    }
}
