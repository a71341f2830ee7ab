package dev.cairn.dashboard.run;

import dev.cairn.dashboard.story.Story;
import java.time.Instant;

/// What is known of a run at one time.
///
/// @param id names the run in addresses of pages
/// @param name the last part of its place
/// @param place what a command takes as the run
/// @param version grows when the story or the state changes
public record RunView(String id, String name, String place, Story story, State state, long version, Instant now) {
    /// Whether a process trains the run.
    public boolean isAlive() {
        return state == State.TRAINING;
    }
}
