/// One process of a team: its link to the supervisor, its place in the group, and what the group exchanges beside the
/// gradients.
@NullMarked
package dev.cairn.cluster.member;

import org.jspecify.annotations.NullMarked;
