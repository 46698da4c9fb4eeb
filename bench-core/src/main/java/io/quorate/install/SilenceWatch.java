package io.quorate.install;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Closes the body of a response when no data arrives for too long, or when it takes too long in
 * all.
 */
final class SilenceWatch implements AutoCloseable {
  private static final int CHECKS = 4;

  private final InputStream body;
  private final Duration silence;
  private final Duration whole;
  private final long started = System.nanoTime();
  private final ScheduledExecutorService timer;
  private volatile long heard = started;
  private volatile String ended = "";

  SilenceWatch(InputStream body, Duration silence, Duration whole) {
    this.body = body;
    this.silence = silence;
    this.whole = whole;
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "quorate-download-watch");
              thread.setDaemon(true);
              return thread;
            });
    long pause = Math.max(1, Math.min(silence.toNanos(), whole.toNanos()) / CHECKS);
    timer.scheduleWithFixedDelay(this::check, pause, pause, TimeUnit.NANOSECONDS);
  }

  /**
   * Reads as {@link InputStream#read(byte[])} does, but fails when the watch has closed the body.
   */
  int read(InputStream in, byte[] buffer) throws IOException {
    try {
      int read = in.read(buffer);
      heard = System.nanoTime();
      if (!ended.isEmpty()) {
        throw new IOException(ended);
      }
      return read;
    } catch (IOException failure) {
      throw ended.isEmpty() ? failure : new IOException(ended, failure);
    }
  }

  private void check() {
    long now = System.nanoTime();
    if (now - heard > silence.toNanos()) {
      end("the server sent nothing for " + inSeconds(silence));
    } else if (now - started > whole.toNanos()) {
      end("the download took more than " + inSeconds(whole));
    }
  }

  private void end(String reason) {
    if (ended.isEmpty()) {
      ended = reason;
    }
    try {
      body.close();
    } catch (IOException nothing) {
      // the reader is told, and closes it too
    }
  }

  private static String inSeconds(Duration limit) {
    return limit.toMillis() / 1e3 + " s";
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
