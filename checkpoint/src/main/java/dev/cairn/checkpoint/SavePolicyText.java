package dev.cairn.checkpoint;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text form of a [SavePolicy].
final class SavePolicyText {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)?");

    private SavePolicyText() {}

    static SavePolicy parse(String text) {
        if (text.equals("auto")) {
            return SavePolicy.automatic();
        }
        if (text.equals("epoch")) {
            return new SavePolicy.EveryEpoch();
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is neither 'auto' or 'epoch', nor a number of steps such as 100, nor a time such as 30s, 5m or 1h");
        }
        long amount = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        if (unit == null) {
            return new SavePolicy.EverySteps(amount);
        }
        return new SavePolicy.EveryDuration(
                switch (unit) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }
}
