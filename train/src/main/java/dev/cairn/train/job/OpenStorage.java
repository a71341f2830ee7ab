package dev.cairn.train.job;

import dev.cairn.store.blob.BlobStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// Storage that the job has opened. Closing it closes its connections, if it has any.
record OpenStorage(BlobStore blobs) implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.cairn.train");

    @Override
    public void close() {
        if (blobs instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "storage not closed", e);
            }
        }
    }
}
