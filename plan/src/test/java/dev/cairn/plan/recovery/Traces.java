package dev.cairn.plan.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Traces for tests.
final class Traces {
    private Traces() {}

    /// Builds a trace from events in the notation of trace files.
    static Trace of(Map<String, List<String>> processes) {
        var builder = new TraceBuilder();
        processes.forEach((name, events) -> {
            builder.process(name);
            events.forEach(builder::event);
        });
        return builder.build();
    }

    /// A random trace that is possible: at every moment, one process does something.
    static Trace random(RandomGenerator random, int processes, int moments) {
        var events = new ArrayList<List<String>>();
        for (int p = 0; p < processes; p++) {
            events.add(new ArrayList<>());
        }
        var underWay = new ArrayList<Integer>();
        int sent = 0;
        int checkpoints = 0;
        for (int moment = 0; moment < moments; moment++) {
            List<String> process = events.get(random.nextInt(processes));
            int what = random.nextInt(3);
            if (what == 0) {
                process.add("checkpoint c" + checkpoints++);
            } else if (what == 1) {
                underWay.add(sent);
                process.add("send m" + sent++);
            } else if (!underWay.isEmpty()) {
                process.add("receive m" + underWay.remove(/* index */ random.nextInt(underWay.size())));
            }
        }
        var named = new java.util.LinkedHashMap<String, List<String>>();
        for (int p = 0; p < processes; p++) {
            named.put("P" + p, events.get(p));
        }
        return of(named);
    }
}
