package dev.cairn.store;

/// There is not enough room for what is to be written; found out before writing it.
public final class StoreFullException extends StoreException {
    private static final long serialVersionUID = 1;

    /// Storage that has not enough room.
    public StoreFullException(long neededBytes, long usableBytes) {
        super(
                "not enough space: a checkpoint may need %,d bytes, the disk has %,d; free some, or copy the run's folder to a larger disk"
                        .formatted(neededBytes, usableBytes));
    }
}
