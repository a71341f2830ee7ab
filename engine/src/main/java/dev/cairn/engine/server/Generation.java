package dev.cairn.engine.server;

/// The workers of a server, until one of them is gone.
///
/// @param number greater than those of the generations before
/// @param fresh the number of gradients that an update waits for; 0 if each gradient makes an update of its own
public record Generation(long number, int workers, int fresh) {
    public Generation {
        if (workers < 1 || fresh < 0 || fresh > workers) {
            throw new IllegalArgumentException("not a generation: workers=%d fresh=%d".formatted(workers, fresh));
        }
    }

    /// Whether each gradient makes an update of its own.
    public boolean waitsForNone() {
        return fresh == 0;
    }

    /// Whether an update waits for all workers. Then it has the same bits, whenever they answer.
    public boolean waitsForAll() {
        return fresh == workers;
    }
}
