package dev.cairn.observe.system;

/// The memory of a machine in bytes. Together, the values are all of it.
///
/// @param used by programs and the operating system
/// @param free by nobody
/// @param buffers by the operating system, for metadata of file systems
/// @param cached by the operating system, for the content of files; given to programs when they need it
public record MemoryUse(long used, long free, long buffers, long cached) {}
