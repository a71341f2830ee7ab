package dev.cairn.s3;

import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/// A listing whose reply has nothing in it reads as if there were no run: it is asked for again. Every whole one says
/// whether there is more.
final class WholeListings implements ExecutionInterceptor {
    @Override
    public void afterUnmarshalling(Context.AfterUnmarshalling reply, ExecutionAttributes attributes) {
        if (reply.response() instanceof ListObjectsV2Response listing && listing.isTruncated() == null) {
            throw RetryableException.create("reply without content");
        }
    }
}
