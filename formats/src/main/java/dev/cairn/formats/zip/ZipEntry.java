package dev.cairn.formats.zip;

/// A file within a zip file.
///
/// @param sizeBytes size before compression
/// @param dataOffset offset of its bytes in the zip file
public record ZipEntry(String name, boolean deflated, int crc, long compressedBytes, long sizeBytes, long dataOffset) {}
