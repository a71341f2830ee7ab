package dev.cairn.checkpoint;

import java.time.Duration;

/// The number of saves since the run was opened, by how they ended, and the time that the training waited.
///
/// @param aborted the number of saves that were aborted because they were cancelled
/// @param stall the total time that the training thread waited
/// @param lastFailed whether the last save that was started failed
public record SaveStatistics(int committed, int failed, int skipped, int aborted, Duration stall, boolean lastFailed) {}
