package io.tidemill.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;

/// The bytes of one object as a stream; must be closed.
public final class StoredObject extends FilterInputStream {
  private final ObjectInfo info;
  private final ResponseInputStream<?> response;
  private boolean ended;

  StoredObject(ObjectInfo info, ResponseInputStream<?> response) {
    super(response);
    this.info = info;
    this.response = response;
  }

  public ObjectInfo info() {
    return info;
  }

  @Override
  public int read() throws IOException {
    var read = super.read();
    ended |= read < 0;
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    var read = super.read(buffer, offset, length);
    ended |= read < 0;
    return read;
  }

  /// Who leaves early does not pay for the rest: a plain close would read it all first.
  @Override
  public void close() throws IOException {
    if (ended) super.close();
    else response.abort();
  }
}
