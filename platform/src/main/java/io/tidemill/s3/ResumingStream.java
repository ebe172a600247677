package io.tidemill.s3;

import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Reads one object over as many connections as needed: stores cut off slow readers.
public final class ResumingStream extends InputStream {
  private static final int FRUITLESS_ATTEMPTS = 3;

  private final String complaint;
  private final Opener opener;
  private ResponseInputStream<GetObjectResponse> stream;
  private final ObjectInfo info;
  private final long end;
  private long position;
  private int fruitless;
  private boolean broken;

  interface Opener {
    /// @param version the required ETag; empty for any
    ResponseInputStream<GetObjectResponse> open(long from, String version);
  }

  ResumingStream(String key, String complaint, Opener opener) {
    this.complaint = complaint;
    this.opener = opener;
    stream = opener.open(0, "");
    info = ObjectStore.info(key, stream.response());
    end = info.size();
  }

  /// A part of one version of an object.
  ResumingStream(String key, String complaint, Opener opener, long from, long to, String version) {
    this.complaint = complaint;
    this.opener = opener;
    stream = opener.open(from, version);
    info = ObjectStore.info(key, stream.response());
    position = from;
    end = to;
  }

  /// The metadata of the object, as the store gave it with the first bytes.
  public ObjectInfo info() {
    return info;
  }

  @Override
  public int read() {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int wanted) {
    if (wanted == 0) return 0;
    while (position < end) {
      try {
        if (broken) reopen();
        var read = stream.read(buffer, offset, (int) Math.min(wanted, end - position));
        if (read < 0) throw new IOException("it ends after " + position + " of " + end);
        position += read;
        fruitless = 0;
        return read;
      } catch (IOException cut) {
        if (++fruitless > FRUITLESS_ATTEMPTS) throw new S3Exception(complaint, cut);
        broken = true;
      } catch (SdkException cut) {
        throw new S3Exception(complaint, cut);
      }
    }
    return -1;
  }

  private void reopen() {
    stream.abort();
    stream = opener.open(position, info.etag());
    broken = false;
  }

  @Override
  public int available() {
    return position < end ? 1 : 0;
  }

  @Override
  public void close() throws IOException {
    // A plain close would read the rest first.
    if (position < end) stream.abort();
    else stream.close();
  }
}
