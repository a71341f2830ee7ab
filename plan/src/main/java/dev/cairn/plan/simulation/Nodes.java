package dev.cairn.plan.simulation;

import dev.cairn.plan.time.FailureLaw;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/// Many nodes. Each stops the run when it fails, and a new node replaces it. Some failures affect a whole group of
/// neighbours.
final class Nodes implements FailureTimes {
    /// The nodes, and how they fail.
    ///
    /// @param law the failure law of one node
    /// @param nodeLost the probability that a failure destroys the node and its disk, not only the process on it
    /// @param groupShare the probability that a failure affects the whole group
    /// @param group the number of nodes in a group
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

    /// A failure while the run is stopped only replaces a node.
    @Override
    public Failure firstAfter(double start) {
        while (true) {
            Due due = queue.remove();
            if (due.generation != generations[due.node]) {
                continue; // The node already failed with its group.
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
