// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import java.util.Locale;

/**
 * An operating system and processor architecture, as vendors name them in their archives.
 *
 * @param os operating system, such as {@code linux} or {@code darwin}
 * @param arch architecture, such as {@code amd64} or {@code arm64}
 */
record Platform(String os, String arch) {
  static Platform ofThisMachine() {
    return named(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static Platform named(String os, String arch) {
    String system = os.toLowerCase(Locale.ROOT);
    String machine = arch.toLowerCase(Locale.ROOT);
    return new Platform(
        system.startsWith("mac") ? "darwin" : system,
        switch (machine) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          default -> machine;
        });
  }
}
