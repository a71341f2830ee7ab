/// A small S3 server with atomic conditions that fails on request.
@NullMarked
package dev.cairn.s3.server;

import org.jspecify.annotations.NullMarked;
