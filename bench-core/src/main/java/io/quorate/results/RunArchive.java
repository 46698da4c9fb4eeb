// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.io.input.BoundedInputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * The directory of a run, or of a matrix of runs, in one compressed file. The same files give the
 * same bytes, as entries are sorted and have no time or owner. The format compresses files of
 * several servers together, so it needs half of the space of a ZIP file.
 *
 * @param directory name of the directory
 * @param files contents by their paths below it, such as {@code etcd/seconds.csv}
 */
public record RunArchive(String directory, SortedMap<String, byte[]> files) {
  /** Name of the file in the directory of a published run. */
  public static final String NAME = "run.tar.xz";

  /** Names that are safe as names of files on all systems. */
  private static final Pattern ENTRY =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9@._-]*(?:/[A-Za-z0-9][A-Za-z0-9@._-]*){1,6}");

  /** How many earlier places with the same bytes the compressor compares. */
  private static final int DEPTH = 48;

  /** What the archive adds to a file, at most, unless its name is very long. */
  private static final int ENTRY_BYTES = 1024;

  private static final int MAX_ENTRIES = 100_000;
  private static final long MAX_BYTES = 512L << 20;

  /** With the headers of its entries, at most. */
  private static final long MAX_UNPACKED = MAX_BYTES + 4L * ENTRY_BYTES * MAX_ENTRIES;

  /** The header of the first entry, at most; the archive may have more than one for a long name. */
  private static final long MAX_HEADER = 64 << 10;

  private static final String LIMITS = "512 MiB in 100,000 files";
  private static final int MAX_MEMORY_KIB = 128 << 10;

  public RunArchive {
    files = new TreeMap<>(files);
  }

  /**
   * Returns the content of the file.
   *
   * @throws QuorateException if the files have names that an archive cannot have, or are too many
   */
  public byte[] bytes() {
    long content = files.values().stream().mapToLong(each -> each.length).sum();
    if (content > MAX_BYTES || files.size() > MAX_ENTRIES) {
      throw new QuorateException(
          "%s: found %s bytes in %s files, expected at most %s"
              .formatted(
                  VisibleText.of(directory),
                  NumberFormats.commas(content),
                  NumberFormats.commas(files.size()),
                  LIMITS));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZOutputStream(bytes, options()))) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        String name = directory + "/" + file.getKey();
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

  private LZMA2Options options() throws IOException {
    LZMA2Options options = new LZMA2Options(LZMA2Options.PRESET_DEFAULT);
    options.setNiceLen(LZMA2Options.NICE_LEN_MAX);
    // the usual depth takes half as long again, and saves nothing
    options.setDepthLimit(DEPTH);
    long bytes = files.values().stream().mapToLong(each -> each.length + ENTRY_BYTES).sum();
    // a dictionary costs its memory even if it is never filled
    options.setDictSize(
        (int) Math.max(LZMA2Options.DICT_SIZE_MIN, Math.min(options.getDictSize(), bytes)));
    return options;
  }

  /**
   * Reads a file from an untrusted source; a file with other entries than files of one directory is
   * refused as a whole.
   *
   * @throws QuorateException if it is damaged, too large or hostile
   */
  public static RunArchive read(Path archive) {
    String directory = "";
    SortedMap<String, byte[]> files = new TreeMap<>();
    long bytes = 0;
    try (TarArchiveInputStream tar = open(archive, MAX_UNPACKED)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        String name = entry.getName();
        String top = top(archive, entry);
        directory = directory.isEmpty() ? top : directory;
        if (!top.equals(directory)) {
          throw wrong(archive, name, "only files in " + directory);
        }
        bytes += entry.getSize();
        if (bytes > MAX_BYTES || files.size() >= MAX_ENTRIES) {
          throw wrong(archive, name, "at most " + LIMITS);
        }
        // not more than once in memory
        byte[] content = new byte[Math.toIntExact(entry.getSize())];
        if (tar.readNBytes(content, 0, content.length) < content.length) {
          throw wrong(archive, name, "all of its " + content.length + " bytes");
        }
        if (files.put(name.substring(top.length() + 1), content) != null) {
          throw wrong(archive, name, "each file once");
        }
      }
    } catch (IOException | IllegalArgumentException damaged) {
      throw unreadable(archive, damaged);
    }
    if (files.isEmpty()) {
      throw wrong(archive, "nothing", "files of runs");
    }
    return new RunArchive(directory, files);
  }

  /** Returns the name of the directory in an archive, without reading all of it. */
  public static String directory(Path archive) {
    try (TarArchiveInputStream tar = open(archive, MAX_HEADER)) {
      TarArchiveEntry first = tar.getNextEntry();
      if (first == null) {
        throw wrong(archive, "nothing", "files of runs");
      }
      return top(archive, first);
    } catch (IOException | IllegalArgumentException damaged) {
      throw unreadable(archive, damaged);
    }
  }

  private static TarArchiveInputStream open(Path archive, long most) throws IOException {
    InputStream file = Files.newInputStream(archive);
    try {
      // long names are read as a whole, before an entry has a size
      return new TarArchiveInputStream(
          BoundedInputStream.builder()
              .setInputStream(new XZInputStream(file, MAX_MEMORY_KIB))
              .setMaxCount(most)
              .setOnMaxCount(
                  (limit, count) -> {
                    throw new IOException("its headers are too long");
                  })
              .get());
    } catch (IOException damaged) {
      file.close();
      throw damaged;
    }
  }

  private static String top(Path archive, TarArchiveEntry entry) {
    String name = entry.getName();
    boolean plain = entry.getLinkFlag() == TarConstants.LF_NORMAL;
    if (!plain || !ENTRY.matcher(name).matches()) {
      throw wrong(archive, name, "only files of runs");
    }
    return name.substring(0, name.indexOf('/'));
  }

  private static QuorateException unreadable(Path archive, Exception damaged) {
    return FileFailure.exception(VisibleText.of(archive.toString()) + ": cannot be read", damaged);
  }

  /**
   * Writes the directory with its files below another one.
   *
   * @return its path
   * @throws QuorateException if a file cannot be written
   */
  public Path unpack(Path parent) {
    Path top = parent.resolve(directory);
    try {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path path = top.resolve(file.getKey());
        DatabaseDirectory.make(Objects.requireNonNull(path.getParent()));
        Files.write(path, file.getValue());
      }
    } catch (IOException impossible) {
      throw FileFailure.exception(top + ": cannot be unpacked", impossible);
    }
    return top;
  }

  private static QuorateException wrong(Path archive, String found, String expected) {
    return new QuorateException(
        "%s: found %s, expected %s"
            .formatted(VisibleText.of(archive.toString()), VisibleText.line(found), expected));
  }
}
