@NullMarked
package dev.cairn.plan.time;

import org.jspecify.annotations.NullMarked;
