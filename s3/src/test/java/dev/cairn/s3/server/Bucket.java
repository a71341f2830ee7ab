package dev.cairn.s3.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/// Objects and uploads in memory. Each request is one atomic step.
final class Bucket {
    private static final String META = "x-amz-meta-";
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]+)-([0-9]+)");
    private static final Pattern PART = Pattern.compile("<PartNumber>([0-9]+)</PartNumber>");

    /// A small number, so that listings have several pages.
    private static final int PAGE = 5;

    private final NavigableMap<String, Item> objects = new TreeMap<>();
    private final Map<String, Pending> uploads = new TreeMap<>();
    private int made;

    private record Item(List<byte[]> pieces, String tag, Map<String, String> metadata) {
        byte[] content() {
            return pieces.getFirst();
        }
    }

    private record Pending(String key, Map<String, String> metadata, SortedMap<Integer, byte[]> parts) {}

    synchronized Reply handle(Request request) {
        return switch (request.kind()) {
            case "PUT" -> put(request);
            case "BEGIN" -> begin(request);
            case "PART" -> part(request);
            case "COMPLETE" -> complete(request);
            case "ABORT" ->
                uploads.remove(request.query("uploadId")) == null
                        ? Reply.error(404, "NoSuchUpload")
                        : new Reply(204, Map.of(), new byte[0]);
            case "GET", "HEAD" -> get(request);
            case "DELETE" -> {
                objects.remove(request.key());
                yield new Reply(204, Map.of(), new byte[0]);
            }
            case "LIST" -> list(request);
            case "LIST-UPLOADS" -> listUploads(request);
            default -> Reply.error(501, "NotImplemented");
        };
    }

    private Reply put(Request request) {
        if (!isIntact(request)) {
            return Reply.error(400, "BadDigest");
        }
        if (request.onlyIfAbsent() && objects.containsKey(request.key())) {
            return Reply.error(412, "PreconditionFailed");
        }
        return Reply.ok(Map.of("ETag", store(request.key(), request.body(), metadata(request))));
    }

    /// Requires a checksum in every request.
    private static boolean isIntact(Request request) {
        var crc = new CRC32C();
        crc.update(request.body());
        byte[] sum = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
        return Base64.getEncoder().encodeToString(sum).equals(request.headers().get("x-amz-checksum-crc32c"));
    }

    private String store(String key, byte[] content, Map<String, String> metadata) {
        String tag = "\"%08x\"".formatted(++made);
        objects.put(key, new Item(List.of(content), tag, metadata));
        return tag;
    }

    private static Map<String, String> metadata(Request request) {
        var metadata = new HashMap<String, String>();
        request.headers().forEach((name, value) -> {
            if (name.startsWith(META)) {
                metadata.put(name, value);
            }
        });
        return metadata;
    }

    private Reply begin(Request request) {
        // Special characters, which some servers use, so that no client relies on plain ones.
        String id = "u/%d+=".formatted(++made);
        uploads.put(id, new Pending(request.key(), metadata(request), new TreeMap<>()));
        return Reply.xml(
                "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>".formatted(id));
    }

    private Reply part(Request request) {
        Pending upload = uploads.get(request.query("uploadId"));
        if (upload == null) {
            return Reply.error(404, "NoSuchUpload");
        }
        if (!isIntact(request)) {
            return Reply.error(400, "BadDigest");
        }
        upload.parts().put(Integer.parseInt(request.query("partNumber")), request.body());
        return Reply.ok(Map.of("ETag", "\"part\""));
    }

    private Reply complete(Request request) {
        Pending upload = uploads.get(request.query("uploadId"));
        if (upload == null) {
            return Reply.error(404, "NoSuchUpload");
        }
        if (request.onlyIfAbsent() && objects.containsKey(upload.key())) {
            return Reply.error(412, "PreconditionFailed");
        }
        var content = new ByteArrayOutputStream();
        Matcher parts = PART.matcher(new String(request.body(), UTF_8));
        while (parts.find()) {
            byte[] part = upload.parts().get(Integer.parseInt(parts.group(1)));
            if (part == null) {
                return Reply.error(400, "InvalidPart");
            }
            content.writeBytes(part);
        }
        uploads.remove(request.query("uploadId"));
        String tag = store(upload.key(), content.toByteArray(), upload.metadata());
        return Reply.xml("<CompleteMultipartUploadResult><ETag>%s</ETag></CompleteMultipartUploadResult>"
                .formatted(escape(tag)));
    }

    private Reply get(Request request) {
        Item item = objects.get(request.key());
        if (item == null) {
            return Reply.error(404, "NoSuchKey");
        }
        String wanted = request.headers().get("if-match");
        if (wanted != null && !wanted.equals(item.tag())) {
            return Reply.error(412, "PreconditionFailed");
        }
        var headers = new HashMap<>(item.metadata());
        headers.put("ETag", item.tag());
        Matcher range = RANGE.matcher(request.headers().getOrDefault("range", ""));
        if (!range.matches()) {
            return new Reply(200, headers, item.content());
        }
        int from = Integer.parseInt(range.group(1));
        int to = Math.min(item.content().length, Integer.parseInt(range.group(2)) + 1);
        if (from >= to) {
            return Reply.error(416, "InvalidRange");
        }
        headers.put("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, item.content().length));
        return new Reply(206, headers, Arrays.copyOfRange(item.content(), from, to));
    }

    private Reply list(Request request) {
        String prefix = request.query("prefix");
        String after = request.query("continuation-token");
        List<String> keys = objects.tailMap(prefix).keySet().stream()
                .takeWhile(key -> key.startsWith(prefix))
                .filter(key -> key.compareTo(after) > 0)
                .filter(key -> request.query("delimiter").isEmpty()
                        || key.indexOf(request.query("delimiter"), prefix.length()) < 0)
                .toList();
        var xml = new StringBuilder("<ListBucketResult>");
        keys.stream()
                .limit(PAGE)
                .forEach(key -> xml.append(
                        "<Contents><Key>%s</Key><Size>%d</Size></Contents>".formatted(escape(key), size(key))));
        xml.append("<IsTruncated>%b</IsTruncated>".formatted(keys.size() > PAGE));
        if (keys.size() > PAGE) {
            xml.append("<NextContinuationToken>%s</NextContinuationToken>".formatted(escape(keys.get(PAGE - 1))));
        }
        return Reply.xml(xml.append("</ListBucketResult>").toString());
    }

    private int size(String key) {
        Item item = objects.get(key);
        return item == null ? 0 : item.content().length;
    }

    private Reply listUploads(Request request) {
        var xml = new StringBuilder("<ListMultipartUploadsResult>");
        uploads.forEach((id, upload) -> {
            if (upload.key().startsWith(request.query("prefix"))) {
                xml.append("<Upload><Key>%s</Key><UploadId>%s</UploadId></Upload>"
                        .formatted(escape(upload.key()), escape(id)));
            }
        });
        return Reply.xml(xml.append("<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>")
                .toString());
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    synchronized List<String> keys() {
        return new ArrayList<>(objects.keySet());
    }

    synchronized int uploads() {
        return uploads.size();
    }

    /// Stores an object, whether one exists or not.
    synchronized void put(String key, byte[] content) {
        Item before = objects.get(key);
        store(key, content, before == null ? Map.of() : before.metadata());
    }

    synchronized byte[] content(String key) {
        Item item = objects.get(key);
        if (item == null) {
            throw new AssertionError("no object " + key);
        }
        return item.content();
    }

    synchronized void clear() {
        objects.clear();
        uploads.clear();
    }
}
