/// The time that a run with saves and failures takes, and the interval that minimizes it. Times are in seconds.
@NullMarked
package dev.cairn.plan.time;

import org.jspecify.annotations.NullMarked;
