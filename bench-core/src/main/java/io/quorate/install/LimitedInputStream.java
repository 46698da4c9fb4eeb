package io.quorate.install;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails as soon as more bytes than a limit were read. It does not skip or mark. */
final class LimitedInputStream extends FilterInputStream {
  private final long limit;
  private final String what;
  private long count;

  /**
   * @param what for the message: "... is more than ... bytes"
   */
  LimitedInputStream(InputStream in, long limit, String what) {
    super(in);
    this.limit = limit;
    this.what = what;
  }

  @Override
  public int read() throws IOException {
    int value = in.read();
    count(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = in.read(bytes, offset, length);
    count(Math.max(0, read));
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    byte[] skipped = new byte[(int) Math.min(8_192, Math.max(0, bytes))];
    return Math.max(0, read(skipped, 0, skipped.length));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(int read) throws IOException {
    count += read;
    if (count > limit) {
      throw new LimitExceededException(what + " is more than " + limit + " bytes");
    }
  }
}
