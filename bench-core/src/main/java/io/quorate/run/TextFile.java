package io.quorate.run;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Reads a whole file of a run, or says why not. */
final class TextFile {
  /** More than any file of a run needs, and less than would use up the memory. */
  private static final long LARGEST_BYTES = 512L << 20;

  private TextFile() {}

  static String read(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new QuorateException(
            file + ": found something that is no file, expected one of a run");
      }
      if (attributes.size() > LARGEST_BYTES) {
        throw new QuorateException(
            "%s: found %s bytes, expected at most %s"
                .formatted(
                    file,
                    NumberFormats.commas(attributes.size()),
                    NumberFormats.commas(LARGEST_BYTES)));
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException missing) {
      throw new QuorateException(file + ": found no such file, expected one of a run", missing);
    } catch (MalformedInputException malformed) {
      throw new QuorateException(file + ": found bytes that are not UTF-8", malformed);
    } catch (IOException impossible) {
      throw new QuorateException(file + ": cannot be read: " + impossible, impossible);
    }
  }
}
