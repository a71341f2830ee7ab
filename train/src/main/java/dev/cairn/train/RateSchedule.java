package dev.cairn.train;

import dev.cairn.engine.InvalidSettingException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How the learning rate changes during a training: a factor for each step. It is a pure function, so a resume
/// needs only the step.
public sealed interface RateSchedule {
    /// The text form, which [#parse] accepts.
    String text();

    /// The factor of the learning rate at a step, counted from 1.
    ///
    /// @param steps the total number of steps of the training
    double factor(long step, long steps);

    /// Parses `constant`, `linear`, `cosine`, `step:N:F` (times F every N steps) or `exp:F` (times F every step).
    /// With the prefix `warmup:N+` the rate first rises from 0 over N steps.
    ///
    /// @throws InvalidSettingException if the text is none of these
    static RateSchedule parse(String text) {
        Matcher warmup = Pattern.compile("warmup:([0-9]{1,12})\\+(.+)").matcher(text);
        Matcher step = Pattern.compile("step:([0-9]{1,12}):([0-9.eE-]{1,20})").matcher(text);
        Matcher exponential = Pattern.compile("exp:([0-9.eE-]{1,20})").matcher(text);
        try {
            return switch (text) {
                case "constant" -> new Constant();
                case "linear" -> new Linear();
                case "cosine" -> new Cosine();
                default -> {
                    if (warmup.matches()) {
                        yield new WarmUp(Long.parseLong(warmup.group(1)), parse(warmup.group(2)));
                    }
                    if (step.matches()) {
                        yield new Steps(Long.parseLong(step.group(1)), Double.parseDouble(step.group(2)));
                    }
                    if (exponential.matches()) {
                        yield new Exponential(Double.parseDouble(exponential.group(1)));
                    }
                    throw new IllegalArgumentException();
                }
            };
        } catch (IllegalArgumentException _) {
            throw new InvalidSettingException(
                    "schedule",
                    ("must be constant, linear, cosine, step:N:F or exp:F with F from 0 to 1, not '%s'; "
                                    + "the prefix warmup:N+ starts slowly")
                            .formatted(text));
        }
    }

    /// A constant rate.
    record Constant() implements RateSchedule {
        @Override
        public String text() {
            return "constant";
        }

        @Override
        public double factor(long step, long steps) {
            return 1;
        }
    }

    /// Decreases linearly, to 0 after the last step.
    record Linear() implements RateSchedule {
        @Override
        public String text() {
            return "linear";
        }

        @Override
        public double factor(long step, long steps) {
            return 1 - done(step, steps);
        }
    }

    /// Decreases like half a cosine, to 0 after the last step.
    record Cosine() implements RateSchedule {
        @Override
        public String text() {
            return "cosine";
        }

        @Override
        public double factor(long step, long steps) {
            return (1 + StrictMath.cos(StrictMath.PI * done(step, steps))) / 2;
        }
    }

    /// Multiplies by the factor every `every` steps.
    record Steps(long every, double times) implements RateSchedule {
        public Steps {
            require(every >= 1 && times > 0 && times <= 1);
        }

        @Override
        public String text() {
            return String.format(Locale.ROOT, "step:%d:%s", every, times);
        }

        @Override
        public double factor(long step, long steps) {
            long drops = (step - 1) / every;
            return StrictMath.pow(times, (double) drops);
        }
    }

    /// Multiplies by the factor at every step.
    record Exponential(double times) implements RateSchedule {
        public Exponential {
            require(times > 0 && times <= 1);
        }

        @Override
        public String text() {
            return "exp:" + times;
        }

        @Override
        public double factor(long step, long steps) {
            return StrictMath.pow(times, (double) (step - 1));
        }
    }

    /// Rises linearly over the first steps of another schedule.
    record WarmUp(long over, RateSchedule then) implements RateSchedule {
        public WarmUp {
            require(over >= 1 && !(then instanceof WarmUp));
        }

        @Override
        public String text() {
            return "warmup:%d+%s".formatted(over, then.text());
        }

        @Override
        public double factor(long step, long steps) {
            return Math.min(1, (double) step / over) * then.factor(step, steps);
        }
    }

    private static double done(long step, long steps) {
        return Math.min(1, (step - 1) / (double) steps);
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException();
        }
    }
}
