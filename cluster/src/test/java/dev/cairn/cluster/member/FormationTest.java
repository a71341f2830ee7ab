package dev.cairn.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.control.Message.Broken;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.ProcessGroup;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FormationTest {
    private static final Form FORM = new Form(4, 0, 2, "nowhere", 0, List.of());

    @Test
    void aGroupThatWillNotBeCompleteIsAbandonedAtOnceAndClosedIfItFormsAfterAll() throws Exception {
        var forming = new CountDownLatch(1);
        var late = new CompletableFuture<ProcessGroup>();
        var formation = new Formation(_ -> {
            forming.countDown();
            return late.join();
        });
        var result = CompletableFuture.supplyAsync(() -> formation.form(FORM, "127.0.0.1"));
        forming.await();
        formation.abandon(new Broken(4));
        assertThatThrownBy(result::join).hasCauseInstanceOf(BrokenGroupException.class);

        var group = new MemoryGroup.Ring(1).member(0);
        late.complete(group);
        assertThat(group.closed().get()).isTrue();
    }

    @Test
    void aGroupThatIsAlreadyAbandonedDoesNotForm() {
        var formation = new Formation(_ -> {
            throw new AssertionError("asked to form");
        });
        formation.abandon(new Broken(4));
        assertThatThrownBy(() -> formation.form(FORM, "127.0.0.1")).isInstanceOf(BrokenGroupException.class);
    }

    @Test
    void groupsFormOnOneThreadThatLivesOn() {
        var threads = new java.util.concurrent.CopyOnWriteArrayList<Thread>();
        var ring = new MemoryGroup.Ring(1);
        try (var formation = new Formation(_ -> {
            threads.add(Thread.currentThread());
            return ring.member(0);
        })) {
            formation.form(FORM, "127.0.0.1");
            formation.form(new Form(5, 0, 2, "nowhere", 0, List.of()), "127.0.0.1");
            assertThat(threads).hasSize(2).allMatch(Thread::isAlive);
            assertThat(threads.getFirst()).isSameAs(threads.getLast());
        }
    }
}
