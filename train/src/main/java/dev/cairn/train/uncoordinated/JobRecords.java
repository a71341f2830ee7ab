package dev.cairn.train.uncoordinated;

import dev.cairn.plan.recovery.Rollback;
import dev.cairn.plan.recovery.Trace;
import dev.cairn.plan.recovery.TraceBuilder;
import dev.cairn.train.uncoordinated.ProcessRecords.Event;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The records of all processes of a job, whose folders are below that of the job.
public final class JobRecords {
    /// The name of the server.
    public static final String SERVER = "ps0";

    private final ProcessRecords server;
    private final List<ProcessRecords> workers;

    private JobRecords(ProcessRecords server, List<ProcessRecords> workers) {
        this.server = server;
        this.workers = List.copyOf(workers);
    }

    /// The name of this worker.
    static String worker(int rank) {
        return "w" + rank;
    }

    /// Whether the folder has the records of a job.
    public static boolean areIn(Path job) {
        return Files.exists(job.resolve(SERVER).resolve(MessageLog.FILE));
    }

    /// Reads the records of as many workers as there are.
    public static JobRecords in(Path job) throws IOException {
        int workers = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(job, "w*")) {
            for (Path folder : folders) {
                String name = String.valueOf(folder.getFileName());
                if (name.matches("w[0-9]{1,3}") && Files.exists(folder.resolve(MessageLog.FILE))) {
                    workers = Math.max(workers, 1 + Integer.parseInt(name.substring(1)));
                }
            }
        }
        return in(job, workers);
    }

    /// Reads the records of this number of workers.
    public static JobRecords in(Path job, int workers) throws IOException {
        // First of all: what it has received was recorded as sent before, also while the training goes on.
        ProcessRecords server = ProcessRecords.in(job.resolve(SERVER));
        var each = new ArrayList<ProcessRecords>();
        for (int rank = 0; rank < workers; rank++) {
            each.add(ProcessRecords.in(job.resolve(worker(rank))));
        }
        return new JobRecords(server, each);
    }

    /// What was sent and received, between which checkpoints. A checkpoint is named after its process and step: `w0@5`.
    public Trace trace() {
        var builder = new TraceBuilder();
        builder.process(SERVER);
        Map<Long, List<String>> pulls = pullsByUpdate();
        int next = 0;
        for (long update = 0; update <= server.events().size(); update++) {
            if (update > 0) {
                Event event = server.events().get((int) update - 1);
                if (event instanceof Event.Update(int worker, long push) && worker < workers.size()) {
                    builder.event("receive " + push(worker, push));
                }
            }
            for (String pull : pulls.getOrDefault(update, List.of())) {
                builder.event("send " + pull);
            }
            next = checkpoint(builder, SERVER, server, update, next);
        }
        for (int rank = 0; rank < workers.size(); rank++) {
            addWorker(builder, rank);
        }
        return builder.build();
    }

    /// Weights that have more updates than the server has recorded were sent at the end of its record.
    private Map<Long, List<String>> pullsByUpdate() {
        Map<Long, List<String>> pulls = new TreeMap<>();
        for (int rank = 0; rank < workers.size(); rank++) {
            for (Event event : workers.get(rank).events()) {
                if (event instanceof Event.Pull(long number, long updates)) {
                    long after = Math.min(updates, server.events().size());
                    pulls.computeIfAbsent(after, _ -> new ArrayList<>()).add(pull(rank, number));
                }
            }
        }
        return pulls;
    }

    private void addWorker(TraceBuilder builder, int rank) {
        String name = worker(rank);
        builder.process(name);
        ProcessRecords records = workers.get(rank);
        int next = 0;
        for (int step = 1; step <= records.events().size(); step++) {
            switch (records.events().get(step - 1)) {
                case Event.Pull(long number, long _) -> builder.event("receive " + pull(rank, number));
                case Event.Push(long number) -> builder.event("send " + push(rank, number));
                case Event.Update _ -> {} // of a server
            }
            next = checkpoint(builder, name, records, step, next);
        }
    }

    private static int checkpoint(TraceBuilder builder, String name, ProcessRecords records, long step, int next) {
        if (next < records.checkpoints().size() && records.checkpoints().get(next) == step) {
            builder.checkpoint(name + "@" + step);
            return next + 1;
        }
        return next;
    }

    private static String pull(int rank, long number) {
        return "pull %d of %s".formatted(number, worker(rank));
    }

    private static String push(int rank, long number) {
        return "push %d of %s".formatted(number, worker(rank));
    }

    /// The latest checkpoints that belong together.
    public Line line() {
        Trace trace = trace();
        int[] state = Rollback.from(trace, Rollback.newest(trace));
        SequencedMap<String, Line.Part> parts = new LinkedHashMap<>();
        parts.put(SERVER, new Line.Part(step(server, state[0]), 0));
        for (int rank = 0; rank < workers.size(); rank++) {
            ProcessRecords records = workers.get(rank);
            long step = step(records, state[rank + 1]);
            parts.put(worker(rank), new Line.Part(step, records.pushes(step)));
        }
        return new Line(parts);
    }

    private static long step(ProcessRecords records, int checkpoint) {
        return checkpoint == 0 ? 0 : records.checkpoints().get(checkpoint - 1);
    }
}
