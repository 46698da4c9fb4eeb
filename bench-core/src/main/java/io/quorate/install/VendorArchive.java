// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.io.Closeable;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Installs a program from its vendor's release archive, from the vendor or from a mirror. Nothing
 * is fetched unless its checksum is pinned.
 */
@SuppressWarnings("try") // the progress is reported until it is closed
record VendorArchive(
    Path modules,
    Optional<Mirror> mirror,
    Platform platform,
    DownloadLimits limits,
    InstallOutput console)
    implements ProgramSource {
  private static final int BUFFER = 1 << 16;
  private static final long MEGABYTE = 1_000_000;

  @Override
  public String title() {
    return "release archive";
  }

  @Override
  public String supply(Program program, Path work, Path into) throws IOException {
    Program.Vendor vendor =
        program
            .vendor()
            .orElseThrow(() -> new QuorateException("the vendor of " + program.id() + " has none"));
    String name = name(program, vendor);
    String sha256 =
        PinnedChecksums.read(modules, program)
            .of(name)
            .orElseThrow(
                () ->
                    new QuorateException(
                        String.format(
                            "no checksum is pinned for %s %s %s-%s: see src/databases/README.md,"
                                + " how to pin one",
                            program.id(), program.version(), platform.os(), platform.arch())));
    String base = mirror.map(each -> each.base(program)).orElse(vendor.base());
    URI address = URI.create(base + "/" + fill(vendor.directory(), program) + "/" + name);
    Path archive = work.resolve("archive");
    fetch(address, sha256, archive);
    List<String> missing = new ArrayList<>(program.executables());
    missing.removeAll(
        Archive.extract(archive, program.executables(), into, limits.unpackedBytes()));
    if (!missing.isEmpty()) {
      throw new QuorateException(address + ": the archive has no " + String.join(", ", missing));
    }
    return "archive " + address;
  }

  private String name(Program program, Program.Vendor vendor) {
    String ending = platform.os().equals("linux") ? vendor.linuxEnding() : "zip";
    return fill(vendor.name(), program) + "." + ending;
  }

  private String fill(String text, Program program) {
    return text.replace("{version}", program.version())
        .replace("{os}", platform.os())
        .replace("{arch}", platform.arch());
  }

  private void fetch(URI address, String sha256, Path target) {
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
    HttpRequest request = HttpRequest.newBuilder(address).timeout(limits.answer()).build();
    return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
  }

  private String copy(InputStream body, long announced, Path target)
      throws IOException, InterruptedException {
    MessageDigest sum = DigestUtils.getSha256Digest();
    AtomicLong count = new AtomicLong();
    long end = System.nanoTime() + limits.whole().toNanos();
    ExecutorService reader =
        Executors.newSingleThreadExecutor(DaemonThreads.named("quorate-download"));
    try (InputStream limited = DownloadLimits.bounded(body, limits.archiveBytes(), "the file");
        OutputStream file = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW);
        Closeable progress = console.progress(() -> progress(count.get(), announced))) {
      byte[] buffer = new byte[BUFFER];
      Callable<Integer> next = () -> limited.read(buffer);
      for (int read = read(reader.submit(next), end);
          read >= 0;
          read = read(reader.submit(next), end)) {
        file.write(buffer, 0, read);
        sum.update(buffer, 0, read);
        count.addAndGet(read);
      }
    } finally {
      reader.shutdownNow();
    }
    return Hex.encodeHexString(sum.digest());
  }

  /**
   * Waits until something was read; fails if nothing arrives in time or the download takes too
   * long.
   */
  private int read(Future<Integer> next, long end) throws IOException, InterruptedException {
    long left = end - System.nanoTime();
    long silence = limits.silence().toNanos();
    try {
      return next.get(Math.min(left, silence), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new IOException(
          left < silence
              ? "the download took more than " + limits.whole().toMillis() / 1e3 + " s"
              : "the server sent nothing for " + limits.silence().toMillis() / 1e3 + " s");
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  private static String progress(long count, long announced) {
    return "  %s%s MB downloaded"
        .formatted(count / MEGABYTE, announced < 0 ? "" : " of " + announced / MEGABYTE);
  }
}
