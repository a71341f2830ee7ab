package dev.cairn.store;

import java.util.Arrays;
import java.util.Base64;

/// An immutable sequence of bytes. Two sequences with the same content are equal. Use it for an attribute that is
/// neither text nor a number; store large data as a tensor.
public final class Bytes {
    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /// Returns a copy of these bytes.
    public static Bytes of(byte[] content) {
        return new Bytes(content.clone());
    }

    /// Decodes base64 text.
    ///
    /// @throws IllegalArgumentException if the text is not base64
    public static Bytes ofBase64(String text) {
        return new Bytes(Base64.getDecoder().decode(text));
    }

    /// Returns a copy of the bytes.
    public byte[] toArray() {
        return content.clone();
    }

    /// The number of bytes.
    public int length() {
        return content.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(bytes.content, content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return content.length + " bytes";
    }
}
