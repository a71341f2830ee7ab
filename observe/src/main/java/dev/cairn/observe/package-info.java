/// What happens in a training, as events, and who is told of them. Observers tell people and programs; they never
/// change what a training does.
@NullMarked
package dev.cairn.observe;

import org.jspecify.annotations.NullMarked;
