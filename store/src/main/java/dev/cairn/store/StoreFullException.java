package dev.cairn.store;

/// Thrown before writing if the storage does not have enough free space.
public final class StoreFullException extends StoreException {
    private static final long serialVersionUID = 1;

    /// Reports storage without enough free space.
    public StoreFullException(long neededBytes, long usableBytes) {
        super(
                "not enough space: a checkpoint may need %,d bytes, the disk has %,d free; free some space, or copy the run's folder to a larger disk"
                        .formatted(neededBytes, usableBytes));
    }
}
