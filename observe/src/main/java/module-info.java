/// The events of a training: sent to observers immediately, and recorded in the run for later use.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"
}) // OSHI and Micrometer name their modules in their manifests only
module dev.cairn.observe {
    requires transitive dev.cairn.checkpoint;
    requires com.fasterxml.jackson.databind;
    requires com.github.oshi;
    requires java.management;
    requires jdk.httpserver;
    requires transitive micrometer.core;
    requires micrometer.registry.prometheus;
    requires static transitive org.jspecify;

    exports dev.cairn.observe;
    exports dev.cairn.observe.events;
    exports dev.cairn.observe.metrics;
    exports dev.cairn.observe.system;
    exports dev.cairn.observe.tensorboard;
}
