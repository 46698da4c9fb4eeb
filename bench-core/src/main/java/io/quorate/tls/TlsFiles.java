// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The files of a client for TLS connections, all in PEM.
 *
 * @param authority the certificates of the authorities that issue the servers' certificates
 * @param identity the client's own certificate and key; empty for a client without one
 * @param checksName whether a server's certificate must match its host name
 */
public record TlsFiles(Path authority, Optional<Identity> identity, boolean checksName) {
  /**
   * A certificate and its private key.
   *
   * @param certificate certificate, optionally followed by the certificates of intermediate
   *     authorities
   * @param key key, not encrypted; only its owner may read it
   */
  public record Identity(Path certificate, Path key) {}

  public static TlsFiles in(Path directory, String name) {
    return new TlsFiles(
        directory.resolve(IssuedKey.AUTHORITY),
        Optional.of(
            new Identity(directory.resolve(name + ".crt"), directory.resolve(name + ".key"))),
        true);
  }
}
