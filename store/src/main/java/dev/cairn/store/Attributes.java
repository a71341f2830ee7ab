package dev.cairn.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a checkpoint knows besides tensors: step, epoch, seeds, hyperparameters, metrics. Immutable.
///
/// A value is a `String`, `Long`, `Double` or `Boolean`, kept exactly: a double comes back with the same bits.
public final class Attributes {
    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_TEXT = 1 << 20;
    private static final Attributes EMPTY = new Attributes(new TreeMap<>());

    /// What a record may have of names and texts in all: who lists a run reads many records.
    static final long MOST_CHARACTERS = 16 << 20;

    private final SortedMap<String, Object> values;

    private Attributes(SortedMap<String, Object> values) {
        this.values = values;
    }

    /// No attributes.
    public static Attributes empty() {
        return EMPTY;
    }

    /// All of these at once: adding them one by one would copy what is there each time.
    ///
    /// @param values `String`, `Long`, `Double` or `Boolean`
    public static Attributes of(Map<String, Object> values) {
        values.forEach(Attributes::check);
        return new Attributes(new TreeMap<>(values));
    }

    /// These and one more, which replaces one of the same name.
    public Attributes with(String name, String value) {
        return withValue(name, value);
    }

    /// These and one more, which replaces one of the same name.
    public Attributes with(String name, long value) {
        return withValue(name, value);
    }

    /// These and one more, which replaces one of the same name.
    public Attributes with(String name, double value) {
        return withValue(name, value);
    }

    /// These and one more, which replaces one of the same name.
    public Attributes with(String name, boolean value) {
        return withValue(name, value);
    }

    /// These and others; of two of one name, the other's.
    public Attributes with(Attributes others) {
        var copy = new TreeMap<String, Object>(values);
        copy.putAll(others.values);
        return new Attributes(copy);
    }

    /// Those whose names do not begin like this.
    public Attributes without(String prefix) {
        var copy = new TreeMap<String, Object>(values);
        copy.keySet().removeIf(name -> name.startsWith(prefix));
        return copy.size() == values.size() ? this : new Attributes(copy);
    }

    /// The text of this name; empty where there is none, `IllegalArgumentException` where it is something else.
    public Optional<String> text(String name) {
        return typed(name, String.class);
    }

    /// The whole number of this name; empty where there is none, `IllegalArgumentException` where it is
    /// something else.
    public Optional<Long> integer(String name) {
        return typed(name, Long.class);
    }

    /// The number of this name; empty where there is none, `IllegalArgumentException` where it is something
    /// else.
    public Optional<Double> number(String name) {
        return typed(name, Double.class);
    }

    /// The truth value of this name; empty where there is none, `IllegalArgumentException` where it is
    /// something else.
    public Optional<Boolean> flag(String name) {
        return typed(name, Boolean.class);
    }

    /// All of them, by name.
    public Map<String, Object> asMap() {
        return Collections.unmodifiableMap(values);
    }

    /// Characters of all names and texts.
    long characters() {
        return values.entrySet().stream()
                .mapToLong(entry -> entry.getKey().length()
                        + (entry.getValue() instanceof String text ? text.length() : Double.BYTES))
                .sum();
    }

    private static void check(String name, Object value) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || !isEncodable(name)) {
            throw new IllegalArgumentException("an attribute's name has 1 to " + LONGEST_NAME + " characters");
        }
        if (!(value instanceof String
                || value instanceof Long
                || value instanceof Double
                || value instanceof Boolean)) {
            throw new IllegalArgumentException(
                    "attribute %s is a %s".formatted(name, value.getClass().getSimpleName()));
        }
        if (value instanceof String text && (text.length() > LONGEST_TEXT || !isEncodable(text))) {
            throw new IllegalArgumentException("attribute %s: text of %d characters, of at most %d that UTF-8 can hold"
                    .formatted(name, text.length(), LONGEST_TEXT));
        }
    }

    /// Whether UTF-8 can hold it: it has no half of a surrogate pair.
    private static boolean isEncodable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return UTF_8.newEncoder().canEncode(text);
            }
        }
        return true;
    }

    private Attributes withValue(String name, Object value) {
        check(name, value);
        var copy = new TreeMap<String, Object>(values);
        copy.put(name, value);
        return new Attributes(copy);
    }

    private <T> Optional<T> typed(String name, Class<T> type) {
        Object value = values.get(name);
        if (value != null && !type.isInstance(value)) {
            throw new IllegalArgumentException("attribute %s is a %s, not a %s"
                    .formatted(name, value.getClass().getSimpleName(), type.getSimpleName()));
        }
        return Optional.ofNullable(type.cast(value));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Attributes attributes && attributes.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
