package dev.cairn.store.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The laws of [BlobStore] for a store that stands before another one. Besides, every operation of the interface, its
/// writers and its readers included, must reach the same operation of the store below: a decorator that forgets one
/// would run the interface's default method instead, and lose what the store below does better or answers otherwise.
public abstract class DecoratorContract extends BlobStoreContract {
    private static final String PLACE = "below";
    private static final long USABLE_BYTES = 123_456_789;
    private static final List<String> TEMPORARIES = List.of("log/.tmp-12ab");

    private @Nullable BlobStore decorated;

    /// The decorator to be tested, set so that it lets everything pass.
    protected abstract BlobStore decorate(BlobStore below);

    /// Names of operations that it answers without asking the store below.
    protected Set<String> answeredHere() {
        return Set.of();
    }

    @Override
    protected final BlobStore store() {
        if (decorated == null) {
            decorated = decorate(new MemoryBlobStore());
        }
        return decorated;
    }

    /// What an operation is called with. An operation that is new in the interface needs a row here.
    private static Object[] arguments(Method operation) {
        return switch (operation.getName()) {
            case "createIfAbsent" -> new Object[] {"log/2", new byte[3]};
            case "write", "replace" -> new Object[] {"log/3"};
            case "readUncached" -> new Object[] {"log/1"};
            case "readAll" -> new Object[] {"log/1", 100L};
            case "list", "sizes", "temporaries" -> new Object[] {"log/"};
            case "copy" -> new Object[] {"log/1", "log/4"};
            case "rename" -> new Object[] {"log/1", "log/5"};
            case "deleteTemporary" -> new Object[] {TEMPORARIES.getFirst()};
            case "delete" -> new Object[] {"log/1"};
            case "append" -> new Object[] {MemorySegment.ofArray(new byte[3])};
            case "read" ->
                operation.getDeclaringClass() == BlobStore.class
                        ? new Object[] {"log/1"}
                        : new Object[] {0L, MemorySegment.ofArray(new byte[3])};
            case "listAll", "place", "isRemote", "usableBytes", "flush", "finish", "sizeBytes", "close" ->
                new Object[0];
            default -> throw new AssertionError("what is " + operation + " to be called with?");
        };
    }

    @Test
    void everyOperationReachesTheSameOperationBelow() throws Exception {
        for (Method operation : operations(BlobStore.class)) {
            var below = new Recording();
            operation.invoke(decorate(below.store()), arguments(operation));
            if (!answeredHere().contains(operation.getName())) {
                assertThat(below.seen).contains(operation.toString());
            }
        }
    }

    @Test
    void soDoThoseOfWritersAndReaders() throws Exception {
        for (Method operation : operations(BlobStore.BlobWriter.class)) {
            var below = new Recording();
            try (var writer = decorate(below.store()).write("log/2")) {
                operation.invoke(writer, arguments(operation));
            }
            assertThat(below.seen).contains(operation.toString());
        }
        for (Method operation : operations(BlobStore.BlobReader.class)) {
            var below = new Recording();
            try (var reader = decorate(below.store()).read("log/1")) {
                operation.invoke(reader, arguments(operation));
            }
            assertThat(below.seen).contains(operation.toString());
        }
    }

    @Test
    void answersWhatTheStoreBelowAnswers() throws Exception {
        BlobStore store = decorate(new Recording().store());
        assertThat(store.place()).isEqualTo(PLACE);
        assertThat(store.isRemote()).isTrue();
        assertThat(store.usableBytes()).isEqualTo(USABLE_BYTES);
        assertThat(store.temporaries("log/")).isEqualTo(TEMPORARIES);
        assertThat(store.sizes("log/")).isEqualTo(Map.of("log/1", 5L));
    }

    private static List<Method> operations(Class<?> type) {
        return Stream.of(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    /// A store that notes what is called, and answers as no default method would.
    private static final class Recording {
        private final Set<String> seen = ConcurrentHashMap.newKeySet();
        private final MemoryBlobStore blobs = new MemoryBlobStore();

        BlobStore store() {
            blobs.blobs.put("log/1", "hello".getBytes(UTF_8));
            return recorded(BlobStore.class, blobs);
        }

        private <T> T recorded(Class<T> type, T target) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                        seen.add(method.toString());
                        return switch (method.getName()) {
                            case "place" -> PLACE;
                            case "isRemote" -> true;
                            case "usableBytes" -> USABLE_BYTES;
                            case "temporaries" -> TEMPORARIES;
                            case "deleteTemporary" -> null;
                            default -> answer(method, target, arguments);
                        };
                    }));
        }

        private @Nullable Object answer(Method method, Object target, Object[] arguments) throws Throwable {
            try {
                return switch (method.invoke(target, arguments)) {
                    case BlobStore.BlobWriter writer -> recorded(BlobStore.BlobWriter.class, writer);
                    case BlobStore.BlobReader reader -> recorded(BlobStore.BlobReader.class, reader);
                    case null -> null;
                    case Object answer -> answer;
                };
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
