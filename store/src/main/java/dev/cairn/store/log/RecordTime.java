package dev.cairn.store.log;

import java.time.Instant;
import java.time.LocalDate;

/// Parses the times in records, such as `2026-01-02T03:04:05.678Z`. `Instant.parse` would take longer than the rest
/// of a record.
final class RecordTime {
    private static final String FORM = "dddd-dd-ddTdd:dd:dd";
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private RecordTime() {}

    /// Parses the same texts as `Instant.parse`.
    ///
    /// @throws java.time.DateTimeException if the text is not a time
    static Instant parse(String text) {
        int length = text.length();
        boolean millis = length == FORM.length() + 5 && text.charAt(FORM.length()) == '.';
        if (!(millis || length == FORM.length() + 1) || text.charAt(length - 1) != 'Z' || !hasForm(text, millis)) {
            return Instant.parse(text);
        }
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        if (hour > 23 || minute > 59 || second > 59) {
            return Instant.parse(text);
        }
        long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                .toEpochDay();
        long nanos = millis ? (long) number(text, 20, 23) * NANOS_PER_MILLI : 0;
        return Instant.ofEpochSecond(day * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second, nanos);
    }

    private static boolean hasForm(String text, boolean millis) {
        for (int i = 0; i < FORM.length(); i++) {
            char expected = FORM.charAt(i);
            if (expected == 'd' ? !isDigit(text.charAt(i)) : text.charAt(i) != expected) {
                return false;
            }
        }
        return !millis || (isDigit(text.charAt(20)) && isDigit(text.charAt(21)) && isDigit(text.charAt(22)));
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            number = 10 * number + (text.charAt(i) - '0');
        }
        return number;
    }
}
