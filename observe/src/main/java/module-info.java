/// What happens in a training, told to observers while it happens, and kept in the run for whoever shows it later.
module dev.cairn.observe {
    requires transitive dev.cairn.checkpoint;
    requires com.fasterxml.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.cairn.observe;
    exports dev.cairn.observe.events;
}
