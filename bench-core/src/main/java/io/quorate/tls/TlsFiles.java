package io.quorate.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The files with which a client makes TLS connections, all in PEM.
 *
 * @param authority the certificates of those that issue the certificates of servers
 * @param identity the client's own certificate and key; empty for a client without one
 * @param checksName whether a server's certificate must be for the host that is connected to
 */
public record TlsFiles(Path authority, Optional<Identity> identity, boolean checksName) {
  /**
   * A certificate and its private key.
   *
   * @param certificate may be followed by those of intermediate authorities
   * @param key not encrypted; only its owner may read it
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
