/// Computes how often to save, how long a run takes, and how far a failure sets it back: pure functions and
/// simulations.
module dev.cairn.plan {
    requires org.apache.commons.numbers.gamma;
    requires static transitive org.jspecify;

    exports dev.cairn.plan.auto;
    exports dev.cairn.plan.recovery;
    exports dev.cairn.plan.simulation;
    exports dev.cairn.plan.time;
}
