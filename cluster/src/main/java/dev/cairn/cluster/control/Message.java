package dev.cairn.cluster.control;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a supervisor and its members tell each other.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(name = "challenge", value = Message.Challenge.class),
    @JsonSubTypes.Type(name = "hello", value = Message.Hello.class),
    @JsonSubTypes.Type(name = "welcome", value = Message.Welcome.class),
    @JsonSubTypes.Type(name = "join", value = Message.Join.class),
    @JsonSubTypes.Type(name = "enlist", value = Message.Enlist.class),
    @JsonSubTypes.Type(name = "refused", value = Message.Refused.class),
    @JsonSubTypes.Type(name = "start", value = Message.Start.class),
    @JsonSubTypes.Type(name = "started", value = Message.Started.class),
    @JsonSubTypes.Type(name = "kill", value = Message.Kill.class),
    @JsonSubTypes.Type(name = "line", value = Message.Line.class),
    @JsonSubTypes.Type(name = "exited", value = Message.Exited.class),
    @JsonSubTypes.Type(name = "works", value = Message.Works.class),
    @JsonSubTypes.Type(name = "alive", value = Message.Alive.class),
    @JsonSubTypes.Type(name = "over", value = Message.Over.class),
    @JsonSubTypes.Type(name = "card", value = Message.Card.class),
    @JsonSubTypes.Type(name = "cards", value = Message.Cards.class),
    @JsonSubTypes.Type(name = "ready", value = Message.Ready.class),
    @JsonSubTypes.Type(name = "settings", value = Message.Settings.class),
    @JsonSubTypes.Type(name = "waiting", value = Message.Waiting.class),
    @JsonSubTypes.Type(name = "serves", value = Message.Serves.class),
    @JsonSubTypes.Type(name = "formed", value = Message.Formed.class),
    @JsonSubTypes.Type(name = "beat", value = Message.Beat.class),
    @JsonSubTypes.Type(name = "finished", value = Message.Finished.class),
    @JsonSubTypes.Type(name = "heard", value = Message.Heard.class),
    @JsonSubTypes.Type(name = "odd", value = Message.Odd.class),
    @JsonSubTypes.Type(name = "result", value = Message.Result.class),
    @JsonSubTypes.Type(name = "lead", value = Message.Lead.class),
    @JsonSubTypes.Type(name = "follow", value = Message.Follow.class),
    @JsonSubTypes.Type(name = "hold", value = Message.Hold.class),
    @JsonSubTypes.Type(name = "form", value = Message.Form.class),
    @JsonSubTypes.Type(name = "broken", value = Message.Broken.class),
    @JsonSubTypes.Type(name = "regroup", value = Message.Regroup.class),
    @JsonSubTypes.Type(name = "recovered", value = Message.Recovered.class),
    @JsonSubTypes.Type(name = "summary", value = Message.Summary.class),
    @JsonSubTypes.Type(name = "stop", value = Message.Stop.class),
    @JsonSubTypes.Type(name = "end", value = Message.End.class)
})
public sealed interface Message {
    /// The first message of a supervisor: asks for a proof that the other side knows the secret.
    record Challenge(String nonce) implements Message {}

    /// The answer.
    ///
    /// @param nonce asks for the same
    record Hello(String nonce, String proof) implements Message {}

    /// The answer to that.
    record Welcome(String proof) implements Message {}

    /// The next message of a member.
    ///
    /// @param member the number of the member
    record Join(int member) implements Message {}

    /// The next message of an agent, which starts members on its host.
    ///
    /// @param host the place of the host among those of the job
    /// @param name the name of the host, for people
    /// @param asked what was asked for there; must be the same on all hosts
    /// @param millis the time of its clock, in milliseconds since 1970
    record Enlist(int host, String name, Map<String, String> asked, long millis) implements Message {
        public Enlist {
            asked = Map.copyOf(asked);
        }
    }

    /// The agent is not needed.
    ///
    /// @param reason problem, cause and cure
    record Refused(String reason) implements Message {}

    /// To an agent: start a member.
    ///
    /// @param job names the job
    /// @param silenceMillis after how long without a message the member takes the supervisor for gone
    record Start(int member, String job, long silenceMillis) implements Message {}

    /// The agent has started it.
    ///
    /// @param startMillis when, in milliseconds since 1970
    record Started(int member, long pid, long startMillis) implements Message {}

    /// To an agent: end this member at once.
    record Kill(int member) implements Message {}

    /// The member has written a line.
    record Line(int member, String text) implements Message {}

    /// The process of the member has ended.
    record Exited(int member, int code) implements Message {}

