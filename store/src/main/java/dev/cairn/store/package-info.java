/// The basic terms of a stored run: tensors, attributes and errors. All other packages of the store use them. This
/// package depends on no other.
///
/// From the bytes up: [blob][dev.cairn.store.blob] is storage, [segment][dev.cairn.store.segment] holds the bytes of
/// tensors, [log][dev.cairn.store.log] records which checkpoints exist, [reading][dev.cairn.store.reading] returns
/// their values, [check][dev.cairn.store.check] finds damage, [right][dev.cairn.store.right] keeps other writers out,
/// [writing][dev.cairn.store.writing] commits checkpoints, and [repair][dev.cairn.store.repair] repairs a run.
/// `docs/FORMAT.md` defines the stored format.
@NullMarked
package dev.cairn.store;

import org.jspecify.annotations.NullMarked;
