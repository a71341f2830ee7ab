package dev.cairn.cluster.supervise;

import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Message;

/// What a supervisor hears of. The numbers are those of members.
sealed interface Event {
    /// A member has connected.
    record Joined(int number, Connection connection) implements Event {}

    /// A member has sent a message.
    record Said(int number, Message message) implements Event {}

    /// The connection of a member has ended.
    record Left(int number) implements Event {}

    /// The process of a member has ended.
    record Exited(int number, int code) implements Event {}

    /// An agent has connected.
    record HostJoined(Message.Enlist told, Connection connection) implements Event {}

    /// An agent has sent a message.
    record HostSaid(int host, Connection connection, Message message) implements Event {}

    /// The connection of an agent has ended.
    record HostLeft(int host, Connection connection) implements Event {}

    /// The group is to form again.
    record Regrouped() implements Event {}

    /// The job must stop.
    record Noticed(Notice notice) implements Event {}
}
