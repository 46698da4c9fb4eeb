// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * A {@code .zip} or {@code .tar.gz} file from an untrusted source. Only the wanted files are
 * written, to chosen places: names in the archive never become paths. An archive with unsafe
 * entries is refused as a whole.
 */
final class Archive {
  private static final int MAX_ENTRIES = 10_000;
  private static final byte[] ZIP = {'P', 'K', 3, 4};
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};

  private final Path file;
  private final List<String> wanted;
  private final Path into;
  private final long unpackedBytes;
  private final List<String> extracted = new ArrayList<>();
  private int entries;

  private Archive(Path file, List<String> wanted, Path into, long unpackedBytes) {
    this.file = file;
    this.wanted = wanted;
    this.into = into;
    this.unpackedBytes = unpackedBytes;
  }

  static boolean is(Path file) throws IOException {
    return begins(file, ZIP) || begins(file, GZIP);
  }

  /**
   * Extracts the wanted files at the top of the archive, or in a directory at its top. Jars may
   * also be in a directory {@code lib} there, as in releases of ZooKeeper.
   *
   * @param into directory for the files; after a failure it keeps the files written so far
   * @param unpackedBytes size limit of the extracted files
   * @return the names that exist
   * @throws QuorateException if the archive is damaged, too large or hostile
   */
  static List<String> extract(Path file, List<String> wanted, Path into, long unpackedBytes) {
    Archive archive = new Archive(file, wanted, into, unpackedBytes);
    try {
      if (begins(file, ZIP)) {
        archive.extractZip();
      } else {
        archive.extractTarGz();
      }
    } catch (EOFException | FileSystemException failure) {
      throw archive.unpackable(Failure.reason(failure), failure);
    } catch (IOException | IllegalArgumentException failure) {
      String why = failure.getMessage() == null ? failure.toString() : failure.getMessage();
      throw archive.unpackable(
          "it is damaged or incomplete, so get it again (%s)".formatted(VisibleText.line(why)),
          failure);
    }
    return List.copyOf(archive.extracted);
  }

  private QuorateException unpackable(String why, Exception cause) {
    return new QuorateException("cannot unpack " + name() + ": " + why, cause);
  }

  private void extractZip() throws IOException {
    try (ZipFile zip = ZipFile.builder().setPath(file).get()) {
      for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
        boolean plain = !entry.isUnixSymlink() && !isSpecial(entry.getUnixMode());
        if (accept(entry.getName(), plain, entry.isDirectory())) {
          try (InputStream content = limited(zip.getInputStream(entry))) {
            write(entry.getName(), content);
          }
        }
      }
    }
  }

  private void extractTarGz() throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        InputStream unpacked = limited(new GzipCompressorInputStream(in));
        TarArchiveInputStream tar = new TarArchiveInputStream(unpacked)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        boolean plain =
            !entry.isSymbolicLink()
                && !entry.isLink()
                && !entry.isCharacterDevice()
                && !entry.isBlockDevice()
                && !entry.isFIFO();
        if (accept(entry.getName(), plain, entry.isDirectory())) {
          write(entry.getName(), tar);
        }
      }
    }
  }

  /** Returns whether an entry is a wanted file; rejects invalid entries. */
  private boolean accept(String entry, boolean plain, boolean directory) {
    if (++entries > MAX_ENTRIES) {
      throw hostile("it has more than " + MAX_ENTRIES + " entries");
    }
    if (!plain) {
      throw hostile("'" + VisibleText.line(entry) + "' is a link or a device");
    }
    String[] parts = entry.split("/", -1);
    if (entry.startsWith("/") || entry.contains("\\") || entry.matches("(?s)[A-Za-z]:.*")) {
      throw hostile("'" + VisibleText.line(entry) + "' is not a relative path");
    }
    if (Arrays.asList(parts).contains("..")) {
      throw hostile("'" + VisibleText.line(entry) + "' leads out of the archive");
    }
    long depth = Arrays.stream(parts).filter(part -> !part.equals(".")).count();
    boolean inLibrary = depth == 3 && parts[parts.length - 2].equals("lib");
    return !directory && (depth <= 2 || inLibrary) && wanted.contains(parts[parts.length - 1]);
  }

  private void write(String entry, InputStream content) throws IOException {
    String name = wanted.get(wanted.indexOf(entry.substring(entry.lastIndexOf('/') + 1)));
    if (extracted.contains(name)) {
      throw hostile("it has two files " + name);
    }
    extracted.add(name);
    Files.copy(content, into.resolve(name));
    Staging.makeExecutable(into.resolve(name));
  }

  private InputStream limited(InputStream content) throws IOException {
    return DownloadLimits.bounded(content, unpackedBytes, "what is in it");
  }

  private QuorateException hostile(String why) {
    return new QuorateException(name() + " is refused as hostile: " + why);
  }

  private String name() {
    return VisibleText.line(file.getFileName().toString());
  }

  /**
   * Returns whether the upper bits are the type of a special file; archives from other systems than
   * Unix have no type.
   */
  private static boolean isSpecial(int unixMode) {
    int type = unixMode & 0xf000;
    return type != 0 && type != 0x8000 && type != 0x4000;
  }

  private static boolean begins(Path file, byte[] magic) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(magic.length), magic);
    }
  }
}
