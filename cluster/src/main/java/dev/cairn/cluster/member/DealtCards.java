package dev.cairn.cluster.member;

import dev.cairn.cluster.control.Message.Card;
import dev.cairn.cluster.control.Message.Cards;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.engine.group.BrokenGroupException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Passes the cards of a group on through the supervisor, which knows all its members: so no process needs a
/// further port, and nobody else learns or changes them.
final class DealtCards {
    private final MemberLink link;
    private long generation;
    private CompletableFuture<List<String>> dealt = new CompletableFuture<>();

    DealtCards(MemberLink link) {
        this.link = link;
        link.onCards(this::take);
    }

    /// Gives the card of this member, and returns those of all members of the group.
    List<byte[]> exchange(Form form, byte[] mine) {
        CompletableFuture<List<String>> all = of(form.generation());
        link.send(new Card(form.generation(), form.rank(), Base64.getEncoder().encodeToString(mine)));
        try {
            return all.get().stream().map(Base64.getDecoder()::decode).toList();
        } catch (ExecutionException e) {
            throw new BrokenGroupException("a process is gone while the group formed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokenGroupException("interrupted", e);
        }
    }

    private synchronized CompletableFuture<List<String>> of(long wanted) {
        if (wanted > generation) {
            dealt.completeExceptionally(new IllegalStateException("another group forms"));
            generation = wanted;
            dealt = new CompletableFuture<>();
        }
        return wanted == generation ? dealt : CompletableFuture.failedFuture(new IllegalStateException("given up"));
    }

    private void take(Cards cards) {
        of(cards.generation()).complete(cards.texts());
    }

    /// Gives up the group of this generation.
    void abandon(long broken) {
        if (broken >= currentGeneration()) {
            of(broken).completeExceptionally(new IllegalStateException("given up"));
        }
    }

    private synchronized long currentGeneration() {
        return generation;
    }
}
