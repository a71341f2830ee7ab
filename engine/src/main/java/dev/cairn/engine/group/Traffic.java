package dev.cairn.engine.group;

/// The bytes that a process has exchanged with the others of its group, with all that the network adds to the data
/// below the level of packets.
public record Traffic(long sentBytes, long receivedBytes) {}
