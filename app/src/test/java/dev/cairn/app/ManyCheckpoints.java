package dev.cairn.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.codec.Crc32c;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// A run of as many checkpoints as one likes, made in seconds: a chain of another run over and over, under new numbers,
/// ids and steps. Every file of it verifies.
final class ManyCheckpoints {
    private static final int ID_OFFSET = 16;
    private static final int CHECKSUM_OFFSET = 24;

    private ManyCheckpoints() {}

    static void make(Path folder, SmallRun pattern, int count) throws IOException {
        Files.createDirectories(folder.resolve("log"));
        Files.createDirectories(folder.resolve("segments"));
        List<Checkpoint> chain = pattern.checkpoints();
        var records = new ArrayList<String>();
        var segments = new ArrayList<byte[]>();
        for (int i = 0; i < chain.size(); i++) {
            records.add(Files.readAllLines(pattern.record(i)).get(1));
            segments.add(Files.readAllBytes(pattern.segment(i)));
        }
        Map<String, String> ids = new HashMap<>();
        for (int number = 1; number <= count; number++) {
            int place = (number - 1) % chain.size();
            Checkpoint original = chain.get(place);
            long id = number * 0x9e3779b97f4a7c15L;
            ids.put(original.id(), HexFormat.of().toHexDigits(id));
            String segment =
                    "segments/%010d-%s.seg".formatted(number, HexFormat.of().toHexDigits(id));
            String json = records.get(place)
                    .replace(original.segments().getFirst().name(), segment)
                    .replace("\"number\":" + original.number(), "\"number\":" + number)
                    .replace("\"step\":" + original.step(), "\"step\":" + 10L * number);
            for (var renamed : ids.entrySet()) {
                json = json.replace(renamed.getKey(), renamed.getValue());
            }
            String body = "cairn-record 3\n" + json + "\n";
            Files.writeString(
                    folder.resolve("log/%010d.rec".formatted(number)),
                    body + "crc32c " + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n");
            Files.write(folder.resolve(segment), renamed(segments.get(place), id));
        }
    }

    private static byte[] renamed(byte[] segment, long id) {
        byte[] copy = segment.clone();
        ByteBuffer bytes = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(ID_OFFSET, id);
        bytes.putInt(CHECKSUM_OFFSET, Crc32c.of(copy, 0, CHECKSUM_OFFSET));
        return copy;
    }
}
