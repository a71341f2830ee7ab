/// How work beside a training keeps out of its way: priorities, a write limit, code compiled before it is needed.
@NullMarked
package dev.cairn.checkpoint.background;

import org.jspecify.annotations.NullMarked;
