package io.quorate.run;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads an untrusted text in UTF-8: regular files only, since a pipe or a device may never end, and
 * no more bytes than there is memory for.
 */
public final class TextFile {
  /** Size limit: more than any file of a run needs. */
  private static final long LARGEST_BYTES = 512L << 20;

  /**
   * Number of copies that exist at a time: the bytes, the text that is made of them, and what is
   * between.
   */
  private static final long BYTES_PER_BYTE = 4;

  private static final int LONGEST_LINE_BYTES = 8 << 20;

  private TextFile() {}

  /** Takes a line without its end. */
  @FunctionalInterface
  interface Lines {
    /**
     * @param number from 1
     */
    void line(String text, int number);
  }

  /**
   * Returns the text of a file of a run.
   *
   * @throws QuorateException if there is no such regular file, or it is too large or not UTF-8
   */
  public static String read(Path file) {
    return read(file, LARGEST_BYTES, "one of a run");
  }

  /**
   * Returns the text of a file.
   *
   * @param mostBytes however much memory there is
   * @param expected what it should be, for the message when it is not there
   * @throws QuorateException if there is no such regular file, or it is too large or not UTF-8
   */
  public static String read(Path file, long mostBytes, String expected) {
    try (InputStream in = open(file, expected)) {
      Capacity.check(shown(file), Files.size(file), "bytes", mostBytes, BYTES_PER_BYTE);
      long most = Capacity.of(mostBytes, BYTES_PER_BYTE);
      byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, most + 1));
      Capacity.check(shown(file), bytes.length, "bytes", mostBytes, BYTES_PER_BYTE);
      return decoded(file, bytes);
    } catch (IOException impossible) {
      throw unreadable(file, impossible);
    }
  }

  /**
   * Reads the lines of a file of a run one by one.
   *
   * @return whether there is a last line without its end, which is left out
   * @throws QuorateException as {@link #read}
   */
  static boolean lines(Path file, Lines lines) {
    try (InputStream in = new BufferedInputStream(open(file, "one of a run"), 1 << 16)) {
      checkSize(file, Files.size(file));
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int number = 1;
      long read = 0;
      for (int next = in.read(); next >= 0; next = in.read()) {
        read++;
        if (next != '\n') {
          line.write(next);
        }
        if (next == '\n' || line.size() > LONGEST_LINE_BYTES) {
          checkSize(file, read);
          checkLine(file, number, line.size());
          lines.line(decoded(file, line.toByteArray()), number++);
          line.reset();
        }
      }
      return line.size() > 0;
    } catch (IOException impossible) {
      throw unreadable(file, impossible);
    }
  }

  private static void checkSize(Path file, long bytes) {
    if (bytes > LARGEST_BYTES) {
      throw new QuorateException(
          "%s: found %s bytes, expected at most %s"
              .formatted(
                  shown(file), NumberFormats.commas(bytes), NumberFormats.commas(LARGEST_BYTES)));
    }
  }

  private static void checkLine(Path file, int number, int bytes) {
    if (bytes > LONGEST_LINE_BYTES) {
      throw new QuorateException(
          "%s:%d: found a line of more than %s bytes, expected a shorter one"
              .formatted(shown(file), number, NumberFormats.commas(LONGEST_LINE_BYTES)));
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

  private static String decoded(Path file, byte[] bytes) {
    if (isAscii(bytes)) {
      return new String(bytes, StandardCharsets.US_ASCII);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException malformed) {
      throw new QuorateException(shown(file) + ": found bytes that are not UTF-8", malformed);
    }
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte each : bytes) {
      if (each < 0) {
        return false;
      }
    }
    return true;
  }

  private static QuorateException unreadable(Path file, IOException why) {
    return new QuorateException(shown(file) + ": cannot be read: " + FileFailure.reason(why), why);
  }

  private static String shown(Path file) {
    return GoText.visible(file.toString());
  }
}
