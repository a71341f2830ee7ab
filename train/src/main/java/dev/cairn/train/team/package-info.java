/// What a training loop needs from the other processes that train the same run: a [dev.cairn.train.team.Team]. How
/// processes are started, form a group and recover is the matter of another module.
@NullMarked
package dev.cairn.train.team;

import org.jspecify.annotations.NullMarked;
