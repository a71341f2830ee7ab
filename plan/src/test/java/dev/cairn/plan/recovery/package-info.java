@NullMarked
package dev.cairn.plan.recovery;

import org.jspecify.annotations.NullMarked;
