package dev.cairn.cluster.member;

/// Thrown out of a training when its process becomes a parameter server that has a part of the weights. It gives up its
/// model for that.
public final class PartException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PartException() {
        super("this process has a part of the weights from now on");
    }
}
