package dev.cairn.store.right;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.FileSystemKind;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.log.SealedText;
import dev.cairn.store.right.LeaseBlob.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseTest {
    @Nested
    class InMemory extends LeaseContract {
        private final MemoryBlobStore blobs = new MemoryBlobStore();

        @Override
        protected BlobStore store() {
            return blobs;
        }

        @Override
        protected BlobStore copy() {
            var copy = new MemoryBlobStore();
            copy.blobs.putAll(blobs.blobs);
            return copy;
        }

        @Override
        protected void damage(String name, byte[] bytes) {
            blobs.blobs.put(name, bytes);
        }
    }

    @Nested
    class InAFolder extends LeaseContract {
        @TempDir
        Path folder;

        @Override
        protected BlobStore store() throws IOException {
            LocalBlobStore.createFolder(folder.resolve("run"));
            return new LocalBlobStore(folder.resolve("run"));
        }

        @Override
        protected BlobStore copy() throws IOException {
            Path run = folder.resolve("run");
            try (var files = Files.walk(run)) {
                for (Path file : files.toList()) {
                    Files.copy(file, folder.resolve("copy").resolve(run.relativize(file)));
                }
            }
            return new LocalBlobStore(folder.resolve("copy"));
        }

        @Override
        protected void damage(String name, byte[] bytes) throws IOException {
            Files.write(folder.resolve("run").resolve(name), bytes);
        }
    }

    @Test
    void everyFlippedBitAndEveryTruncationOfALeaseIsDamage() throws IOException {
        var lease = new LeaseBlob(7, "00ff", "inode-12", Duration.ofSeconds(15), State.HELD, "process 1 on a", null);
        byte[] bytes = lease.bytes();
        assertThat(LeaseBlob.read("lease/7", 7, bytes)).isEqualTo(lease);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> LeaseBlob.read("lease/7", 7, flipped))
                    .as("bit %d", bit)
                    .isInstanceOf(DamagedException.class);
        }
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> LeaseBlob.read("lease/7", 7, cut)).isInstanceOf(DamagedException.class);
        }
        assertThatThrownBy(() -> LeaseBlob.read("lease/8", 8, bytes)).isInstanceOf(DamagedException.class);
    }

    @Test
    void aLeaseThatSaysNonsenseIsDamageAndALaterVersionIsNot() {
        String json =
                "{\"number\":7,\"state\":\"held\",\"nonce\":\"0\",\"place\":\"\",\"ttlMillis\":1,\"holder\":\"\"}";
        for (String nonsense : new String[] {
            "{}",
            "[]",
            json.replace("held", "lost"),
            json.replace("ttlMillis\":1", "ttlMillis\":0"),
            json.replace("ttlMillis\":1", "ttlMillis\":15001"),
            json.replace("ttlMillis\":1", "ttlMillis\":9223372036854775807"),
            json.replace("\"number\":7", "\"number\":7.5"),
            json + json
        }) {
            byte[] bytes = new SealedText(1, nonsense).bytes("cairn-lease");
            assertThatThrownBy(() -> LeaseBlob.read("lease/7", 7, bytes))
                    .as(nonsense)
                    .isInstanceOf(DamagedException.class);
        }
        assertThatThrownBy(() -> LeaseBlob.read("lease/7", 7, new SealedText(2, json).bytes("cairn-lease")))
                .isInstanceOf(NewerFormatException.class);
        assertThatThrownBy(() -> LeaseBlob.read("lease/7", 7, "cairn-record 1\n".getBytes(UTF_8)))
                .isInstanceOf(DamagedException.class);
    }

    @Test
    void fileSystemsThatMayBeSharedAreNotTakenForLocalOnes() {
        for (String local : new String[] {"ext4", "xfs", "btrfs", "tmpfs", "overlay", "NTFS"}) {
            assertThat(FileSystemKind.ofType(local)).as(local).isEqualTo(FileSystemKind.LOCAL);
        }
        for (String shared :
                new String[] {"nfs", "nfs4", "cifs", "smb3", "9p", "lustre", "gpfs", "beegfs", "ceph", ""}) {
            assertThat(FileSystemKind.ofType(shared)).as(shared).isEqualTo(FileSystemKind.SHARED);
        }
        assertThat(FileSystemKind.ofType("fuse.sshfs")).isEqualTo(FileSystemKind.FUSE);
    }
}
