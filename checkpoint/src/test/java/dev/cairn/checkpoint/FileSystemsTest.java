package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.crash.fault.FaultPlan;
import dev.cairn.checkpoint.crash.fault.FaultPlan.Fault;
import dev.cairn.checkpoint.crash.fault.FaultyFileSystem;
import dev.cairn.checkpoint.crash.fault.HostView;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterRight;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// File systems that this machine may not have, simulated.
class FileSystemsTest {
    @TempDir
    Path run;

    private Path withoutLinks(String type) {
        return FaultyFileSystem.over(run, new FaultPlan(Fault.REFUSED, 1).only("link"), new HostView(type, 0));
    }

    /// Otherwise the run would be opened, and then every save would fail.
    @ParameterizedTest
    @EnumSource(WriterClaim.Locking.class)
    void oneWithoutHardLinksIsRefusedAtTheStart(WriterClaim.Locking locking) {
        var options = CheckpointOptions.defaults().withClaim(WriterClaim.usual().withLocking(locking));
        assertThatThrownBy(() -> Checkpoints.open(withoutLinks("vfat"), options))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("its file system (vfat) has no hard links")
                .hasMessageContaining("choose a folder on another file system, such as ext4")
                .hasMessageNotContaining("\n");
        assertThat(run).isEmptyDirectory();
    }

    /// A broken disk is not refused either.
    @Test
    void oneThatFailsIsNotTakenForIt() throws IOException {
        var broken = FaultyFileSystem.over(run, new FaultPlan(Fault.DEAD, 1).only("link .tmp-"));
        WriterRight.take(broken, WriterClaim.usual()).close();
    }

    /// A full disk says nothing about hard links, and a finished run can be opened there.
    @Test
    void oneWithoutRoomIsNotTakenForIt() throws IOException {
        try (var _ = Checkpoints.open(run, CheckpointOptions.defaults())) {
            assertThat(run.resolve("writer.lock")).exists();
        }
        var full = FaultyFileSystem.over(run, new FaultPlan(Fault.DEAD, 1).only("create .tmp-"));
        WriterRight.take(full, WriterClaim.usual()).close();
    }

    /// Two hosts that see different inodes, as on CIFS without the server's inodes or on 9p: a holder that renews
    /// is alive.
    @ParameterizedTest
    @ValueSource(strings = {"cifs", "smb3", "9p", "fuse.sshfs", "nfs4", "something new"})
    void aLiveHolderIsNotEvictedByAHostThatSeesOtherInodes(String type) throws IOException {
        var claim = WriterClaim.usual().withTtl(Duration.ofMillis(1200));
        var nothing = new FaultPlan(Fault.ERROR, 0);
        Path here = FaultyFileSystem.over(run, nothing, new HostView(type, 0));
        Path there = FaultyFileSystem.over(run, nothing, new HostView(type, 1000));
        try (WriterRight holder = WriterRight.take(here, claim)) {
            assertThatThrownBy(() -> WriterRight.take(there, claim))
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining("renews its lease");
            holder.check();
        }
        WriterRight.take(there, claim).close();
        assertThat(run.resolve("lease").toFile().list()).hasSize(1);
    }
}
