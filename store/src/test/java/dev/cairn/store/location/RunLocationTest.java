package dev.cairn.store.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunLocationTest {
    @TempDir
    Path folder;

    /// @param shown as people read it, where that differs from what they wrote
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    runs/first             | folder | -                    | first
                    .                      | folder | -                    | -
                    /                      | folder | -                    | /
                    runs/first/            | folder | runs/first           | first
                    ./a:b                  | folder | -                    | a:b
                    a:b                    | folder | -                    | a:b
                    run:1                  | folder | -                    | run:1
                    2026-11-18T07:16       | folder | -                    | 2026-11-18T07:16
                    ./test://x             | folder | ./test:/x            | x
                    ./test:x               | folder | -                    | test:x
                    runs/ÄÖ 山@1           | folder | -                    | ÄÖ 山@1
                    file:///x/y            | folder | /x/y                 | y
                    file:/x/y              | folder | /x/y                 | y
                    file:///x/a%20b        | folder | /x/a b               | a b
                    test://place/runs/a    | test   | -                    | a
                    test://place/runs/a/   | test   | test://place/runs/a  | a
                    TEST://Place           | test   | test://Place         | Place
                    test:///a              | test   | -                    | a
                    test://place/a b%20?#c | test   | -                    | a b%20?#c
                    gs://bucket_1/ü        | gs     | -                    | ü
                    """)
    void readsATextAsPeopleMeanIt(String text, String kind, String shown, String name) {
        RunLocation location = RunLocation.parse(text);
        assertThat(
                        switch (location) {
                            case RunLocation.Folder _ -> "folder";
                            case RunLocation.Remote remote -> remote.scheme();
                        })
                .isEqualTo(kind);
        assertThat(location).hasToString(shown == null ? text : shown);
        assertThat(RunLocation.parse(location.toString())).isEqualTo(location);
        if (name != null) {
            assertThat(location.name()).isEqualTo(name);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    ""            | the location is empty; give a folder or a URI
                    " "           | the location is empty; give a folder or a URI
                    test:place    | 'test:place' is not of the form test://…; for a folder of that name write './test:place'
                    test:/place   | 'test:/place' is not of the form test://…; for a folder of that name write './test:/place'
                    test://       | 'test://' is not a location: a name is missing in it
                    test:///      | 'test:///' is not a location: a name is missing in it
                    test://a//b   | 'test://a//b' is not a location: a name is missing in it
                    test:////b    | 'test:////b' is not a location: a name is missing in it
                    test://[a/b   | 'test://[a/b' is not a location:
                    file:x        | 'file:x' is not of the form file:///folder; give the folder's path
                    file://host/x | 'file://host/x' is not of the form file:///folder; give the folder's path
                    file:///a b   | 'file:///a b' is not of the form file:///folder; give the folder's path
                    """)
    void refusesOtherTextsInOneLine(String text, String problem) {
        assertThatThrownBy(() -> RunLocation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith(problem)
                .doesNotContain("\n");
    }

    @Test
    void aNameThatNoFileCanHaveIsRefused() {
        assertThatThrownBy(() -> RunLocation.parse("a\0b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aUriIsSchemeAuthorityAndPathAlone() {
        for (String uri : List.of("runs/first", "test:a", "test://a?b=c", "test://a#b")) {
            assertThatThrownBy(() -> new RunLocation.Remote(URI.create(uri)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("scheme://place");
        }
    }

    @Test
    void aFolderNeedsNoProvider() {
        assertThat(RunLocation.parse("runs/first").blobs()).isInstanceOf(LocalBlobStore.class);
    }

    @Test
    void storageIsFoundByItsScheme() throws IOException {
        RunLocation.parse("test://place/a").blobs().createIfAbsent("log/x", new byte[1]);
        assertThat(RunLocation.parse("test://place/a/").blobs().list("log/")).containsExactly("log/x");
        assertThat(RunLocation.parse("test://place/b").blobs().list("log/")).isEmpty();
    }

    @Test
    void anUnknownSchemeListsThoseThatAreKnown() {
        RunLocation location = RunLocation.parse("gs://bucket/run");
        assertThatThrownBy(location::blobs)
                .isInstanceOfSatisfying(UnknownSchemeException.class, e -> {
                    assertThat(e.scheme()).isEqualTo("gs");
                    assertThat(e.known()).containsExactly("file", "test");
                })
                .hasMessage("unknown scheme 'gs'; known: file, test");
    }

    @Test
    void anUnknownSettingListsThoseThatAreKnown() {
        StorageSettings settings = StorageSettings.none().with("colour", "red");
        assertThatThrownBy(() -> RunLocation.parse("test://place").blobs(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown storage setting 'colour'; known: speed");
    }

    @Test
    void linksLeadToTheSameRun() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), run);
        RunLocation here = new RunLocation.Folder(run);
        RunLocation there = new RunLocation.Folder(link.resolve("../link"));
        assertThat(there.isSameAs(here)).isTrue();
        assertThat(there.real()).isEqualTo(here.real());
        RunLocation inside = new RunLocation.Folder(link.resolve("copy"));
        assertThat(inside.isInside(here)).isTrue();
        assertThat(here.isInside(inside)).isFalse();
        assertThat(here.isInside(there)).isFalse();
        assertThat(inside.isSameAs(new RunLocation.Folder(run.resolve("copy")))).isTrue();
    }

    @Test
    void remoteRunsAreInsideByName() throws IOException {
        RunLocation run = RunLocation.parse("test://place/a");
        assertThat(RunLocation.parse("test://place/a/copy").isInside(run)).isTrue();
        assertThat(RunLocation.parse("test://place/ab").isInside(run)).isFalse();
        assertThat(RunLocation.parse("test://place/a/").isSameAs(run)).isTrue();
        assertThat(RunLocation.parse("a").isInside(run)).isFalse();
        assertThat(RunLocation.parse("a").isSameAs(run)).isFalse();
    }
}
