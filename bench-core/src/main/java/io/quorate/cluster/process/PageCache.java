// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.QuorateException;
import io.quorate.format.NumberFormats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The pages of files that Linux keeps in memory. {@code posix_fadvise(POSIX_FADV_DONTNEED)} drops
 * those that are on disk and not mapped, for files of the same user and without root; {@code dd} of
 * the GNU core utilities calls it, and {@code fincore} of util-linux counts what is left.
 */
public final class PageCache {
  /** Time limit for all files of a member; writing back and dropping 10 GB takes seconds. */
  private static final long LIMIT_SECONDS = 120;

  /** Part that may be left, as the kernel may read ahead or keep the last page of a file. */
  private static final double COLD = 0.01;

  private PageCache() {}

  /**
   * Sizes of the files of a member.
   *
   * @param bytes all of them
   * @param cachedBytes those in memory
   */
  public record Share(long bytes, long cachedBytes) {
    /** Returns whether at most a hundredth is in memory. */
    public boolean isCold() {
      return cachedBytes <= bytes * COLD;
    }

    /** Returns the sizes in words. */
    public String text() {
      return "%s on disk, of which %s in memory"
          .formatted(
              NumberFormats.humanizedBytes(bytes), NumberFormats.humanizedBytes(cachedBytes));
    }
  }

  /**
   * Writes back the files below a directory, and drops their pages.
   *
   * @throws QuorateException if a file cannot be read, or a program is missing or fails
   */
  public static Share drop(Path directory) {
    List<String> files = files(directory);
    for (String file : files) {
      run(List.of("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"));
    }
    long bytes = 0;
    long cached = 0;
    List<String> count = new ArrayList<>(List.of("fincore", "-b", "-n", "-o", "SIZE,RES"));
    count.addAll(files);
    for (String line : run(count).lines().toList()) {
      String[] columns = line.strip().split(" +");
      bytes += Long.parseLong(columns[0]);
      cached += Long.parseLong(columns[1]);
    }
    return new Share(bytes, cached);
  }

  private static List<String> files(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).map(Path::toString).sorted().toList();
    } catch (IOException failure) {
      throw new QuorateException("cannot list the files in " + directory + ": " + failure, failure);
    }
  }

  private static String run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectInput(Path.of("/dev/null").toFile())
              .start();
      process
          .onExit()
          .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
          .exceptionally(
              late -> {
                process.destroyForcibly();
                return process;
              });
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (process.waitFor() != 0) {
        throw new QuorateException(command.get(0) + " cannot drop files from the page cache");
      }
      return output;
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot drop files from the page cache: " + failure.getMessage(), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while files were dropped", interrupted);
    }
  }
}
