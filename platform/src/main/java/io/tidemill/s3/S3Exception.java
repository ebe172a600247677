package io.tidemill.s3;

import java.io.IOException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/// A call of the object store failed.
public final class S3Exception extends RuntimeException {
  private static final Set<String> CREDENTIAL_ERRORS =
      Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "RequestTimeTooSkewed");

  private final int status;
  private final boolean isSilence;
  private final boolean isCredentialError;

  S3Exception(String message, SdkException cause) {
    super(message + ": " + reason(cause), cause);
    status = cause instanceof AwsServiceException answer ? answer.statusCode() : 0;
    isSilence = status == 0 && isSilence(cause);
    isCredentialError = CREDENTIAL_ERRORS.contains(reason(cause));
  }

  S3Exception(String message, IOException cause) {
    super(message + ": " + cause.getMessage(), cause);
    status = 0;
    isSilence = true;
    isCredentialError = false;
  }

  // Without a status the client itself refused the request, permanently.
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

  private static String reason(SdkException cause) {
    if (!(cause instanceof AwsServiceException answer)) return String.valueOf(cause.getMessage());
    var details = answer.awsErrorDetails();
    var code = details == null ? null : details.errorCode();
    return code == null ? "status " + answer.statusCode() : code;
  }

  /// Whether the object or its bucket is not there.
  public boolean isMissing() {
    return status == 404;
  }

  /// Whether the store refused the credentials: not the object's fault, but no outage either.
  public boolean isCredentialError() {
    return isCredentialError;
  }

  /// Whether a retry may succeed: the store did not answer, or failed.
  public boolean isTransient() {
    return isSilence || status == 408 || status == 429 || status >= 500;
  }
}
