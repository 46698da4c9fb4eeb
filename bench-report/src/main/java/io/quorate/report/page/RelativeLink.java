package io.quorate.report.page;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Creates links from a page to files below its own directory, whatever their names are. */
public final class RelativeLink {
  private static final String KEPT = "-._~";

  private RelativeLink() {}

  /**
   * Returns the link.
   *
   * @param directory of the page
   * @throws IllegalArgumentException if the file is not below it
   */
  public static String to(Path directory, Path file) {
    Path home = directory.toAbsolutePath().normalize();
    Path target = file.toAbsolutePath().normalize();
    if (!target.startsWith(home) || target.equals(home)) {
      throw new IllegalArgumentException(file + " is not below " + directory);
    }
    List<String> names = new ArrayList<>();
    home.relativize(target).forEach(name -> names.add(encoded(name.toString())));
    return String.join("/", names);
  }

  /** Encodes all but unreserved characters of RFC 3986 as percent and two digits. */
  private static String encoded(String name) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (each & 0xFF);
      boolean kept =
          character >= '0' && character <= '9'
              || character >= 'a' && character <= 'z'
              || character >= 'A' && character <= 'Z'
              || KEPT.indexOf(character) >= 0;
      if (kept) {
        encoded.append(character);
      } else {
        encoded.append('%').append(Character.toUpperCase(Character.forDigit(character >> 4, 16)));
        encoded.append(Character.toUpperCase(Character.forDigit(character & 15, 16)));
      }
    }
    return encoded.toString();
  }
}
