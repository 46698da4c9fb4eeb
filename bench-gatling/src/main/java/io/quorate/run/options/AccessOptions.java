// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.format.Problems;
import io.quorate.store.Access;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.tls.ClientTls;
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
 */
public record AccessOptions(
    Optional<Path> authority,
    Optional<Path> certificate,
    Optional<Path> key,
    boolean checksName,
    Optional<Path> credentials) {
  private static final String AUTHORITY = "tls.ca";
  private static final String CERTIFICATE = "tls.certificate";
  private static final String KEY = "tls.key";
  private static final String NAME_CHECK = "tls.name-check";
  private static final String CREDENTIALS = "credentials";

  static AccessOptions read(OptionReader options, Path directory) {
    return new AccessOptions(
        options.read(AUTHORITY, directory::resolve),
        options.read(CERTIFICATE, directory::resolve),
        options.read(KEY, directory::resolve),
        options.read(NAME_CHECK, AccessOptions::isOn).orElse(true),
        options.read(CREDENTIALS, directory::resolve));
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
    Login login = credentials.map(Login::read).or(() -> inVariables).orElse(Login.NONE);
    if (login != Login.NONE && login.kind() != database.login()) {
      throw new QuorateException(
          "found %s, but %s takes %s".formatted(login.kind(), database, database.login()));
    }
    return login;
  }
}
