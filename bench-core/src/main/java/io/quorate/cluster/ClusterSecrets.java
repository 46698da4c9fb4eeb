// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.store.Access;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.CertificateAuthority.Purpose;
import io.quorate.tls.ClientTls;
import io.quorate.tls.PrivateFiles;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The temporary certificates and secrets of one cluster. The key of their authority is only in this
 * object, so no further certificates can be issued without it.
 *
 * @param login login that clients need
 * @param sharedKey secret that members share: 32 random bytes in Base64
 */
public record ClusterSecrets(CertificateAuthority issuer, Login login, String sharedKey) {
  /** The directory of the keys, next to the data directories of the members. */
  static final String DIRECTORY = "keys";

  private static final String CLIENT = "client";
  private static final String LOGIN = "credentials";
  private static final Duration VALIDITY = Duration.ofDays(365);
  private static final int SHARED_KEY_BYTES = 32;
  private static final int PASSWORD_BYTES = 16;

  public static ClusterSecrets make(Store database, Instant now) {
    SecureRandom random = new SecureRandom();
    byte[] shared = new byte[SHARED_KEY_BYTES];
    random.nextBytes(shared);
    return new ClusterSecrets(
        new CertificateAuthority("Quorate cluster of " + database, now, VALIDITY),
        login(database, random),
        Base64.getEncoder().encodeToString(shared));
  }

  private static Login login(Store database, SecureRandom random) {
    return switch (database.login()) {
      case NONE -> Login.NONE;
      case TOKEN -> new Login.Token(UUID.randomUUID().toString());
      case PASSWORD -> {
        byte[] password = new byte[PASSWORD_BYTES];
        random.nextBytes(password);
        yield new Login.Password("root", HexFormat.of().formatHex(password));
      }
    };
  }

  /** Returns the secrets of a member that is reached at these addresses. */
  public MemberSecrets member(String name, String... hosts) {
    return new MemberSecrets(
        issuer.issue("CN=" + name, Purpose.MEMBER, List.of(hosts)), login, sharedKey);
  }

  /**
   * Returns the certificate, in PEM, of a member whose key stays on its host.
   *
   * @param request result of {@link io.quorate.tls.RequestedKey#request} on that host
   * @throws io.quorate.QuorateException if it is damaged
   */
  String certificate(String name, String host, byte[] request) {
    // a member at 127.0.0.2 connects to its peers from 127.0.0.1, which etcd compares with the
    // names
    Set<String> hosts = new LinkedHashSet<>(List.of(host));
    if (host.startsWith("127.")) {
      hosts.add("127.0.0.1");
    }
    return issuer.issue(request, "CN=" + name, Purpose.MEMBER, List.copyOf(hosts));
  }

  /** Returns the certificate of the authority, in PEM. */
  public String authority() {
    return issuer.certificate();
  }

  /**
   * Writes the secrets of clients, and returns them.
   *
   * @param keys directory of the keys: gets a directory {@code client}
   */
  public Access writeClient(Path keys) throws IOException {
    Path directory = keys.resolve(CLIENT);
    // without a common name, for which etcd's gateway would refuse passwords
    issuer.issue("O=quorate", Purpose.CLIENT, List.of()).write(directory, CLIENT);
    Optional<String> content = login.content();
    if (content.isPresent()) {
      PrivateFiles.write(directory.resolve(LOGIN), content.get());
    }
    return Access.over(ClientTls.load(TlsFiles.in(directory, CLIENT), Instant.now()), login);
  }

  /**
   * Returns the access of clients to a cluster that is up; in plain text if it has no keys.
   *
   * @param data data directory of the cluster
   * @throws io.quorate.QuorateException if a file is missing or wrong
   */
  public static Access access(Path data) {
    Path directory = data.resolve(DIRECTORY).resolve(CLIENT);
    if (!Files.isDirectory(directory)) {
      return Access.PLAIN;
    }
    Path login = directory.resolve(LOGIN);
    return Access.over(
        ClientTls.load(TlsFiles.in(directory, CLIENT), Instant.now()),
        Files.exists(login) ? Login.read(login) : Login.NONE);
  }

  /** Returns a text without secrets. */
  @Override
  public String toString() {
    return "the secrets of a cluster";
  }
}
