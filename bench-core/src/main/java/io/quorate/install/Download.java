package io.quorate.install;

import io.quorate.QuorateException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.DigestUtils;

/** Downloads a file over HTTP, and keeps it only if it has the expected SHA-256 sum. */
@SuppressWarnings("try") // the watch and the progress are there until they are closed
final class Download {
  private static final int BUFFER = 1 << 16;
  private static final long MEGABYTE = 1_000_000;

  private final InstallOutput console;
  private final DownloadLimits limits;

  Download(InstallOutput console, DownloadLimits limits) {
    this.console = console;
    this.limits = limits;
  }

  /**
   * Downloads the file at an address.
   *
   * @param sha256 in lower-case hexadecimal digits
   * @param target must not be there; nothing may be made of it after a failure
   * @throws QuorateException with the address and the reason
   */
  void fetch(URI address, String sha256, Path target) {
    console.say("downloading %s ...", address);
    try {
      HttpResponse<InputStream> response = response(address);
      String found;
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw new IOException("the server answered with status " + response.statusCode());
        }
        long announced = response.headers().firstValueAsLong("content-length").orElse(-1);
        if (announced > limits.archiveBytes()) {
          throw new IOException("the file is more than " + limits.archiveBytes() + " bytes");
        }
        found = copy(body, announced, target);
      }
      if (!found.equals(sha256)) {
        throw new IOException(
            String.format(
                "its SHA-256 is %s, but %s is pinned: it was damaged on the way or replaced",
                found, sha256));
      }
    } catch (IOException failure) {
      throw new QuorateException(address + ": " + Failure.reason(failure), failure);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while downloading " + address, interrupt);
    }
  }

  private HttpResponse<InputStream> response(URI address) throws IOException, InterruptedException {
    // never from https to http
    HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(limits.connect())
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    HttpRequest request = HttpRequest.newBuilder(address).timeout(limits.silence()).build();
    return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
  }

  /** Copies the body and returns its checksum. */
  private String copy(InputStream body, long announced, Path target) throws IOException {
    MessageDigest sum = DigestUtils.getSha256Digest();
    AtomicLong count = new AtomicLong();
    try (InputStream limited = DownloadLimits.bounded(body, limits.archiveBytes(), "the file");
        OutputStream file = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW);
        SilenceWatch watch = new SilenceWatch(body, limits.silence(), limits.whole());
        InstallOutput.Progress progress =
            console.progress(() -> progress(count.get(), announced))) {
      byte[] buffer = new byte[BUFFER];
      for (int read = watch.read(limited, buffer); read >= 0; read = watch.read(limited, buffer)) {
        file.write(buffer, 0, read);
        sum.update(buffer, 0, read);
        count.addAndGet(read);
      }
    }
    return Hex.encodeHexString(sum.digest());
  }

  private static String progress(long count, long announced) {
    return "  "
        + count / MEGABYTE
        + (announced < 0 ? "" : " of " + announced / MEGABYTE)
        + " MB downloaded";
  }

  /**
   * Closes the body of a response when no data arrives for too long, or when it takes too long in
   * all.
   */
  private static final class SilenceWatch implements AutoCloseable {
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
}
