package dev.cairn.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The data of a checkpoint besides its tensors: step, epoch, seeds, hyperparameters, metrics. Immutable.
///
/// A value is a `String`, `Long`, `Double`, `Boolean`, [Bytes], `null`, or a `List` or `Map` of such values: a tree,
/// like a nested `state_dict`. All values are stored exactly: a double is read back with the same bits.
public final class Attributes {
    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_TEXT = 1 << 20;
    private static final Attributes EMPTY = new Attributes(new TreeMap<>());

    /// Deeper than any real state, but not so deep that a recursive walk could exhaust a thread's stack.
    private static final int DEEPEST = 100;

    /// The maximum number of characters of all names and texts together. Listing a run reads many records.
    public static final long MOST_CHARACTERS = 16 << 20;

    private final SortedMap<String, @Nullable Object> values;

    private Attributes(SortedMap<String, @Nullable Object> values) {
        this.values = values;
    }

    /// No attributes.
    public static Attributes empty() {
        return EMPTY;
    }

    /// Returns attributes with all of these values. Faster than adding them one by one, which copies the attributes
    /// each time.
    ///
    /// @param values values of the types that an attribute may have; copied
    public static Attributes of(Map<String, ? extends @Nullable Object> values) {
        var copy = new TreeMap<String, @Nullable Object>();
        values.forEach((name, value) -> copy.put(checkedName(name), checked(name, value, 0)));
        return new Attributes(copy);
    }

    /// Returns a copy with this attribute added. It replaces an attribute of the same name.
    public Attributes with(String name, String value) {
        return withValue(name, value);
    }

    /// Returns a copy with this attribute added. It replaces an attribute of the same name.
    public Attributes with(String name, long value) {
        return withValue(name, value);
    }

    /// Returns a copy with this attribute added. It replaces an attribute of the same name.
    public Attributes with(String name, double value) {
        return withValue(name, value);
    }

    /// Returns a copy with this attribute added. It replaces an attribute of the same name.
    public Attributes with(String name, boolean value) {
        return withValue(name, value);
    }

    /// Returns a copy with this attribute added. It replaces an attribute of the same name.
    public Attributes with(String name, Bytes value) {
        return withValue(name, value);
    }

    /// Returns a copy with this attribute added. It replaces an attribute of the same name.
    public Attributes with(String name, List<? extends @Nullable Object> value) {
        return withValue(name, value);
    }

    /// Returns a copy with this attribute added. It replaces an attribute of the same name.
    public Attributes with(String name, Map<String, ? extends @Nullable Object> value) {
        return withValue(name, value);
    }

    /// Returns a copy with the other attributes added. If both have an attribute of the same name, the other one is
    /// kept.
    public Attributes with(Attributes others) {
        var copy = new TreeMap<String, @Nullable Object>(values);
        copy.putAll(others.values);
        return new Attributes(copy);
    }

    /// Returns a copy without the attributes whose names start with this prefix.
    public Attributes without(String prefix) {
        var copy = new TreeMap<String, @Nullable Object>(values);
        copy.keySet().removeIf(name -> name.startsWith(prefix));
        return copy.size() == values.size() ? this : new Attributes(copy);
    }

    /// The text attribute of this name, or empty if there is none.
    ///
    /// @throws UnfitAttributesException if the attribute has another type
    public Optional<String> text(String name) {
        return typed(name, String.class);
    }

    /// The integer attribute of this name, or empty if there is none.
    ///
    /// @throws UnfitAttributesException if the attribute has another type
    public Optional<Long> integer(String name) {
        return typed(name, Long.class);
    }

    /// The number attribute of this name, or empty if there is none.
    ///
    /// @throws UnfitAttributesException if the attribute has another type
    public Optional<Double> number(String name) {
        return typed(name, Double.class);
    }

    /// The boolean attribute of this name, or empty if there is none.
    ///
    /// @throws UnfitAttributesException if the attribute has another type
    public Optional<Boolean> flag(String name) {
        return typed(name, Boolean.class);
    }

