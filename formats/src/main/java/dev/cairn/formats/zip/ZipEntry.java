package dev.cairn.formats.zip;

/// A file within a zip file.
///
/// @param sizeBytes as it is, before compression
/// @param dataOffset where its bytes begin in the zip file
public record ZipEntry(String name, boolean deflated, int crc, long compressedBytes, long sizeBytes, long dataOffset) {}
