package dev.cairn.store.log;

import java.util.Optional;

/// Where the list of tensors is in a record's JSON, found without reading what is in it, which is most of
/// the record: from its key to the last bracket of all. What comes after it in records of ours has none.
///
/// @param from of the list's opening bracket
/// @param to after its closing one
record TensorText(String json, int from, int to) {
    /// Never part of a string, in which a quotation mark is escaped.
    private static final String KEY = "\"tensors\":[";

    /// Empty where there is no such list: then the record is to be read as a whole.
    static Optional<TensorText> in(String json) {
        int from = json.indexOf(KEY) + KEY.length() - 1;
        int to = json.lastIndexOf(']') + 1;
        return from < KEY.length() || to <= from ? Optional.empty() : Optional.of(new TensorText(json, from, to));
    }

    /// The JSON with an empty list.
    String rest() {
        return json.substring(0, from) + "[]" + json.substring(to);
    }
}
