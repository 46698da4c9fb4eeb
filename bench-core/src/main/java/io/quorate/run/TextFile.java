package io.quorate.run;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a whole file of a run, or says why not. */
final class TextFile {
  private TextFile() {}

  static String read(Path file) {
    try {
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
