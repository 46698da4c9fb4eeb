// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.MessageDigestAlgorithms;

/** Files with SHA-256 sums, in the format of {@code sha256sum}; {@code #} begins a comment. */
public final class ChecksumFile {
  public static final String NAME = "SHA256SUMS";
  private static final Pattern LINE = Pattern.compile("([0-9a-f]{64}) [ *](\\S.*)");

  private ChecksumFile() {}

  /**
   * Reads the sums by the names of their files, in their order.
   *
   * @throws QuorateException if a line is neither a sum nor a comment; names the line
   */
  public static Map<String, String> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Map<String, String> sums = new LinkedHashMap<>();
    for (int line = 0; line < lines.size(); line++) {
      String text = lines.get(line);
      if (text.isBlank() || text.startsWith("#")) {
        continue;
      }
      Matcher sum = LINE.matcher(text);
      if (!sum.matches() || sums.put(sum.group(2), sum.group(1)) != null) {
        throw new QuorateException(
            String.format(
                "%s:%d: found '%s', expected 64 lower-case hexadecimal digits, two spaces and"
                    + " the name of a file, each file once",
                file, line + 1, VisibleText.line(text)));
      }
    }
    return sums;
  }

  /** Returns the lines of sums by the names of their files. */
  public static String text(Map<String, String> sums) {
    return sums.entrySet().stream()
        .map(each -> each.getValue() + "  " + each.getKey() + "\n")
        .collect(Collectors.joining());
  }

  /** Returns the sum of a file. */
  public static String sum(Path file) throws IOException {
    return new DigestUtils(MessageDigestAlgorithms.SHA_256).digestAsHex(file);
  }

  public static String sum(byte[] content) {
    return DigestUtils.sha256Hex(content);
  }
}
