/// What a job tells about itself in the folder of its run, for `cairn ps` and for the next start.
@NullMarked
package dev.cairn.cluster.job;

import org.jspecify.annotations.NullMarked;
