/// A small S3 server with truly atomic conditions, which fails as it is told to.
@NullMarked
package dev.cairn.s3.server;

import org.jspecify.annotations.NullMarked;
