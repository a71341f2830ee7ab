/// The events of a training: sent to observers immediately, and recorded in the run for later use.
@SuppressWarnings("requires-automatic") // OSHI names its module in its manifest only
module dev.cairn.observe {
    requires transitive dev.cairn.checkpoint;
    requires com.fasterxml.jackson.databind;
    requires com.github.oshi;
    requires java.management;
    requires static transitive org.jspecify;

    exports dev.cairn.observe;
    exports dev.cairn.observe.events;
    exports dev.cairn.observe.system;
}
