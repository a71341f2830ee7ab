package dev.cairn.store.right;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.ManualClock;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.FaultyBlobStore.Fault;
import dev.cairn.store.blob.HookedBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Guard.TakeOver;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterClaim.Urgency;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The laws of [Lease], in every kind of storage. All holders are this one process on this one host: nothing may depend
/// on who they say they are.
public abstract class LeaseContract {
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /// The storage to be tested; the same each time within a test.
    protected abstract BlobStore store() throws IOException;

    /// The same blobs in another place.
    protected abstract BlobStore copy() throws IOException;

    /// Puts these bytes in the place of a blob.
    protected abstract void damage(String name, byte[] bytes) throws IOException;

    private WriterClaim claim(ManualClock clock) {
        return WriterClaim.usual().withClock(clock).withListener(new WriterClaim.Listener() {
            @Override
            public void waiting(String holder, Duration left) {
                heard.add("waiting " + left.toSeconds());
            }

            @Override
            public void takenOver(String holder) {
                heard.add("taken over");
            }
        });
    }

    private Lease take(WriterClaim claim) throws IOException {
        return new LeaseWait(store(), "run", claim).take();
    }

    private Lease take() throws IOException {
        return take(claim(new ManualClock()));
    }

    @Test
    void aLiveHolderKeepsOthersOutAndTheyLearnWhoItIs() throws IOException {
        Lease holder = take();
        var clock = new ManualClock().during(holder::renew);
        assertThatThrownBy(() -> take(claim(clock)))
                .isInstanceOf(StoreLockedException.class)
                .hasMessageContaining("process " + ProcessHandle.current().pid() + " on ")
                .hasMessageContaining("which renews its lease")
                .hasMessageContaining("Urgency.AT_ONCE");
        assertThat(clock.elapsed()).isEqualTo(WriterClaim.LONGEST_TTL);
        assertThat(heard).isNotEmpty().allMatch(line -> line.startsWith("waiting"));
        holder.check();
        assertThat(holder.isLost()).isFalse();
    }

    @Test
    void whoGivesItBackIsFollowedAtOnceAndNothingIsTakenOver() throws IOException {
        Lease first = take();
        assertThat(first.takeOver()).isEmpty();
        first.renew();
        first.close();
        var clock = new ManualClock();
        Lease second = take(claim(clock));
        assertThat(clock.elapsed()).isZero();
        assertThat(second.takeOver()).isEmpty();
        assertThat(heard).isEmpty();
        assertThatThrownBy(first::check).isInstanceOf(CommitConflictException.class);
        second.check();
    }

