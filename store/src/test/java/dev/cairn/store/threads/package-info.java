/// Tests of work on several threads.
@NullMarked
package dev.cairn.store.threads;

import org.jspecify.annotations.NullMarked;
