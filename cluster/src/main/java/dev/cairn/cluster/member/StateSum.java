package dev.cairn.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.store.log.AttributeJson;
import dev.cairn.train.team.Replica;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// A checksum of a whole state: of its step, its attributes and all its tensors. It finds any single wrong bit, and
/// takes little of the time that a save takes.
final class StateSum {
    private static final long SLICE = 1 << 30;
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private StateSum() {}

    static long of(Replica replica) {
        long sum = mixed(FNV_BASIS, replica.step());
        for (LiveTensor tensor : replica.tensors()) {
            sum = mixed(sum, crc(tensor.memory()));
        }
        byte[] attributes =
                AttributeJson.write(replica.attributes().asMap()).toString().getBytes(UTF_8);
        return mixed(sum, crc(MemorySegment.ofArray(attributes)));
    }

    private static long mixed(long sum, long next) {
        return Long.rotateLeft((sum ^ next) * FNV_PRIME, 29);
    }

    private static long crc(MemorySegment memory) {
        var crc = new CRC32C();
        for (long offset = 0; offset < memory.byteSize(); offset += SLICE) {
            crc.update(memory.asSlice(offset, Math.min(SLICE, memory.byteSize() - offset))
                    .asByteBuffer());
        }
        return crc.getValue();
    }
}
