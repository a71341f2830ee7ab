@NullMarked
package dev.cairn.cluster.job;

import org.jspecify.annotations.NullMarked;
