package dev.cairn.checkpoint.notice;

import java.util.Optional;

/// A place to look for a notice. Asked about twice a second, on one thread for all sources, so it never
/// waits: what takes time it begins, and tells of the outcome the next time.
public interface NoticeSource extends AutoCloseable {
    /// A notice that was not told before.
    Optional<Notice> poll();

    /// Ends what was begun.
    @Override
    default void close() {}
}
