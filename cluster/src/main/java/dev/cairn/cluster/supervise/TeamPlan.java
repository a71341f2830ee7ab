package dev.cairn.cluster.supervise;

import java.nio.file.Path;
import java.time.Duration;

/// What a supervisor starts, and how long it waits.
///
/// @param workers the number of processes that train
/// @param spares the number of processes that wait to replace one of them
/// @param folder an empty folder of the job's own
/// @param silence how long a process may give no sign of life
/// @param usualTime how long the last save may take after a notice that does not say
public record TeamPlan(int workers, int spares, Path folder, Duration silence, Duration usualTime) {}
