package dev.cairn.observe.system;

import java.time.Duration;
import java.util.List;

/// What one process recorded about its host in one start.
///
/// @param attempt counts the starts that recorded figures. It may differ from the attempt of the events: times tell
///     what belongs together
/// @param process which process recorded: `w0`, or `supervisor` of several workers
/// @param host the name of the host; empty if it has none
/// @param cores the number of cores of the host
/// @param every the time between two samples, at first. A long recording keeps fewer
/// @param samples oldest first
public record SystemRecording(
        long attempt, String process, String host, int cores, Duration every, List<SystemSample> samples) {
    public SystemRecording {
        samples = List.copyOf(samples);
    }
}
