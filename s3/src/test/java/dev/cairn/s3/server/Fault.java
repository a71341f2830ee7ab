package dev.cairn.s3.server;

/// How a request goes wrong.
public enum Fault {
    /// The request succeeds.
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
    /// The reply is slow.
    SLOW,
    /// Half of the reply's body arrives, and then nothing.
    TRUNCATED,
    /// The headers of the reply arrive, and then nothing.
    BODILESS,
    /// The reply has status 200 and is empty, as a proxy may send it.
    EMPTY,
    /// One bit of the reply's body is flipped.
    FLIPPED
}
