/// Notices: what tells a training that it must end soon, and what follows from it.
///
/// A [Notice] comes from a signal, which the program posts, or from a [NoticeSource] that is asked now and then: a file
/// that appears, a command that succeeds, an address that answers. A [Deadline] is known beforehand. [Notices] brings
/// them together: after the first the training is to save and end; a second one, or the end of the time, is a
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
