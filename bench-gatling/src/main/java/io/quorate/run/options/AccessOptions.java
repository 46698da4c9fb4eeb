// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.format.Problems;
import io.quorate.store.Access;
import io.quorate.store.ClusterAddress;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import io.quorate.tls.ClientTls;
import io.quorate.tls.PrivateFiles;
import io.quorate.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options for access to existing clusters. Secrets are in files or in environment variables,
 * never in options, which other users of a machine can see.
 *
 * @param authority authority of the servers' certificates; enables TLS
 * @param certificate certificate of the client
 * @param key key of the certificate
 * @param checksName whether a server's certificate must match its host name
 * @param credentials file with a user and a password, or with a token
 * @param overTls whether the addresses begin with {@code https://}; empty if they have no scheme
 */
public record AccessOptions(
    Optional<Path> authority,
    Optional<Path> certificate,
    Optional<Path> key,
    boolean checksName,
    Optional<Path> credentials,
    Optional<Boolean> overTls) {
  static final String AUTHORITY = "tls.ca";
  static final String CERTIFICATE = "tls.certificate";
  static final String KEY = "tls.key";
  private static final String NAME_CHECK = "tls.name-check";
  static final String CREDENTIALS = "credentials";

  static AccessOptions read(
      OptionReader options, Path directory, Optional<ClusterAddress> address) {
    return new AccessOptions(
        options.read(AUTHORITY, directory::resolve),
        options.read(CERTIFICATE, directory::resolve),
        options.read(KEY, directory::resolve),
        options.read(NAME_CHECK, AccessOptions::isOn).orElse(true),
        options.read(CREDENTIALS, directory::resolve),
        address.flatMap(ClusterAddress::overTls));
  }

  private static boolean isOn(String text) {
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new QuorateException("--tls-name-check: expected on or off");
    };
  }

  boolean isGiven() {
    return !checksName
        || Stream.of(authority, certificate, key, credentials).anyMatch(Optional::isPresent);
  }

  /**
   * Returns the access to a store, with the secrets of files and of these variables.
   *
   * @throws QuorateException with all problems
   */
  public Access access(Store database, Map<String, String> environment) {
    Problems problems = new Problems();
    Optional<Optional<ClientTls>> tls = problems.attempt(() -> tls(database));
    Optional<Login> login = problems.attempt(() -> login(database, environment));
    problems.throwIfAny();
    return new Access(tls.orElseThrow(), login.orElseThrow());
  }

  private Optional<ClientTls> tls(Store database) {
    List<String> problems = new ArrayList<>();
    if (certificate.isPresent() != key.isPresent()) {
      problems.add("--tls-certificate and --tls-key must be given together");
    }
    if (authority.isEmpty() && (certificate.isPresent() || key.isPresent() || !checksName)) {
      problems.add(
          "--tls-ca: found nothing, expected the file with the authority of the servers'"
              + " certificates, as other TLS options are given");
    }
    if (overTls.isPresent() && overTls.get() != authority.isPresent()) {
      problems.add(
          overTls.get()
              ? "endpoints: found https://, expected --tls-ca with the authority of the servers"
              : "endpoints: found http://, and --tls-ca: write https://, or leave out --tls-ca");
    }
    QuorateException.throwIfAny(problems);
    if (authority.isEmpty()) {
      return Optional.empty();
    }
    QuorateException.throwIf(
        database
            .obstacleToTls()
            .map(why -> "--tls-ca: " + database + " cannot be reached over TLS: " + why));
    Optional<TlsFiles.Identity> identity =
        certificate.map(file -> new TlsFiles.Identity(file, key.orElseThrow()));
    return Optional.of(
        ClientTls.load(new TlsFiles(authority.get(), identity, checksName), Instant.now()));
  }

  private Login login(Store database, Map<String, String> environment) {
    Optional<Login> inVariables = Login.read(environment);
    if (inVariables.isPresent() && credentials.isPresent()) {
      throw new QuorateException(
          "--credentials: pass either the file or the environment variables (QUORATE_USER, "
              + "QUORATE_PASSWORD, QUORATE_TOKEN), not both");
    }
    Login login =
        credentials
            .map(Login::read)
            .or(() -> inVariables)
            .or(() -> ofTool(database, environment))
            .orElse(Login.NONE);
    if (login != Login.NONE && login.kind() != database.login()) {
      throw new QuorateException(
          "found %s, but %s takes %s".formatted(login.kind(), database, database.login()));
    }
    return login;
  }

  /** Returns the login of the store's own tool, for addresses as that tool takes them. */
  private Optional<Login> ofTool(Store database, Map<String, String> environment) {
    return overTls.isPresent()
        ? Stores.servers(database).toolVariables().flatMap(tool -> tool.login().apply(environment))
        : Optional.empty();
  }

  /** Returns a warning for each file with a secret that this user's group may read. */
  public List<String> warnings() {
    return Stream.of(key, credentials)
        .flatMap(Optional::stream)
        .flatMap(file -> PrivateFiles.warning(file).stream())
        .toList();
  }
}
