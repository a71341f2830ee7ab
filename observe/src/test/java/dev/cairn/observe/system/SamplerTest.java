package dev.cairn.observe.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.cairn.observe.system.Machine.ProcessCounters;
import dev.cairn.store.ManualClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private final FakeMachine machine = new FakeMachine();
    private final ManualClock clock = new ManualClock();
    private final AtomicLong spent = new AtomicLong();

    @Test
    void countersBecomeSharesAndRates() {
        machine.processes.add(counters(7, 1, 10, 500, 0, 100));
        Sampler sampler = sampler();
        sampler.sample(Map.of("w0", 7L));
        machine.cpu = new long[] {300, 50, 600, 30, 5, 10, 5};
        machine.disk = new ByteRates(1000, 4000);
        machine.network = new ByteRates(20, 60);
        machine.processes.set(0, counters(7, 1, 13, 800, 400, 100));
        clock.advance(Duration.ofSeconds(2));

        SystemSample sample = sampler.sample(Map.of("w0", 7L));

        assertThat(sample.time()).isEqualTo(clock.now());
        assertThat(sample.seconds()).isEqualTo(2);
        assertThat(sample.cpu()).isEqualTo(new CpuUse(0.3, 0.05, 0.6, 0.03, 0.005, 0.01, 0.005));
        assertThat(sample.disk()).isEqualTo(new ByteRates(500, 2000));
        assertThat(sample.network()).isEqualTo(new ByteRates(10, 30));
        assertThat(sample.processes()).containsExactly(new ProcessUse("w0", 7, 1.5, 800, new ByteRates(200, 0)));
    }

    @Test
    void theProcessesThatUseMostAreNamed() {
        machine.processes.add(counters(1, 1, 100, 50, 0, 0));
        machine.processes.add(counters(2, 1, 5, 9000, 0, 0));
        machine.processes.add(counters(3, 1, 1, 10, 0, 0));
        Sampler sampler = sampler();
        machine.processes.set(2, counters(3, 1, 4, 10, 0, 0));
        clock.advance(Duration.ofSeconds(1));
        SystemSample sample = sampler.sample(Map.of());
        assertThat(sample.topCpu().orElseThrow().name()).isEqualTo("p3");
        assertThat(sample.topCpu().orElseThrow().cores()).isEqualTo(3);
        assertThat(sample.topMemory().orElseThrow().pid()).isEqualTo(2);
    }

    @Test
    void whatCostsMuchIsReadSeldom() {
        machine.processes.add(counters(1, 1, 0, 50, 0, 0));
        var costly = new Sampler(machine, clock, () -> spent.addAndGet(5_000_000)); // each reading takes 5 ms
        int first = machine.searches;
        for (int second = 0; second < 100; second++) {
            clock.advance(Duration.ofSeconds(1));
            costly.sample(Map.of());
        }
        assertThat(machine.searches - first).isEqualTo(20); // 5 ms in 5 s is a thousandth of a core
    }

    @Test
    void aRateIsOfTheTimeBetweenItsReadings() {
        var costly = new Sampler(machine, clock, () -> spent.addAndGet(3_000_000));
        var rates = new double[6];
        for (int second = 0; second < rates.length; second++) {
            clock.advance(Duration.ofSeconds(1));
            machine.disk = new ByteRates(machine.disk.in() + 100, 0);
            rates[second] = costly.sample(Map.of()).disk().in();
        }
        assertThat(rates).containsExactly(new double[] {Double.NaN, Double.NaN, 100, 100, 100, 100}, offset(1e-9));
    }

    @Test
    void aCounterThatBeginsAgainGivesNoRate() {
        machine.disk = new ByteRates(5000, 5000);
        Sampler sampler = sampler();
        machine.disk = new ByteRates(10, 6000);
        clock.advance(Duration.ofSeconds(1));
        ByteRates disk = sampler.sample(Map.of()).disk();
        assertThat(disk.in()).isNaN();
        assertThat(disk.out()).isEqualTo(1000);
    }

    @Test
    void aProcessThatTookThePidOfAnotherBeginsAnew() {
        machine.processes.add(counters(7, 1, 50, 500, 0, 0));
        Sampler sampler = sampler();
        sampler.sample(Map.of("w0", 7L));
        machine.processes.set(0, counters(7, 2, 60, 500, 0, 0));
        clock.advance(Duration.ofSeconds(1));
        assertThat(sampler.sample(Map.of("w0", 7L)).processes().getFirst().cores())
                .isNaN();
        machine.processes.clear();
        clock.advance(Duration.ofSeconds(1));
        assertThat(sampler.sample(Map.of("w0", 7L)).processes()).isEmpty();
    }

    private Sampler sampler() {
        return new Sampler(machine, clock, spent::get);
    }

    private static ProcessCounters counters(
            long pid, long startMillis, double cpuSeconds, long memoryBytes, double read, double written) {
        return new ProcessCounters(pid, startMillis, "p" + pid, cpuSeconds, memoryBytes, new ByteRates(read, written));
    }
}
