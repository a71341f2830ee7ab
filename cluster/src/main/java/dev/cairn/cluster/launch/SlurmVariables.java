package dev.cairn.cluster.launch;

import java.util.Map;
import java.util.Optional;

/// The variables that `srun` sets for each task of a job step. The first task is on the first node of the list.
final class SlurmVariables {
    private static final String TASK = "SLURM_PROCID";
    private static final String TASKS = "SLURM_STEP_NUM_TASKS";
    private static final String NODES = "SLURM_STEP_NODELIST";
    private static final String JOB = "SLURM_JOB_ID";
    private static final String SOURCE = "the variables of srun";

    /// Jobs that share a host need different ports.
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;

    private SlurmVariables() {}

    static Optional<HostPlace> in(Map<String, String> environment) {
        String task = environment.get(TASK);
        String tasks = environment.get(TASKS);
        String nodes = environment.get(NODES);
        if (task == null || tasks == null || nodes == null) {
            return Optional.empty(); // a batch script has no step
        }
        int job = HostPlace.number(SOURCE, JOB, environment.getOrDefault(JOB, "0"));
        return Optional.of(new HostPlace(
                HostPlace.number(SOURCE, TASK, task),
                HostPlace.number(SOURCE, TASKS, tasks),
                first(nodes),
                FIRST_PORT + Math.floorMod(job, PORTS),
                SOURCE));
    }

    /// The first name of a list such as `n[03-05,7],big`.
    static String first(String nodes) {
        int bracket = nodes.indexOf('[');
        int comma = nodes.indexOf(',');
        if (bracket < 0 || (comma >= 0 && comma < bracket)) {
            return comma < 0 ? nodes : nodes.substring(0, comma);
        }
        int end = nodes.indexOf(']', bracket);
        if (end < 0) {
            throw new BadPlaceException("%s: %s=%s is not a list of nodes".formatted(SOURCE, NODES, nodes));
        }
        String range = nodes.substring(bracket + 1, end);
        String number = range.split("[-,]", 2)[0];
        int next = nodes.indexOf(',', end);
        String suffix = next < 0 ? nodes.substring(end + 1) : nodes.substring(end + 1, next);
        return nodes.substring(0, bracket) + number + suffix;
    }
}
