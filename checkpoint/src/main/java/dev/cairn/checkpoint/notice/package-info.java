/// Notices: signs that a training must end soon, and how the training reacts.
///
/// A [Notice] comes from a signal, which the program posts, or from a [NoticeSource] that is polled: a file that
/// appears, a command that succeeds, an address that answers. A [Deadline] is known in advance. [Notices]
/// combines them: after the first one the training must save and end. A second one, or the end of the time, is a
/// [dev.cairn.checkpoint.Cancellation] for that save.
///
/// ```java
/// try (Notices notices = Notices.watch(sources, deadlines, Duration.ofMinutes(10), time)) {
///     while (training && !notices.isGiven()) {
///         // … make a step …
///     }
///     checkpoints.saveNow(step, state, notices);
/// }
/// ```
@NullMarked
package dev.cairn.checkpoint.notice;

import org.jspecify.annotations.NullMarked;
