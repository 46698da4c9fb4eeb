// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * Files of a run in one compressed file, {@code inputs.tar.xz}: the directory of the run, with its
 * name. The same files give the same bytes, as entries are sorted and have no time or owner. The
 * format compresses files of several servers together, so it needs half of the space of a ZIP file.
 *
 * @param run name of the directory
 * @param files contents by their paths below it, such as {@code etcd/seconds.csv}
 */
public record RunArchive(String run, SortedMap<String, byte[]> files) {
  /** Name of the file. */
  public static final String NAME = "inputs.tar.xz";

  /** Names that are safe as names of files on all systems. */
  private static final Pattern ENTRY =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9@._-]*(?:/[A-Za-z0-9][A-Za-z0-9@._-]*){1,6}");

  private static final int MAX_ENTRIES = 10_000;
  private static final long MAX_BYTES = 512L << 20;
  private static final int MAX_MEMORY_KIB = 128 << 10;

  public RunArchive {
    files = new TreeMap<>(files);
  }

  /** Returns the content of the file. */
  public byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZOutputStream(bytes, options()))) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        String name = run + "/" + file.getKey();
        if (!ENTRY.matcher(name).matches()) {
          throw new QuorateException(
              "%s: expected a name of letters, digits and @._-".formatted(VisibleText.of(name)));
        }
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(file.getValue().length);
        entry.setModTime(0);
        tar.putArchiveEntry(entry);
        tar.write(file.getValue());
        tar.closeArchiveEntry();
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static LZMA2Options options() throws IOException {
    LZMA2Options options = new LZMA2Options(LZMA2Options.PRESET_DEFAULT);
    options.setNiceLen(LZMA2Options.NICE_LEN_MAX);
    return options;
  }

  /**
   * Reads a file from an untrusted source; a file with other entries than files of one directory is
   * refused as a whole.
   *
   * @throws QuorateException if it is damaged, too large or hostile
   */
  public static RunArchive read(Path archive) {
    String run = "";
    SortedMap<String, byte[]> files = new TreeMap<>();
    long bytes = 0;
    try (InputStream file = Files.newInputStream(archive);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZInputStream(file, MAX_MEMORY_KIB))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        String name = entry.getName();
        boolean plain = entry.getLinkFlag() == TarConstants.LF_NORMAL;
        if (!plain || !ENTRY.matcher(name).matches()) {
          throw wrong(archive, name, "only files of a run");
        }
        String top = name.substring(0, name.indexOf('/'));
        run = run.isEmpty() ? top : run;
        if (!top.equals(run)) {
          throw wrong(archive, name, "only files in " + run);
        }
        byte[] content = tar.readNBytes((int) Math.min(MAX_BYTES - bytes + 1, Integer.MAX_VALUE));
        bytes += content.length;
        if (bytes > MAX_BYTES || files.size() >= MAX_ENTRIES) {
          throw wrong(archive, name, "at most 512 MiB in 10,000 files");
        }
        if (files.put(name.substring(top.length() + 1), content) != null) {
          throw wrong(archive, name, "each file once");
        }
      }
    } catch (IOException | IllegalArgumentException damaged) {
      throw FileFailure.exception(VisibleText.of(archive.toString()) + ": cannot be read", damaged);
    }
    if (files.isEmpty()) {
      throw wrong(archive, "nothing", "files of a run");
    }
    return new RunArchive(run, files);
  }

  private static QuorateException wrong(Path archive, String found, String expected) {
    return new QuorateException(
        "%s: found %s, expected %s"
            .formatted(VisibleText.of(archive.toString()), VisibleText.line(found), expected));
  }
}
