package dev.cairn.plan.simulation;

import dev.cairn.plan.time.FailureLaw;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/// Many nodes, each of which stops the run when it fails and is replaced by a new one; some failures take a whole group
/// of neighbours.
final class Nodes implements FailureTimes {
    /// What fails, and how.
    ///
    /// @param law of one node
    /// @param nodeLost how likely a failure takes the node, with its disk, and not only the process on it
    /// @param groupShare how likely a failure takes the whole group
    /// @param group how many nodes share a fate
    record Setting(int nodes, FailureLaw law, double nodeLost, double groupShare, int group) {
        Setting {
            if (nodes < 1 || group < 1 || !(nodeLost >= 0 && nodeLost <= 1) || !(groupShare >= 0 && groupShare <= 1)) {
                throw new IllegalArgumentException("impossible nodes: nodes=%d group=%d nodeLost=%s groupShare=%s"
                        .formatted(nodes, group, nodeLost, groupShare));
            }
        }
    }

    private record Due(double time, int node, int generation) {}

    private final Setting setting;
    private final RandomGenerator random;
    private final int[] generations;
    private final PriorityQueue<Due> queue;

    Nodes(Setting setting, RandomGenerator random) {
        this.setting = setting;
        this.random = random;
        this.generations = new int[setting.nodes];
        this.queue = new PriorityQueue<>(setting.nodes, (a, b) -> Double.compare(a.time, b.time));
        for (int node = 0; node < setting.nodes; node++) {
            queue.add(new Due(setting.law.draw(random), node, 0));
        }
    }

    /// Failures while nothing ran only replace a node.
    @Override
    public Failure firstAfter(double start) {
        while (true) {
            Due due = queue.remove();
            if (due.generation != generations[due.node]) {
                continue; // It went with its group.
            }
            boolean wholeGroup = setting.groupShare > 0 && random.nextDouble() < setting.groupShare;
            int first = wholeGroup ? due.node / setting.group * setting.group : due.node;
            int end = wholeGroup ? Math.min(first + setting.group, setting.nodes) : due.node + 1;
            for (int node = first; node < end; node++) {
                generations[node]++;
                queue.add(new Due(due.time + setting.law.draw(random), node, generations[node]));
            }
            if (due.time > start) {
                return new Failure(due.time, wholeGroup || random.nextDouble() < setting.nodeLost);
            }
        }
    }
}
