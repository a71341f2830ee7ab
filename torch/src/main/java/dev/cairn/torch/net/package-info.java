/// What groups of processes on several hosts need beside Gloo: how they meet, and what their connections carry.
@NullMarked
package dev.cairn.torch.net;

import org.jspecify.annotations.NullMarked;
