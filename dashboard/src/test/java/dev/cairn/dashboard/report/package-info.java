@NullMarked
package dev.cairn.dashboard.report;

import org.jspecify.annotations.NullMarked;
