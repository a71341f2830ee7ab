@NullMarked
package dev.cairn.dashboard.points;

import org.jspecify.annotations.NullMarked;
