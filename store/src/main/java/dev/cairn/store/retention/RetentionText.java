package dev.cairn.store.retention;

import dev.cairn.store.retention.Metric.Direction;
import dev.cairn.store.retention.RetentionPolicy.All;
import dev.cairn.store.retention.RetentionPolicy.AtLeastN;
import dev.cairn.store.retention.RetentionPolicy.BestN;
import dev.cairn.store.retention.RetentionPolicy.EveryDuration;
import dev.cairn.store.retention.RetentionPolicy.EveryNSteps;
import dev.cairn.store.retention.RetentionPolicy.LatestN;
import dev.cairn.store.retention.RetentionPolicy.NewerThan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;

/// Parses `latest:5,every:1h,best:1`.
final class RetentionText {
    private static final String FORMS =
            "latest:5, every:1000 (steps), every:1h, best:1, best:1@loss, newer:2d, atleast:3 and all, separated by commas";

    private RetentionText() {}

    static Retention parse(String text) {
        var policies = new ArrayList<RetentionPolicy>();
        for (String part : text.split(",", -1)) {
            policies.add(policy(part.strip()));
        }
        return new Retention(policies);
    }

    private static RetentionPolicy policy(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(colon + 1);
        return switch (name) {
            case "all" -> {
                if (colon >= 0) {
                    throw new IllegalArgumentException("'" + text + "' should be just 'all'");
                }
                yield new All();
            }
            case "latest" -> new LatestN(count(text, value));
            case "every" -> {
                Optional<Duration> interval = Spans.parse(value);
                yield interval.isPresent() ? new EveryDuration(interval.get()) : new EveryNSteps(steps(text, value));
            }
            case "best" -> best(text, value);
            case "newer" ->
                new NewerThan(Spans.parse(value)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'" + text + "' needs a time with its unit, such as newer:12h or newer:2d")));
            case "atleast" -> new AtLeastN(count(text, value));
            default -> throw new IllegalArgumentException("'" + text + "' is not a retention policy; use " + FORMS);
        };
    }

    private static BestN best(String text, String value) {
        int at = value.indexOf('@');
        if (at < 0) {
            return new BestN(count(text, value));
        }
        int n = count(text, value.substring(0, at));
        String metric = value.substring(at + 1);
        int colon = metric.indexOf(':');
        if (colon < 0) {
            return new BestN(n, Metric.named(metric));
        }
        for (Direction direction : Direction.values()) {
            if (metric.substring(colon + 1).equals(direction.text())) {
                return new BestN(n, new Metric(metric.substring(0, colon), direction));
            }
        }
        throw new IllegalArgumentException("'" + text + "' should end with :max, :min or the name of the metric");
    }

    private static int count(String text, String digits) {
        if (!digits.matches("[0-9]{1,9}") || Integer.parseInt(digits) == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' needs a whole number from 1 to 999999999, as in latest:5");
        }
        return Integer.parseInt(digits);
    }

    private static long steps(String text, String digits) {
        if (!digits.matches("[0-9]{1,18}") || Long.parseLong(digits) == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' needs a number of steps, such as every:1000, or a time, such as every:1h");
        }
        return Long.parseLong(digits);
    }
}
