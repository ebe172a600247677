package io.tidemill.s3;

import java.io.IOException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/// The object store did not do what was asked.
public final class S3Exception extends RuntimeException {
  private static final Set<String> STRANGERS =
      Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "RequestTimeTooSkewed");

  private final int status;
  private final boolean isSilence;
  private final boolean isStranger;

  S3Exception(String message, SdkException cause) {
    super(message + ": " + said(cause), cause);
    status = cause instanceof AwsServiceException answer ? answer.statusCode() : 0;
    isSilence = status == 0 && isSilence(cause);
    isStranger = STRANGERS.contains(said(cause));
  }

  S3Exception(String message, IOException cause) {
    super(message + ": " + cause.getMessage(), cause);
    status = 0;
    isSilence = true;
    isStranger = false;
  }

  // Anything else that has no status was refused by the client itself, and always will be.
  private static boolean isSilence(SdkException cause) {
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof IOException
          || at instanceof ApiCallTimeoutException
          || at instanceof ApiCallAttemptTimeoutException
          || at instanceof AbortedException) {
        return true;
      }
    }
    return false;
  }

  private static String said(SdkException cause) {
    if (!(cause instanceof AwsServiceException answer)) return String.valueOf(cause.getMessage());
    var details = answer.awsErrorDetails();
    var code = details == null ? null : details.errorCode();
    return code == null ? "status " + answer.statusCode() : code;
  }

  /// Whether the object or its bucket is not there.
  public boolean isMissing() {
    return status == 404;
  }

  /// Whether the store does not know us, or not any more: no object's fault, but no outage either.
  public boolean isStranger() {
    return isStranger;
  }

  /// Whether another try may succeed: the store did not answer, or is not well.
  public boolean isTransient() {
    return isSilence || status == 408 || status == 429 || status >= 500;
  }
}
