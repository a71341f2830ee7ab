package dev.cairn.checkpoint.notice;

import java.util.Optional;

/// A source of notices. It is polled about twice a second, on one thread for all sources, so it must not wait: it
/// starts slow work and reports the result in a later poll.
public interface NoticeSource extends AutoCloseable {
    /// Returns a notice that was not returned before.
    Optional<Notice> poll();

    /// Ends the work that was started.
    @Override
    default void close() {}
}
