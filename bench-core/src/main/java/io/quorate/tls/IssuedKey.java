// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A private key with its certificate, in PEM.
 *
 * @param authority the certificate of the authority that issued it
 * @param key the private key in PKCS 8, not encrypted
 */
public record IssuedKey(String authority, String certificate, String key) {
  public static final String AUTHORITY = "ca.crt";

  /**
   * Writes {@code ca.crt}, {@code NAME.crt} and {@code NAME.key} into a directory that is created;
   * only this user may read them.
   */
  public void write(Path directory, String name) throws IOException {
    PrivateFiles.createDirectory(directory);
    PrivateFiles.write(directory.resolve(AUTHORITY), authority);
    PrivateFiles.write(directory.resolve(name + ".crt"), certificate);
    PrivateFiles.write(directory.resolve(name + ".key"), key);
  }

  /**
   * Replaces the files that {@link #write} wrote, one after the other. A reader between both may
   * see a certificate that does not belong to the key.
   */
  public void replace(Path directory, String name) throws IOException {
    Path next = directory.resolve("next");
    write(next, name);
    for (String file : List.of(name + ".key", name + ".crt")) {
      Files.move(next.resolve(file), directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }
    Files.delete(next.resolve(AUTHORITY));
    Files.delete(next);
  }

  @Override
  public String toString() {
    return "a private key and its certificate";
  }
}
