package dev.cairn.observe.system;

/// What one process used.
///
/// @param name its name in the training, such as `w0`; for a process of others, what the system calls it
/// @param cores how many cores it kept busy: 1.5 is one core and half of another; NaN if unknown
/// @param memoryBytes its memory that is resident
/// @param disk what it read from disks and wrote to them. What a cache answered is not counted
public record ProcessUse(String name, long pid, double cores, long memoryBytes, ByteRates disk) {}
