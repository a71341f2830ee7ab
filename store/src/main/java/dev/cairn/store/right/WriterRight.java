package dev.cairn.store.right;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.FileSystemKind;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.WritableFolder;
import dev.cairn.store.log.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The right to write into a run, held until it is closed, or lost.
///
/// It keeps writers out of each other's way. It is not what keeps a run whole: that is the commit log, which lets no
/// writer commit after it was taken over, whatever that writer believes (`docs/adr/0010-leases.md`).
public sealed interface WriterRight extends Guard, AutoCloseable permits WriterLock, Lease, LockedLease {
    /// Gives the run back: the next one gets it at once.
    @Override
    void close() throws IOException;

    /// Takes the right to write into the run in this existing folder: by the operating system's lock on a local file
    /// system, by a lease on others.
    ///
    /// @throws dev.cairn.store.StoreLockedException where somebody else has it and keeps it
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
            // One who shares this folder with other machines, or was told to, holds a lease.
            return new LeaseFolder(blobs).isHeld()
                    ? new LockedLease(lock, Lease.take(blobs, run.toString(), claim))
                    : lock;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /// The same in any storage: by a lease where it is no folder.
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
