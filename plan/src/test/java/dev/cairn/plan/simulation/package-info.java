@NullMarked
package dev.cairn.plan.simulation;

import org.jspecify.annotations.NullMarked;
