package io.quorate.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the SHA-256 sum of a stream of bytes. */
final class Sha256 {
  private final MessageDigest digest;

  Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /** Returns the sum of a file, in lower-case hexadecimal digits. */
  static String of(Path file) throws IOException {
    Sha256 sum = new Sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), sum.digest)) {
      byte[] buffer = new byte[1 << 16];
      while (in.read(buffer) >= 0) {
        // the stream does the work
      }
    }
    return sum.hex();
  }

  void add(byte[] bytes, int length) {
    digest.update(bytes, 0, length);
  }

  /** Returns the sum in lower-case hexadecimal digits, and ends it. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
