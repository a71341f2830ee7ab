package dev.cairn.formats.safetensors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Describes the contents and errors of a JSON header to readers who do not know the parser.
final class HeaderWords {
    private static final Pattern TWICE = Pattern.compile("Duplicate field '(.*)'", Pattern.DOTALL);

    private HeaderWords() {}

    /// The problem and its place.
    static String problem(JsonProcessingException e) {
        String where = e.getLocation() == null
                ? ""
                : " at character %,d of it".formatted(e.getLocation().getCharOffset());
        String message = String.valueOf(e.getOriginalMessage());
        Matcher twice = TWICE.matcher(message);
        return switch (e) {
            case JsonEOFException _ -> "header is cut off: its JSON has no end";
            case StreamConstraintsException _ ->
                "header has JSON that is nested too deeply, or a name or number that is too long,%s".formatted(where);
            case InputCoercionException _ -> "header has a number that is too large%s".formatted(where);
            default ->
                twice.lookingAt()
                        ? "header has '%s' twice%s".formatted(twice.group(1), where)
                        : "header is not JSON%s".formatted(where);
        };
    }

    /// The name of a token in messages.
    static String name(@Nullable JsonToken token) {
        return switch (token) {
            case null -> "nothing";
            case NOT_AVAILABLE -> "nothing";
            case START_OBJECT -> "an object {…}";
            case END_OBJECT -> "the end '}' of an object";
            case START_ARRAY -> "a list […]";
            case END_ARRAY -> "the end ']' of a list";
            case FIELD_NAME -> "a name";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "a whole number";
            case VALUE_NUMBER_FLOAT -> "a number that is not whole";
            case VALUE_TRUE -> "true";
            case VALUE_FALSE -> "false";
            case VALUE_NULL -> "null";
            case VALUE_EMBEDDED_OBJECT -> "something else";
        };
    }
}
