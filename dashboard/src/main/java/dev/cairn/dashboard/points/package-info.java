/// Curves as arrays of numbers, and how they become few enough points for a screen. Pure.
@NullMarked
package dev.cairn.dashboard.points;

import org.jspecify.annotations.NullMarked;
