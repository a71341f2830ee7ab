/// Keeps training runs alive. A training loop needs `dev.cairn.checkpoint` alone; notices of the end of a machine are
/// in `dev.cairn.checkpoint.notice`, loops of several processes in `dev.cairn.checkpoint.group`. All else is for
/// Cairn itself.
module dev.cairn.checkpoint {
    requires transitive dev.cairn.store;
    requires transitive dev.cairn.plan;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires static transitive org.jspecify;

    exports dev.cairn.checkpoint;
    exports dev.cairn.checkpoint.group;
    exports dev.cairn.checkpoint.notice;
    exports dev.cairn.checkpoint.save to
            dev.cairn.observe;
}
