package io.quorate.tls;

import java.io.IOException;
import java.nio.file.Path;

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

  @Override
  public String toString() {
    return "a private key and its certificate";
  }
}
