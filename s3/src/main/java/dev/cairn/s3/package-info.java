/// Runs in object storage that speaks S3: [dev.cairn.s3.S3BlobStore] keeps the laws of
/// [dev.cairn.store.blob.BlobStore] by conditional writes, so that everything above it, commits, leases and fencing, is
/// as on a disk.
///
/// What makes it different from a disk: a reply may be lost after the request took effect, and a request may take
/// effect after its sender gave up. Every object carries the number that its writer drew for it, by which a writer
/// knows its own; and what failed counts as open until something stands in its place (`docs/S3.md`).
@NullMarked
package dev.cairn.s3;

import org.jspecify.annotations.NullMarked;
