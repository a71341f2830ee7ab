/// One HTML file about a run, which needs no other file.
@NullMarked
package dev.cairn.dashboard.report;

import org.jspecify.annotations.NullMarked;
