package dev.cairn.bench.team;

import dev.cairn.bench.FreshProcess;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.cluster.job.JobProcess;
import dev.cairn.cluster.supervise.Launcher;
import dev.cairn.cluster.supervise.Supervisor;
import dev.cairn.cluster.supervise.TeamPlan;
import dev.cairn.cluster.supervise.View;
import dev.cairn.store.Clock;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A team of real processes, whose supervisor is in this process. Every step and every death is timed.
final class WatchedTeam implements View, AutoCloseable {
    private static final String STEP = "step ";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /// Steps after which a new group is warm.
    private static final int WARM_STEPS = 30;

    private final int workers;
    private final int spares;
    private final Supervisor supervisor;
    private final Thread thread;
    private final Map<Long, Long> stepNanos = new ConcurrentHashMap<>();
    private final List<String> said = new ArrayList<>();
    private List<JobProcess> processes = List.of();
    private long lastStep;
    private int formations;
    private long formedStep;
    private int deaths;
    private long deathNanos;
    private boolean ended;
    private @Nullable Exception problem;

    /// What a kill led to, from the moment of the kill.
    ///
    /// @param noticed until the supervisor knew
    /// @param nextStep until the next step was finished
    record Recovery(double noticed, double nextStep) {}

    /// @param main the name of the program's main class
    /// @param training the arguments of `train`, without those about workers
    WatchedTeam(String main, Path folder, int workers, int spares, List<String> training) {
        this.workers = workers;
        this.spares = spares;
        var arguments = new ArrayList<>(List.of("train"));
        arguments.addAll(training);
        arguments.addAll(List.of("--workers", Integer.toString(workers), "--trace-steps"));
        List<String> command = FreshProcess.command(main, List.of(), arguments);
        Launcher launcher = variables -> {
            var builder =
                    new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            builder.environment().putAll(variables);
            return builder.start();
        };
        var plan = new TeamPlan(workers, workers, spares, PATIENCE, folder, Duration.ofSeconds(60), PATIENCE);
        this.supervisor = new Supervisor(plan, launcher, this, Clock.system());
        this.thread = Thread.ofPlatform().name("bench-supervisor").start(this::supervise);
    }

    private void supervise() {
        try {
            supervisor.run();
        } catch (IOException | InterruptedException | RuntimeException e) {
            problem = e;
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    /// Kills the worker of this rank with SIGKILL, when the team is warm and a spare process is ready.
    Recovery kill(int rank) throws IOException {
        ProcessHandle victim = awaitWarm(rank);
        int formationsBefore = formations();
        int deathsBefore = deaths();
        long killed = System.nanoTime();
        victim.destroyForcibly();
        await(() -> formations > formationsBefore && deaths > deathsBefore);
        long next = formedStep() + 1;
        await(() -> stepNanos.containsKey(next));
        return new Recovery((deathNanos() - killed) / 1e9, (timeOf(next) - killed) / 1e9);
    }

    /// Lets the same processes form a new group, and returns the seconds between the steps before and after that.
    double formAgain() throws IOException {
        awaitWarm(0);
        int before = formations();
        supervisor.formAgain();
        await(() -> formations > before);
        long last = formedStep();
        await(() -> stepNanos.containsKey(last) && stepNanos.containsKey(last + 1));
        return (timeOf(last + 1) - timeOf(last)) / 1e9;
    }

    /// The seconds of each of the next steps.
    double[] steps(int count) throws IOException {
        long first = lastStep() + 1;
        await(() -> lastStep >= first + count);
        double[] seconds = new double[count];
        for (int i = 0; i < count; i++) {
            seconds[i] = (timeOf(first + i + 1) - timeOf(first + i)) / 1e9;
        }
        return seconds;
    }

    /// Waits until this step is made.
    void awaitStep(long step) throws IOException {
        await(() -> lastStep >= step);
    }

    /// Waits until all places are taken by processes that have warmed up, and all spare processes are ready.
    private ProcessHandle awaitWarm(int rank) throws IOException {
        await(() -> count("worker", "training") == workers && count("spare", "ready") == spares);
        long from = Math.max(formedStep(), lastStep());
        await(() -> lastStep >= from + WARM_STEPS);
        synchronized (this) {
            return processes.stream()
                    .filter(process -> process.rank() == rank)
                    .findFirst()
                    .flatMap(JobProcess::alive)
                    .orElseThrow(() -> new IOException("worker " + rank + " is gone: " + said));
        }
    }

    private long count(String role, String state) {
        return processes.stream()
                .filter(process ->
                        process.role().equals(role) && process.state().equals(state))
                .count();
    }

    private synchronized void await(BooleanSupplier condition) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                if (ended || System.nanoTime() > end) {
                    throw new IOException("the training did not go on: " + said, problem);
                }
                wait(Duration.ofSeconds(1).toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private synchronized long lastStep() {
        return lastStep;
    }

    private synchronized int formations() {
        return formations;
    }

    private synchronized long formedStep() {
        return formedStep;
    }

    private synchronized int deaths() {
        return deaths;
    }

    private synchronized long deathNanos() {
        return deathNanos;
    }

    private long timeOf(long step) {
        return stepNanos.getOrDefault(step, 0L);
    }

    @Override
    public synchronized void memberSaid(String label, String line) {
        said.add(label + ": " + line);
    }

    @Override
    public synchronized void note(String line) {
        said.add(line);
    }

    @Override
    public void progress(String text) {}

    @Override
    public synchronized void processes(List<JobProcess> now) {
        processes = List.copyOf(now);
        notifyAll();
    }

    @Override
    public synchronized void died(int rank) {
        deaths++;
        deathNanos = System.nanoTime();
        notifyAll();
    }

    @Override
    public synchronized void forms(long step, int size) {
        formations++;
        formedStep = step;
        notifyAll();
    }

    @Override
    public synchronized void stepMade(String line) {
        long step = Long.parseLong(line.substring(STEP.length()));
        stepNanos.put(step, System.nanoTime());
        lastStep = Math.max(lastStep, step);
        notifyAll();
    }

    /// Ends all processes at once.
    @Override
    public void close() {
        for (int i = 0; i < 3; i++) { // the third notice ends them
            supervisor.stop(Notice.byHand("the end of the benchmark"));
        }
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