    @Test
    void whoWaitsGetsItWhenItIsGivenBack() throws IOException {
        Lease first = take();
        int[] pauses = {0};
        var clock = new ManualClock();
        clock.during(() -> {
            if (++pauses[0] == 3) {
                first.close();
            }
        });
        assertThat(take(claim(clock)).takeOver()).isEmpty();
        assertThat(clock.elapsed()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void aDeadHoldersLeaseRunsOutByTheClockOfWhoWaits() throws IOException {
        take();
        var clock = new ManualClock();
        // The time of day jumps about; it decides nothing.
        clock.during(() -> clock.setTimeOfDay(Instant.EPOCH.minus(clock.elapsed())));
        Lease second = take(claim(clock));
        assertThat(clock.elapsed()).isEqualTo(WriterClaim.LONGEST_TTL);
        assertThat(second.takeOver()).map(TakeOver::from).get().asString().startsWith("process ");
        assertThat(heard).contains("waiting 15", "waiting 9", "waiting 0").endsWith("taken over");
    }

    @Test
    void aHolderThatDiesLaterGetsItsWholeTimeFromItsLastRenewal() throws IOException {
        Lease first = take();
        int[] pauses = {0};
        var clock = new ManualClock();
        clock.during(() -> {
            if (++pauses[0] == 10) {
                first.renew();
            }
        });
        take(claim(clock));
        assertThat(clock.elapsed())
                .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(20).plusMillis(500));
    }

    @Test
    void theHolderSaysHowLongItsLeaseRuns() throws IOException {
        take(claim(new ManualClock()).withTtl(Duration.ofSeconds(2)));
        var clock = new ManualClock();
        take(claim(clock));
        assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void takingOverAtOnceWaitsForNobody() throws IOException {
        Lease first = take();
        var clock = new ManualClock();
        Lease second = take(claim(clock).withUrgency(Urgency.AT_ONCE));
        assertThat(clock.elapsed()).isZero();
        assertThat(second.takeOver()).isPresent();
        assertThatThrownBy(first::check)
                .isInstanceOf(CommitConflictException.class)
                .hasMessageContaining("taken over by process ");
    }

    @Test
    void renewingLeavesOneBlob() throws IOException {
        Lease lease = take();
        for (int i = 0; i < 20; i++) {
            lease.renew();
            assertThat(store().list("lease/")).hasSize(1);
        }
        lease.close();
        lease.close();
        lease.renew();
        assertThat(store().list("lease/")).containsExactly("lease/0000000022.lease");
    }

    @Test
    void aHolderThatComesBackLosesForGoodAndDisturbsNobody() throws IOException {
        Lease first = take();
        Lease second = take(claim(new ManualClock()));
        second.takeOverRecorded();
        first.renew();
        assertThat(first.isLost()).isTrue();
        first.renew();
        first.close();
        second.check();
        second.renew();
        second.close();
        assertThatThrownBy(first::check).isInstanceOf(CommitConflictException.class);
        assertThat(take().takeOver()).isEmpty();
    }

    /// Stopped before any of its operations for as long as it takes others to take over, renew, and give back.
    @Test
    void aHolderStoppedAnywhereInARenewalLosesForGoodAndDisturbsNobody() throws IOException {
        boolean reachedTheEnd = false;
        for (int stopAt = 1; !reachedTheEnd; stopAt++) {
            var second = new ArrayList<Lease>();
            var hooked = new HookedBlobStore(store(), stopAt, () -> {
                Lease taken = take(claim(new ManualClock()).withUrgency(Urgency.AT_ONCE));
                taken.takeOverRecorded();
                taken.renew();
                taken.renew();
                second.add(taken);
            });
            var clock = new ManualClock().during(() -> second.getFirst().renew());
            Lease first;
            try {
                first = new LeaseWait(hooked, "run", claim(clock)).take();
                first.renew();
                first.renew();
            } catch (StoreLockedException othersWereFaster) {
                second.getFirst().close();
                continue;
            }
            reachedTheEnd = !hooked.hasStopped();
            if (reachedTheEnd) {
                continue;
            }
            second.getFirst().check();
            assertThatThrownBy(first::check).as("stopped at %d", stopAt).isInstanceOf(CommitConflictException.class);
            first.close();
            second.getFirst().renew();
            second.getFirst().check();
            second.getFirst().close();
            assertThat(take().takeOver()).as("stopped at %d", stopAt).isEmpty();
            store().list("lease/").forEach(this::deleteQuietly);
        }
    }

    private void deleteQuietly(String name) {
        try {
            store().delete(name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void renewalsMayFailAnywhereAndAreMadeUpFor(Fault fault) throws IOException {
        boolean reachedTheEnd = false;
        for (int failAt = 2; !reachedTheEnd; failAt++) {
            var faulty = new FaultyBlobStore(store(), fault, failAt);
            Lease lease = new LeaseWait(faulty, "run", claim(new ManualClock())).take();
            for (int i = 0; i < 4; i++) {
                try {
                    lease.renew();
                } catch (IOException injected) {
                    assertThat(injected).hasMessageContaining("injected");
                }
                lease.check();
            }
            reachedTheEnd = !faulty.faultHappened();
            if (reachedTheEnd) {
                continue;
            }
            lease.renew();
            assertThat(store().list("lease/")).hasSize(1);
            lease.close();
            assertThat(new LeaseFolder(store()).look().isReleased()).isTrue();
        }
    }

    @Test
    void whoTookOverAndDidNotSayItInTheLogDoesNotGiveBack() throws IOException {
        take();
        Lease second = take(claim(new ManualClock()));
        second.close();
        Lease third = take(claim(new ManualClock()));
        assertThat(third.takeOver()).isPresent();
        third.takeOverRecorded();
        third.close();
        assertThat(take().takeOver()).isEmpty();
    }

    @Test
    void aRunWithoutALeaseIsTakenOverUnlessItIsNew() throws IOException {
        assertThat(take().takeOver()).isEmpty();
        store().list("lease/").forEach(this::deleteQuietly);
        store().createIfAbsent("log/0000000001.rec", new byte[1]);
        assertThat(take().takeOver()).isPresent();
    }

    @Test
    void ofManyWhoWaitExactlyOneTakesOver() throws Exception {
        int racers = 8;
        try (var threads = Executors.newFixedThreadPool(racers)) {
            for (int round = 0; round < 4; round++) {
                take(claim(new ManualClock()).withUrgency(Urgency.AT_ONCE));
                var allSawIt = new CyclicBarrier(racers);
                var winners = new CopyOnWriteArrayList<Lease>();
                var attempts = new ArrayList<Callable<Void>>();
                for (int racer = 0; racer < racers; racer++) {
                    attempts.add(() -> {
                        var clock = new ManualClock();
                        clock.during(() -> {
                            if (clock.elapsed().compareTo(Duration.ofMillis(500)) <= 0) {
                                allSawIt.await();
                            }
                            for (Lease winner : winners) {
                                winner.renew();
                            }
                        });
                        try {
                            winners.add(take(claim(clock)));
                        } catch (StoreLockedException lost) {
                            // As all but one must.
                        }
                        return null;
                    });
                }
                for (var attempt : threads.invokeAll(attempts)) {
                    attempt.get();
                }
                assertThat(winners.stream().filter(LeaseContract::isHeld))
                        .as("round %d", round)
                        .hasSize(1);
            }
        }
    }

    private static boolean isHeld(Lease lease) {
        try {
            lease.check();
            return true;
        } catch (CommitConflictException lost) {
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCopyIsNobodysAndDoesNotWait() throws IOException {
        Lease holder = take();
        store().createIfAbsent("log/0000000001.rec", new byte[1]);
        var clock = new ManualClock();
        Lease ofCopy = new LeaseWait(copy(), "copy", claim(clock)).take();
        assertThat(clock.elapsed()).isZero();
        assertThat(ofCopy.takeOver()).map(TakeOver::from).get().asString().endsWith("whose run this is a copy of");
        holder.check();
        ofCopy.check();
    }

    @Test
    void aDamagedLeaseIsDamageAndRunsOutLikeAnyOther() throws IOException {
        Lease holder = take();
        damage("lease/0000000001.lease", new byte[10]);
        var store = new CheckpointStore(store());
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FAST, c -> {})
                        .damaged())
                .extracting(StoreVerifier.DamagedFile::file)
                .containsExactly("lease/0000000001.lease");
        holder.check();
        var clock = new ManualClock();
        Lease second = take(claim(clock));
        assertThat(clock.elapsed()).isEqualTo(WriterClaim.LONGEST_TTL);
        assertThat(second.takeOver()).map(TakeOver::from).contains("an unknown process");
        second.renew();
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FAST, c -> {});
        assertThat(report.ok()).isTrue();
        assertThat(report.foreign()).isEmpty();
    }
}