    /// The agent is alive. Sent several times a second.
    ///
    /// @param processorSeconds what each of its members has used
    record Works(Map<Integer, Double> processorSeconds) implements Message {
        public Works {
            processorSeconds = Map.copyOf(processorSeconds);
        }
    }

    /// The supervisor is alive. Sent several times a second if the job has several hosts.
    record Alive() implements Message {}

    /// To an agent: the job has ended.
    ///
    /// @param problem what to tell people; empty if there is nothing
    record Over(int code, String problem) implements Message {}

    /// How the others of a group on several hosts reach this member.
    ///
    /// @param text as its framework says it
    record Card(long generation, int rank, String text) implements Message {}

    /// How to reach the members of a group, in the order of their ranks.
    record Cards(long generation, List<String> texts) implements Message {
        public Cards {
            texts = List.copyOf(texts);
        }
    }

    /// The member has loaded its engine and waits for its part.
    record Ready() implements Message {}

    /// The leader has opened the run.
    ///
    /// @param settings the settings that all members train with, as attributes
    record Settings(JsonNode settings) implements Message {}

    /// The member waits for the group to form.
    ///
    /// @param generation the number of the last group it was in; 0 if none
    /// @param step the last finished step
    /// @param progress how far its state is, comparable among members; −1 if it has none
    record Waiting(long generation, long step, long progress) implements Message {}

    /// The leader has a parameter server.
    ///
    /// @param address where the others find it
    record Serves(String address) implements Message {}

    /// The member is in this group, and its state is that of all.
    record Formed(long generation) implements Message {}

    /// The member is alive. Sent several times a second.
    ///
    /// @param step the last finished step
    /// @param graceMillis how long before a deadline the training must stop, as far as the leader knows; else 0
    /// @param progress the progress of the training, for people; empty if there is nothing to show
    /// @param tally what the member has done
    record Beat(long step, long graceMillis, String progress, Tally tally) implements Message {}

    /// The member has trained to the end. The leader then waits for [Summary].
    ///
    /// @param tally what the member has done
    record Finished(Tally tally) implements Message {}

    /// The member got a notice that the training must stop.
    record Heard(String reason) implements Message {}

    /// The states of the members differ.
    ///
    /// @param ranks those that differ from the majority; all if there is no majority
    record Odd(long generation, long step, List<Integer> ranks) implements Message {
        public Odd {
            ranks = List.copyOf(ranks);
        }
    }

    /// The leader has finished.
    ///
    /// @param code the exit code of the training
    /// @param out what the training prints on standard output
    record Result(int code, String out) implements Message {}

    /// Lead the training: open the run, restore, and save from now on.
    ///
    /// @param begun whether the run was already begun by this job, so that a fresh start has been made
    record Lead(boolean begun) implements Message {}

    /// Train as the leader says.
    record Follow(JsonNode settings) implements Message {}

    /// Be a parameter server that has a part of the weights, and does what the leader's says.
    record Hold() implements Message {}

    /// Form a group.
    ///
    /// @param generation the number of the group, greater than those before
    /// @param file where its processes meet; empty if they are on several hosts, and exchange cards
    /// @param source the rank of a member with the most advanced state
    /// @param receivers the ranks that are behind, and get the state from the source
    /// @param server the addresses of the parameter servers, the leader's first, with a space between two; empty if
    ///     there are none
    /// @param members its processes, for people
    record Form(
            long generation,
            int rank,
            int size,
            String file,
            int source,
            List<Integer> receivers,
            String server,
            List<String> members)
            implements Message {
        public Form {
            receivers = List.copyOf(receivers);
            members = List.copyOf(members);
        }

        /// Without a parameter server.
        public Form(long generation, int rank, int size, String file, int source, List<Integer> receivers) {
            this(generation, rank, size, file, source, receivers, "", List.of());
        }
    }

    /// This group will not be complete: a member is gone, or says by this that it cannot go on in it.
    record Broken(long generation) implements Message {}

    /// More members are ready: this group ends after its present step, and forms again with them.
    record Regroup(long generation) implements Message {}

    /// The team is complete again after this.
    record Recovered(Failure failure) implements Message {}

    /// All members have trained to the end, or are gone.
    ///
    /// @param workers what was done in the place of each rank, by all processes that had it
    record Summary(List<Tally> workers) implements Message {
        public Summary {
            workers = List.copyOf(workers);
        }
    }

    /// The training must stop.
    ///
    /// @param secondsLeft the time until the machine is gone; null if unknown
    /// @param insists whether to give up the last save
    record Stop(String reason, @Nullable Double secondsLeft, boolean insists) implements Message {}

    /// The training has ended. So does the member.
    record End() implements Message {}
}
