// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.BiConsumer;
import org.apache.commons.io.input.BoundedInputStream;

/**
 * Reads an untrusted text in UTF-8: regular files only, since a pipe or a device may never end, and
 * no more bytes than a limit.
 */
public final class TextFile {
  /** Size limit: more than any file of a run needs. */
  private static final long MAX_BYTES = 512L << 20;

  /** The character that malformed bytes become, which a text may also contain. */
  private static final char REPLACEMENT = '\uFFFD';

  /** The byte order mark. */
  private static final String MARK = "\uFEFF";

  private TextFile() {}

  /** Returns the text of a file of a run, as {@link #read(Path, long, String)} does. */
  public static String read(Path file) {
    return read(file, MAX_BYTES, "one of a run");
  }

  /**
   * Returns the text of a file.
   *
   * @param mostBytes size limit
   * @param expected description of the file, for the message if it is missing
   * @throws QuorateException if there is no such regular file, or it is too large or not UTF-8
   */
  public static String read(Path file, long mostBytes, String expected) {
    return decoded(file, bytes(file, mostBytes, expected));
  }

  private static byte[] bytes(Path file, long mostBytes, String expected) {
    try (InputStream in = open(file, expected)) {
      checkSize(file, Files.size(file), mostBytes);
      byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, mostBytes + 1));
      checkSize(file, bytes.length, mostBytes);
      return bytes;
    } catch (IOException impossible) {
      throw FileFailure.unreadable(file, impossible);
    }
  }

  /**
   * Reads the lines of a file of a run one by one, with their numbers from 1.
   *
   * @return whether there is a last line without its end, which is left out
   * @throws QuorateException as {@link #read}
   */
  public static boolean lines(Path file, BiConsumer<String, Integer> lines) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                open(file, "one of a run"), StandardCharsets.UTF_8.newDecoder()))) {
      checkSize(file, Files.size(file), MAX_BYTES);
      boolean isCut = !endsWithLine(file);
      String line = in.readLine();
      for (int number = 1; line != null; number++) {
        String next = in.readLine();
        if (next != null || !isCut) {
          lines.accept(line, number);
        }
        line = next;
      }
      return isCut;
    } catch (CharacterCodingException malformed) {
      throw notUtf8(file, malformed);
    } catch (IOException impossible) {
      throw FileFailure.unreadable(file, impossible);
    }
  }

  /**
   * Opens the beginning of a file of a run of any size, for readers that keep only a part of it at
   * a time.
   *
   * @throws QuorateException if there is no such regular file
   */
  static BufferedReader reader(Path file, long bytes) throws IOException {
    InputStream in =
        BoundedInputStream.builder()
            .setInputStream(open(file, "one of a run"))
            .setMaxCount(bytes)
            .get();
    return new BufferedReader(
        new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()), 1 << 16);
  }

  /**
   * Returns whether the last line of a file of a run has no end.
   *
   * @throws QuorateException if there is no such regular file
   */
  static boolean isCut(Path file) {
    try {
      open(file, "one of a run").close(); // refuses directories and devices
      return !endsWithLine(file);
    } catch (IOException impossible) {
      throw FileFailure.unreadable(file, impossible);
    }
  }

  /** Refuses a file that is larger than any file of a run, which is read as a whole. */
  static void checkSize(Path file) {
    try {
      open(file, "one of a run").close(); // refuses all but regular files
      checkSize(file, Files.size(file), MAX_BYTES);
    } catch (IOException impossible) {
      throw FileFailure.unreadable(file, impossible);
    }
  }

  /**
   * Returns the problem of a file whose last line has no end.
   *
   * @param line number of that line, from 1
   */
  static QuorateException incomplete(Path file, long line) {
    return new QuorateException(
        "%s:%d: found an incomplete last line: file truncated".formatted(shown(file), line));
  }

  static QuorateException notUtf8(Path file, CharacterCodingException malformed) {
    return new QuorateException(shown(file) + ": found bytes that are not UTF-8", malformed);
  }

  private static boolean endsWithLine(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      if (bytes.length() == 0) {
        return true;
      }
      bytes.seek(bytes.length() - 1);
      return bytes.read() == '\n';
    }
  }

  private static void checkSize(Path file, long bytes, long most) {
    if (bytes > most) {
      throw new QuorateException(
          "%s: found %s bytes, expected at most %s"
              .formatted(shown(file), NumberFormats.commas(bytes), NumberFormats.commas(most)));
    }
  }

  /** Opens a regular file; a pipe is not opened, since that would wait for a writer. */
  private static InputStream open(Path file, String expected) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new QuorateException(
            "%s: found %s, expected a file"
                .formatted(
                    shown(file),
                    attributes.isDirectory() ? "a directory" : "a pipe, a socket or a device"));
      }
      return Files.newInputStream(file);
    } catch (NoSuchFileException missing) {
      throw new QuorateException(
          shown(file) + ": found no such file, expected " + expected, missing);
    }
  }

  /**
   * Returns the text of a file of another program, which may be in UTF-16 as PowerShell writes it,
   * without its byte order mark.
   *
   * @throws QuorateException as {@link #read(Path, long, String)}
   */
  public static String readForeign(Path file, long mostBytes, String expected) {
    byte[] bytes = bytes(file, mostBytes, expected);
    boolean little = bytes.length > 1 && bytes[1] == (bytes[0] == (byte) 0xFF ? (byte) 0xFE : 0);
    boolean big = bytes.length > 1 && bytes[0] == (bytes[1] == (byte) 0xFF ? (byte) 0xFE : 0);
    String text =
        little
            ? new String(bytes, StandardCharsets.UTF_16LE)
            : big ? new String(bytes, StandardCharsets.UTF_16BE) : decoded(file, bytes);
    return text.startsWith(MARK) ? text.substring(MARK.length()) : text;
  }

  private static String decoded(Path file, byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException malformed) {
      throw notUtf8(file, malformed);
    }
  }

  private static String shown(Path file) {
    return VisibleText.of(file.toString());
  }
}
