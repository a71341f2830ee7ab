package dev.cairn.cluster.member;

import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Message.Beat;
import dev.cairn.cluster.control.Message.Broken;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.cluster.control.Message.Formed;
import dev.cairn.cluster.control.Message.Lead;
import dev.cairn.cluster.control.Message.Serves;
import dev.cairn.cluster.control.Message.Waiting;
import dev.cairn.cluster.control.OwnPace;
import dev.cairn.cluster.control.Tally;
import dev.cairn.engine.group.Traffic;
import dev.cairn.engine.server.Generation;
import dev.cairn.train.steps.Meeting;
import dev.cairn.train.team.Replica;
import dev.cairn.train.team.TeamLostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// A meeting of processes that a supervisor started. The supervisor knows all of them, and says when they are
/// complete.
public final class ProcessMeeting implements Meeting {
    private static final double NANOS_PER_SECOND = 1e9;

    private final MemberLink link;
    private final int servers;
    private final int fresh;
    private long generation;
    private volatile long finished;
    private volatile Tally tally = Tally.NONE;

    /// @param servers the number of parameter servers, which have the first ranks
    /// @param fresh the number of gradients that an update waits for; 0 if each makes an update of its own
    public ProcessMeeting(MemberLink link, int servers, int fresh) {
        this.link = link;
        this.servers = servers;
        this.fresh = fresh;
    }

    /// The last finished step, as far as this process knows.
    public long finishedStep() {
        return finished;
    }

    /// What this process has done.
    public Tally tally() {
        return tally;
    }

    /// Returns, at the end of a training that this process has served, what all have done. The first is of rank 0.
    public List<Tally> summary() {
        link.send(new Message.Finished(tally));
        while (true) {
            Optional<Message> command = link.next();
            if (command.isEmpty() || command.get() instanceof Message.End) {
                return List.of();
            }
            if (command.get() instanceof Message.Summary(List<Tally> workers)) {
                return workers;
            }
        }
    }

    @Override
    public Optional<Place> await(long step, boolean isServer) throws TeamLostException {
        finished = step;
        link.send(new Beat(step, 0, "", tally));
        link.send(new Waiting(generation, step, isServer ? step : Replica.NONE));
        while (true) {
            Optional<Message> command = link.next();
            if (command.isEmpty()) {
                throw new TeamLostException("the process that started this training is gone");
            }
            switch (command.get()) {
                case Form form -> {
                    generation = form.generation();
                    link.send(new Formed(generation));
                    return Optional.of(place(form));
                }
                case Message.End _ -> {
                    return Optional.empty();
                }
                case Message.Hold _ -> throw new PartException();
                case Lead(boolean begun) -> throw new PromotedException(begun, Optional.empty());
                case Broken _ -> {} // of the group that this process has left
                case Message other -> throw new IllegalStateException("not expected from a supervisor: " + other);
            }
        }
    }

    /// Waits until the present generation has ended, as a process that does nothing in it.
    ///
    /// @return whether there may be another one
    public boolean awaitBroken() throws TeamLostException {
        while (true) {
            Optional<Message> command = link.next();
            if (command.isEmpty()) {
                throw new TeamLostException("the process that started this training is gone");
            }
            if (command.get() instanceof Message.End) {
                return false;
            }
            if (command.get() instanceof Broken(long of) && of >= generation) {
                return true;
            }
        }
    }

    private Place place(Form form) {
        int workers = form.size() - servers;
        return new Place(
                new Generation(form.generation(), workers, fresh),
                Math.max(-1, form.rank() - servers),
                List.of(form.server().split(" ", -1)));
    }

    @Override
    public int servers() {
        return servers;
    }

    @Override
    public void serves(String address) {
        link.send(new Serves(address));
    }

    @Override
    public void finished(long step) {
        finished = step;
    }

    @Override
    public void worked(Work done) {
        tally = tally.plus(new Tally(
                        1,
                        done.examples(),
                        done.loss(),
                        seconds(done.whole()),
                        seconds(done.waited()),
                        seconds(done.loading()),
                        0,
                        null,
                        null)
                .with(OwnPace.scored(done.score())));
    }

    @Override
    public void aged(long age) {
        tally = tally.plus(Tally.NONE.with(OwnPace.aged(age)));
    }

    @Override
    public void exchanged(Traffic traffic) {
        tally = tally.withTraffic(traffic.sentBytes(), traffic.receivedBytes());
    }

    private static double seconds(Duration time) {
        return time.toNanos() / NANOS_PER_SECOND;
    }

    @Override
    public void leaves(long broken) {
        link.send(new Broken(broken));
    }

    @Override
    public void onBroken(LongConsumer broken) {
        link.onBroken(told -> broken.accept(told.generation()));
    }
}
