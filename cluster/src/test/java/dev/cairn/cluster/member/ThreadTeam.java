package dev.cairn.cluster.member;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.cluster.supervise.Launcher;
import dev.cairn.cluster.supervise.ThreadProcess;
import dev.cairn.engine.group.GradientExchange;
import dev.cairn.engine.group.GroupMaker;
import dev.cairn.store.retention.Retention;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.batch.Share;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.LabelledImages;
import dev.cairn.train.data.Scaling;
import dev.cairn.train.team.Replica;
import dev.cairn.train.team.Team;
import dev.cairn.train.team.TeamLostException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Members of a team as threads of this process: real links, real loops, and groups in memory.
final class ThreadTeam implements Launcher {
    private static final int KILLED = 137;
    static final int NEVER = 1_000_000;

    private static final ThreadLocal<Integer> NUMBER = ThreadLocal.withInitial(() -> -1);

    private final TrainingSettings settings;
    private final Dataset data;
    private final Path run;
    private final int saveEvery;
    private final IntConsumer beforeStart;
    private final Map<String, MemoryGroup.Ring> rings = new ConcurrentHashMap<>();
    private final Set<Integer> doomed = ConcurrentHashMap.newKeySet();

    /// Ends a thread as SIGKILL ends a process.
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /// @param beforeStart called with the number of each member, on its thread, before it starts
    private ThreadTeam(TrainingSettings settings, Dataset data, Path run, int saveEvery, IntConsumer beforeStart) {
        this.settings = settings;
        this.data = data;
        this.run = run;
        this.saveEvery = saveEvery;
        this.beforeStart = beforeStart;
    }

    /// A team that trains the model of [CountingEngine], whose examples have their numbers for labels.
    static ThreadTeam counting(int examples, int batch, long steps, int saveEvery, Path folder, IntConsumer beforeStart)
            throws RefusedException {
        var request = TrainingRequest.of("lr")
                .with("engine", "counting")
                .with("batch", batch)
                .with("evaluateEvery", NEVER)
                .with("steps", steps);
        TrainingSettings settings =
                TrainingSettings.resolve(request, Optional.empty()).settings();
        byte[] labels = new byte[examples];
        for (int i = 0; i < examples; i++) {
            labels[i] = (byte) i;
        }
        var images = new LabelledImages(1, 1, examples, new byte[examples], labels);
        var data = new ImageSet("digits", images, images, Scaling.NONE);
        return new ThreadTeam(settings, data, folder.resolve("run"), saveEvery, beforeStart);
    }

    /// The number of the member whose thread this is.
    static int number() {
        return NUMBER.get();
    }

    /// Kills the member of this number at its next step.
    void doom(int number) {
        doomed.add(number);
    }

    /// To be called at each step: ends the thread if its member is to be killed.
    void dieIfDoomed() {
        if (doomed.contains(number())) {
            throw new Killed();
        }
    }

    @Override
    public Process start(Map<String, String> variables) {
        Identity identity = Identity.in(variables).orElseThrow();
        var process = new LinkedThread();
        Thread.ofPlatform()
                .name("member-" + identity.number())
                .daemon(true)
                .start(() -> process.ended.complete(live(identity, process)));
        return process;
    }

    private int live(Identity identity, LinkedThread process) {
        NUMBER.set(identity.number());
        beforeStart.accept(identity.number());
        try (MemberLink link = MemberLink.open(identity)) {
            process.link = link;
            link.send(new Message.Ready());
            for (var told = link.next(); told.isPresent(); told = link.next()) {
                switch (told.get()) {
                    case Message.Lead _ -> {
                        lead(link, Optional.empty());
                        return 0;
                    }
                    case Message.Follow _ -> {
                        follow(link);
                        return 0;
                    }
                    case Message.End _ -> {
                        return 0;
                    }
                    case Message _ -> {}
                }
            }
            return 0;
        } catch (Killed killed) {
            return KILLED;
        } catch (IOException e) {
            return 1;
        }
    }

    private void follow(MemberLink link) throws IOException {
        PromotedException leads;
        try (var team = new ProcessTeam(link, maker(), Notices.none())) {
            trainer().follow(new MortalTeam(team));
            return;
        } catch (PromotedException promoted) {
            leads = promoted;
        }
        lead(link, leads.kept());
    }

    private void lead(MemberLink link, Optional<KeptState> kept) throws IOException {
        CheckpointOptions options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(saveEvery))
                .withRetention(Retention.parse("all"))
                .withoutLog();
        try (var team = new ProcessTeam(link, maker(), Notices.none());
                Checkpoints checkpoints = Checkpoints.open(run, options)) {
            team.keep(kept);
            link.send(new Message.Settings(JsonNodeFactory.instance.objectNode()));
            trainer().lead(checkpoints, new Trainer.Start.Resume(Matching.WHOLE), new MortalTeam(team));
        }
        link.send(new Message.Result(0, "done"));
    }

    private Trainer trainer() {
        return new Trainer(settings, data, Goals.NONE, _ -> {}, Notices.none());
    }

    private GroupMaker maker() {
        return meeting -> rings.computeIfAbsent(meeting.file().toString(), _ -> new MemoryGroup.Ring(meeting.size()))
                .member(meeting.rank());
    }

    /// Dies when its process is ended, where a real one would not come back.
    private record MortalTeam(Team team) implements Team {
        @Override
        public Share share() {
            return team.share();
        }

        @Override
        public void form(Replica replica) throws IOException {
            try {
                team.form(replica);
            } catch (TeamLostException ended) {
                throw new Killed();
            }
        }

        @Override
        public GradientExchange exchange(long step, int examples, boolean wantsSave) {
            return team.exchange(step, examples, wantsSave);
        }

        @Override
        public boolean stops() {
            return team.stops();
        }

        @Override
        public boolean saves() {
            return team.saves();
        }

        @Override
        public boolean regroups() {
            return team.regroups();
        }

        @Override
        public boolean decide(boolean leaders) {
            return team.decide(leaders);
        }

        @Override
        public void agree(Replica replica) {
            team.agree(replica);
        }

        @Override
        public void addUp(double[] parts) {
            team.addUp(parts);
        }

        @Override
        public void finish() throws IOException {
            team.finish();
        }
    }

    private static final class LinkedThread extends ThreadProcess {
        private volatile @Nullable MemberLink link;

        @Override
        public void destroy() {
            MemberLink open = link;
            if (open == null) {
                ended.complete(KILLED);
            } else {
                open.close();
            }
        }
    }
}
