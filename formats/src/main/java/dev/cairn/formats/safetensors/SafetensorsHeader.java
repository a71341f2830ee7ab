package dev.cairn.formats.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.MetadataJson;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The header of a safetensors file. The form of its JSON is checked; it is not yet compared with the file.
///
/// @param extents in the order of the header
record SafetensorsHeader(List<Extent> extents, SortedMap<String, String> metadata) {
    static final String METADATA = "__metadata__";

    private static final int MOST_NAME_CHARACTERS = 1 << 16;

    /// The maximum number of keys of one tensor. Three are known.
    private static final int MOST_KEYS = 16;

    /// The memory of an extent, including what the parser keeps to find names that occur twice.
    private static final long EXTENT_BYTES = 200;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(32)
                    .maxNameLength(MOST_NAME_CHARACTERS)
                    .build())
            .build();

    /// The place of a tensor's bytes, counted from the end of the header.
    record Extent(NamedTensor tensor, long begin, long end) {}

    static SafetensorsHeader parse(String file, InputStream text, Allowance allowance) throws IOException {
        var reader = new InputStreamReader(text, StandardCharsets.UTF_8.newDecoder());
        try (JsonParser json = FACTORY.createParser(reader)) {
            return new Parser(file, json, allowance).header();
        } catch (JsonProcessingException e) {
            throw new DamagedFileException(file, FormatException.printable(HeaderWords.problem(e)));
        } catch (CharacterCodingException e) {
            throw new DamagedFileException(file, "header is not UTF-8");
        }
    }

    private static final class Parser {
        private final String file;
        private final JsonParser json;
        private final Allowance allowance;
        private final List<Extent> extents = new ArrayList<>();
        private final SortedMap<String, String> metadata = new TreeMap<>();

        Parser(String file, JsonParser json, Allowance allowance) {
            this.file = file;
            this.json = json;
            this.allowance = allowance;
        }

        SafetensorsHeader header() throws IOException {
            require(json.nextToken(), JsonToken.START_OBJECT, "the header");
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals(METADATA)) {
                    readMetadata();
                } else if (extents.size() == TensorFile.MOST_TENSORS) {
                    throw new UnsupportedException(file, "more than %,d tensors".formatted(TensorFile.MOST_TENSORS));
                } else {
                    extents.add(readExtent(name));
                }
            }
            require(json.currentToken(), JsonToken.END_OBJECT, "the end of the header");
            if (json.nextToken() != null) {
                throw damaged("something after the end of the header");
            }
            return new SafetensorsHeader(extents, metadata);
        }

        private void readMetadata() throws IOException {
            require(json.currentToken(), JsonToken.START_OBJECT, METADATA);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                require(json.nextToken(), JsonToken.VALUE_STRING, "metadata " + key);
                allowance.take(MetadataJson.heapBytes(key, json.getTextLength()));
                metadata.put(key, json.getText());
            }
        }

        private Extent readExtent(String name) throws IOException {
            require(json.currentToken(), JsonToken.START_OBJECT, "tensor " + name);
            String type = null;
            List<Long> shape = null;
            List<Long> offsets = null;
            for (int keys = 0; json.nextToken() == JsonToken.FIELD_NAME; keys++) {
                String key = json.currentName();
                boolean nested = json.nextToken() == JsonToken.START_OBJECT;
                if (nested || keys == MOST_KEYS) {
                    throw damaged("tensor " + name + " has more than a dtype, a shape and two data_offsets");
                }
                switch (key) {
                    case "dtype" -> {
                        require(json.currentToken(), JsonToken.VALUE_STRING, "dtype of tensor " + name);
                        type = json.getText();
                    }
                    case "shape" -> shape = numbers("shape of tensor " + name);
                    case "data_offsets" -> offsets = numbers("data_offsets of tensor " + name);
                    default -> json.skipChildren();
                }
            }
            if (type == null || shape == null || offsets == null || offsets.size() != 2) {
                throw damaged("tensor " + name + " needs a dtype, a shape and two data_offsets");
            }
            try {
                var tensor = new NamedTensor(name, SafetensorsTypes.of(file, name, type), shape);
                allowance.take(EXTENT_BYTES + tensor.heapBytes());
                return new Extent(tensor, offsets.getFirst(), offsets.getLast());
            } catch (IllegalArgumentException e) {
                throw damaged("tensor " + name + ": " + e.getMessage());
            }
        }

        private List<Long> numbers(String what) throws IOException {
            require(json.currentToken(), JsonToken.START_ARRAY, what);
            var numbers = new ArrayList<Long>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                require(json.currentToken(), JsonToken.VALUE_NUMBER_INT, "each number in the " + what);
                if (numbers.size() == NamedTensor.MOST_DIMENSIONS) {
                    throw damaged("%s: more than %d numbers".formatted(what, NamedTensor.MOST_DIMENSIONS));
                }
                numbers.add(json.getLongValue());
            }
            return numbers;
        }

        private void require(@Nullable JsonToken found, JsonToken wanted, String what) throws DamagedFileException {
            if (found != wanted) {
                throw damaged("%s should be %s, but is %s"
                        .formatted(what, HeaderWords.name(wanted), HeaderWords.name(found)));
            }
        }

        private DamagedFileException damaged(String problem) {
            return new DamagedFileException(file, FormatException.printable(problem));
        }
    }
}
