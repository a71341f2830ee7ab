package dev.cairn.dashboard.story;

/// How often a run chose to save from then on.
///
/// @param time in milliseconds since 1970
/// @param followed whether the run saves so, and not at an interval that its user set
/// @param reason for people
public record IntervalChoice(long time, long step, double seconds, boolean followed, String reason) {}
