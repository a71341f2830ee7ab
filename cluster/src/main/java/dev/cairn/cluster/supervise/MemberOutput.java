package dev.cairn.cluster.supervise;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Passes on what a member writes, line by line, on threads of its own: a pipe that nobody reads would stop the member.
/// The framework of a member writes to its standard output too, so nothing there is taken for a result.
final class MemberOutput {
    private static final Pattern STEP = Pattern.compile("step [0-9]+");

    /// What libtorch tells of each group that forms.
    private static final String CHATTER = "[Gloo] ";

    /// What TensorFlow's server tells of each call that ends early, at the level of information.
    private static final Pattern INFORMATION = Pattern.compile("I[0-9]{4} [0-9:.]+ +[0-9]+ \\S+\\.cc:[0-9]+\\] .*");

    private final Member member;
    private final View view;
    private final List<Thread> threads = new ArrayList<>();

    MemberOutput(Member member, View view) {
        this.member = member;
        this.view = view;
    }

    void passOn() {
        follow(member.process().getInputStream());
        follow(member.process().getErrorStream());
    }

    private void follow(InputStream stream) {
        threads.add(Thread.ofPlatform()
                .name("cairn-output-" + member.number())
                .daemon(true)
                .start(() -> readAll(stream)));
    }

    private void readAll(InputStream stream) {
        try (var lines = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (STEP.matcher(line).matches()) {
                    view.stepMade(line);
                } else if (!line.startsWith(CHATTER)
                        && !INFORMATION.matcher(line).matches()) {
                    view.memberSaid(member.label(), line);
                }
            }
        } catch (IOException ended) {
            // There is nothing more to read.
        }
    }

    /// Waits until everything is passed on, after the process has ended.
    void await() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(1000);
        }
    }
}
