// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.store.Access;
import io.quorate.store.Login;
import io.quorate.store.server.MemberKeys;
import io.quorate.tls.ClientTls;
import io.quorate.tls.IssuedKey;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The secrets with which one member of a cluster of Quorate speaks TLS.
 *
 * @param key key with the certificate for its address
 * @param login login that its clients need
 * @param sharedKey secret that all members share: 32 random bytes in Base64
 */
public record MemberSecrets(IssuedKey key, Login login, String sharedKey) {
  private static final String NAME = "member";

  MemberKeys write(Path directory) throws IOException {
    key.write(directory, NAME);
    return new MemberKeys(
        directory.resolve(IssuedKey.AUTHORITY),
        directory.resolve(NAME + ".crt"),
        directory.resolve(NAME + ".key"),
        login,
        sharedKey);
  }

  /** Replaces the key and the certificate that another member's secrets wrote there. */
  void replace(Path directory) throws IOException {
    key.replace(directory, NAME);
  }

  /** Returns the access of the member itself, after {@link #write}. */
  Access access(Path directory, Instant now) {
    return Access.over(ClientTls.load(TlsFiles.in(directory, NAME), now), login);
  }

  /** Returns a text without secrets. */
  @Override
  public String toString() {
    return "the secrets of a member";
  }
}
