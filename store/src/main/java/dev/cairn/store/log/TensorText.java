package dev.cairn.store.log;

import java.util.Optional;

/// The place of the tensor list in a record's JSON, found without parsing the list, which is most of the record: from
/// its key to the last bracket of the text. In records that Cairn writes, no bracket comes after the list.
///
/// @param from the index of the opening bracket of the list
/// @param to the index after its closing bracket
record TensorText(String json, int from, int to) {
    /// Never occurs inside a string, because a quotation mark is escaped there.
    private static final String KEY = "\"tensors\":[";

    /// Empty if there is no such list. The record must then be parsed as a whole.
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
