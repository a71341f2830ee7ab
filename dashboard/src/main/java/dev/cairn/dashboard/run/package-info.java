/// The runs in the places that a dashboard shows: how they are found, and what is known of each.
@NullMarked
package dev.cairn.dashboard.run;

import org.jspecify.annotations.NullMarked;
