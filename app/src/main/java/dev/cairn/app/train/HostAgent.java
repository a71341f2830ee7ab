package dev.cairn.app.train;

import dev.cairn.app.console.Terminal;
import dev.cairn.app.notice.NoticeOptions;
import dev.cairn.app.notice.Signals;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.agent.Agent;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// `cairn train` on a host that is not the first of its job: starts the processes that have their place here.
/// What they say, and the result, is shown where the command was started on the first host.
final class HostAgent {
    private static final String OWN = "cairn: ";
    private static final Duration GRACE = Duration.ofSeconds(30);

    private HostAgent() {}

    /// @param arguments those of this process
    static int run(Agent.Plan plan, NoticeOptions notices, List<String> arguments, Terminal terminal)
            throws IOException {
        var agent = new Agent(plan, Supervision.launcher(arguments), line -> terminal.line(OWN + line), Clock.system());
        try (Notices watched =
                notices.watch(() -> GRACE, Clock.system(), warning -> terminal.line("cairn: warning: " + warning))) {
            watched.addListener(notice -> agent.stop("%s on %s".formatted(notice.reason(), plan.name())));
            Signals.sendTo(name -> watched.post(Notice.byHand(name)));
            Agent.Ending ending = agent.run();
            if (!ending.problem().isEmpty()) {
                terminal.line(OWN + ending.problem());
            }
            return ending.code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Signals.sendTo(_ -> {});
        }
    }
}
