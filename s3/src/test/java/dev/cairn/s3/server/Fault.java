package dev.cairn.s3.server;

/// How a request goes wrong.
public enum Fault {
    /// Not at all.
    NONE,
    /// 500 InternalError, without effect.
    ERROR,
    /// 503 SlowDown, without effect.
    SLOW_DOWN,
    /// 403 ExpiredToken, without effect.
    EXPIRED,
    /// The connection is cut, without effect.
    CUT_BEFORE,
    /// The request takes effect, and the connection is cut: a lost reply.
    CUT_AFTER,
    /// The connection is cut, and the request takes effect later.
    LATE,
    /// The reply takes its time.
    SLOW,
    /// Half of the reply's body comes, and then nothing.
    TRUNCATED,
    /// The reply's headers come, and then nothing.
    BODILESS,
    /// The reply is 200, as a proxy may send it, with nothing in it.
    EMPTY,
    /// A bit of the reply's body is not what was sent.
    FLIPPED
}
