package dev.cairn.formats.zip;

import static dev.cairn.formats.zip.ZipLayout.u16;
import static dev.cairn.formats.zip.ZipLayout.u32;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An entry of a zip file's central directory, field by field.
///
/// @param bytes the bytes from its signature on, at least [ZipLayout#CENTRAL_BYTES]
record CentralEntry(MemorySegment bytes) {
    int flags() {
        return u16(bytes, 8);
    }

    int method() {
        return u16(bytes, 10);
    }

    int crc() {
        return bytes.get(ZipLayout.U32, 16);
    }

    long compressedBytes() {
        return u32(bytes, 20);
    }

    long fullBytes() {
        return u32(bytes, 24);
    }

    long localOffset() {
        return u32(bytes, 42);
    }

    byte[] name() {
        return bytes.asSlice(ZipLayout.CENTRAL_BYTES, u16(bytes, 28)).toArray(ValueLayout.JAVA_BYTE);
    }

    MemorySegment extra() {
        return bytes.asSlice(ZipLayout.CENTRAL_BYTES + u16(bytes, 28), u16(bytes, 30));
    }

    /// The size with name, extra field and comment.
    long sizeBytes() {
        return (long) ZipLayout.CENTRAL_BYTES + u16(bytes, 28) + u16(bytes, 30) + u16(bytes, 32);
    }
}