    /// The bytes attribute of this name, or empty if there is none.
    ///
    /// @throws UnfitAttributesException if the attribute has another type
    public Optional<Bytes> bytes(String name) {
        return typed(name, Bytes.class);
    }

    /// The list attribute of this name, which is unmodifiable, or empty if there is none.
    ///
    /// @throws UnfitAttributesException if the attribute has another type
    @SuppressWarnings("unchecked") // checked() creates only such lists
    public Optional<List<@Nullable Object>> list(String name) {
        return typed(name, List.class).map(list -> (List<@Nullable Object>) list);
    }

    /// The map attribute of this name, which is unmodifiable, or empty if there is none.
    ///
    /// @throws UnfitAttributesException if the attribute has another type
    @SuppressWarnings("unchecked") // checked() creates only such maps
    public Optional<Map<String, @Nullable Object>> map(String name) {
        return typed(name, Map.class).map(map -> (Map<String, @Nullable Object>) map);
    }

    /// All attributes by name.
    public Map<String, @Nullable Object> asMap() {
        return Collections.unmodifiableMap(values);
    }

    /// The number of characters of all names and texts.
    public long characters() {
        return characters(values);
    }

    private static long characters(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length();
            case Bytes bytes -> 4L * bytes.length() / 3;
            case List<?> list -> list.stream().mapToLong(Attributes::characters).sum();
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToLong(entry -> characters(entry.getKey()) + characters(entry.getValue()))
                        .sum();
            case null, default -> Double.BYTES;
        };
    }

    private static String checkedName(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || !isEncodable(name)) {
            throw new IllegalArgumentException(
                    "the name of an attribute must have 1 to " + LONGEST_NAME + " characters");
        }
        return name;
    }

    /// Returns the value as it is stored: an immutable copy.
    private static @Nullable Object checked(String name, @Nullable Object value, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("attribute %s: nested deeper than %d levels".formatted(name, DEEPEST));
        }
        return switch (value) {
            case null -> null;
            case Long _, Double _, Boolean _, Bytes _ -> value;
            case String text -> {
                if (text.length() > LONGEST_TEXT || !isEncodable(text)) {
                    throw new IllegalArgumentException(
                            "attribute %s: text of %d characters; the maximum is %d, without unpaired surrogates"
                                    .formatted(name, text.length(), LONGEST_TEXT));
                }
                yield text;
            }
            case List<?> list -> {
                var copy = new ArrayList<@Nullable Object>();
                list.forEach(each -> copy.add(checked(name, each, depth + 1)));
                yield Collections.unmodifiableList(copy);
            }
            case Map<?, ?> map -> {
                var copy = new TreeMap<String, @Nullable Object>();
                map.forEach((key, each) -> {
                    if (!(key instanceof String inner)) {
                        throw new IllegalArgumentException(
                                "attribute %s: the keys of a map must be text".formatted(name));
                    }
                    copy.put(checkedName(inner), checked(name, each, depth + 1));
                });
                yield Collections.unmodifiableMap(copy);
            }
            default ->
                throw new IllegalArgumentException(
                        "attribute %s is a %s; use text, numbers, booleans, Bytes, lists and maps"
                                .formatted(name, value.getClass().getSimpleName()));
        };
    }

    /// Whether UTF-8 can encode the text: it has no unpaired surrogate.
    private static boolean isEncodable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return UTF_8.newEncoder().canEncode(text);
            }
        }
        return true;
    }

    private Attributes withValue(String name, Object value) {
        var copy = new TreeMap<String, @Nullable Object>(values);
        copy.put(checkedName(name), checked(name, value, 0));
        return new Attributes(copy);
    }

    private <T> Optional<T> typed(String name, Class<T> type) {
        Object value = values.get(name);
        if (value != null && !type.isInstance(value)) {
            throw new UnfitAttributesException("attribute %s is a %s, not a %s"
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
