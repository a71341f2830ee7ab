package dev.cairn.store.right;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.FileSystemKind;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.WritableFolder;
import dev.cairn.store.log.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The right to write to a run, held until it is closed or lost.
///
/// It prevents writers from disturbing each other. It does not protect the integrity of a run: the commit log does,
/// because no writer can commit after a takeover, even if it does not know of it (`docs/adr/0010-leases.md`).
public sealed interface WriterRight extends Guard, AutoCloseable permits WriterLock, Lease, LockedLease {
    /// Releases the run: the next writer can take it at once.
    @Override
    void close() throws IOException;

    /// Notes which processes train the run together from now on, before they make a step. Does nothing if the
    /// holder has a lock of this host: then they cannot be cut apart.
    ///
    /// @throws dev.cairn.store.CommitConflictException if another process holds the run
    default void declare(Generation group) throws IOException {
        check();
    }

    /// Takes the right to write to the run in this existing folder: with the operating system's lock on a local
    /// file system, with a lease on others.
    ///
    /// @throws dev.cairn.store.StoreLockedException if another process holds it and keeps it
    static WriterRight take(Path run, WriterClaim claim) throws IOException {
        WritableFolder.check(run);
        var blobs = new LocalBlobStore(run, claim.clock());
        boolean local = FileSystemKind.of(run) == FileSystemKind.LOCAL;
        if (!local || claim.locking() == WriterClaim.Locking.LEASE) {
            if (local) {
                WriterLock.checkFree(run);
            }
            return Lease.take(blobs, run.toString(), claim);
        }
        WriterLock lock = WriterLock.take(run, claim);
        try {
            // A writer that shares this folder with other machines, or was told to, holds a lease.
            return new LeaseFolder(blobs).isHeld()
                    ? new LockedLease(lock, Lease.take(blobs, run.toString(), claim))
                    : lock;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /// Takes the right to write to a run in any storage: with a lease if the storage is not a folder.
    static WriterRight take(BlobStore blobs, WriterClaim claim) throws IOException {
        return blobs instanceof LocalBlobStore local
                ? take(local.root(), claim)
                : Lease.take(
                        blobs,
                        Optional.of(blobs.place())
                                .filter(place -> !place.isEmpty())
                                .orElse("run"),
                        claim);
    }
}
