package dev.cairn.checkpoint;

import java.time.Duration;

/// What saving has come to since the run was opened.
///
/// @param aborted given up because somebody cancelled them
/// @param stall how long the training thread waited in all
/// @param lastFailed whether the last save that was begun failed
public record SaveStatistics(int committed, int failed, int skipped, int aborted, Duration stall, boolean lastFailed) {}
