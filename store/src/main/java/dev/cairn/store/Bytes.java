package dev.cairn.store;

import java.util.Arrays;
import java.util.Base64;

/// Bytes as a value: they never change, and two with the same content are equal. For an attribute that is neither text
/// nor a number; what is large belongs in a tensor.
public final class Bytes {
    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /// A copy of these.
    public static Bytes of(byte[] content) {
        return new Bytes(content.clone());
    }

    /// Those that this text stands for; `IllegalArgumentException` where it is not base64.
    public static Bytes ofBase64(String text) {
        return new Bytes(Base64.getDecoder().decode(text));
    }

    /// A copy of them.
    public byte[] toArray() {
        return content.clone();
    }

    /// How many there are.
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
