package dev.cairn.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.group.StateSum;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.ProcessGroup;
import dev.cairn.store.log.AttributeJson;
import dev.cairn.train.team.Replica;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Gives the state of one process of a group to another one: the tensors straight from memory to memory, then the rest.
/// The receiver compares the checksum of what it has then with that of the sender.
record StateTransfer(ProcessGroup group, Replica replica) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();

    /// Step, checksum, and size of the attributes.
    private static final int HEADER = 3;

    private static final long PIECE = 256 << 20;

    void send(int to) throws IOException {
        byte[] attributes = JSON.writeValueAsString(
                        AttributeJson.write(replica.attributes().asMap()))
                .getBytes(UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            group.send(
                    arena.allocateFrom(
                            ValueLayout.JAVA_LONG, replica.step(), StateSum.of(replica.step(), replica), (long)
                                    attributes.length),
                    to);
            for (LiveTensor tensor : replica.tensors()) {
                inPieces(tensor.memory(), piece -> group.send(piece, to));
            }
            group.send(arena.allocateFrom(ValueLayout.JAVA_BYTE, attributes), to);
        }
    }

    void receive(int from) throws IOException {
        replica.overwriting();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(ValueLayout.JAVA_LONG, HEADER);
            group.receive(header, from);
            for (LiveTensor tensor : replica.tensors()) {
                inPieces(tensor.memory(), piece -> group.receive(piece, from));
            }
            MemorySegment attributes = arena.allocate(header.getAtIndex(ValueLayout.JAVA_LONG, 2));
            group.receive(attributes, from);
            replica.restored(
                    header.getAtIndex(ValueLayout.JAVA_LONG, 0),
                    AttributeJson.read(JSON.readTree(attributes.toArray(ValueLayout.JAVA_BYTE))));
            if (StateSum.of(replica.step(), replica) != header.getAtIndex(ValueLayout.JAVA_LONG, 1)) {
                replica.overwriting();
                throw new BrokenGroupException(
                        "the state arrived with another checksum than it was sent with", new IllegalStateException());
            }
        }
    }

    private interface Piece {
        void exchange(MemorySegment piece);
    }

    private static void inPieces(MemorySegment memory, Piece each) {
        for (long offset = 0; offset < memory.byteSize(); offset += PIECE) {
            each.exchange(memory.asSlice(offset, Math.min(PIECE, memory.byteSize() - offset)));
        }
    }
}
