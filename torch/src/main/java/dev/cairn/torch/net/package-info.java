/// How groups of processes on several hosts meet, which Gloo leaves to others.
@NullMarked
package dev.cairn.torch.net;

import org.jspecify.annotations.NullMarked;
