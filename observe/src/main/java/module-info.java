/// The events of a training: sent to observers immediately, and recorded in the run for later use.
module dev.cairn.observe {
    requires transitive dev.cairn.checkpoint;
    requires com.fasterxml.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.cairn.observe;
    exports dev.cairn.observe.events;
}
