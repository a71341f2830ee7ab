/// Runs in object storage that supports S3. [dev.cairn.s3.S3BlobStore] follows the rules of
/// [dev.cairn.store.blob.BlobStore] by means of conditional writes. So commits, leases and fencing work as on a disk.
///
/// Object storage differs from a disk in two ways. A reply may be lost after the request took effect, and a request may
/// take effect after its sender gave up. Therefore every object carries a random number from its writer, with which the
/// writer recognizes its own object. A failed write counts as undecided until an object with its name exists
/// (`docs/S3.md`).
@NullMarked
package dev.cairn.s3;

import org.jspecify.annotations.NullMarked;
