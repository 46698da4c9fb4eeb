// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.store.Access;
import io.quorate.store.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** The options for access to an existing cluster, of commands other than {@code run}. */
public final class AccessArguments {
  @Option(
      names = {"--tls-ca", "--cacert"},
      paramLabel = "FILE",
      description = "Authority of the servers' certificates; enables TLS.")
  private Optional<String> authority = Optional.empty();

  @Option(
      names = {"--tls-certificate", "--cert"},
      paramLabel = "FILE",
      description = "Certificate of the client.")
  private Optional<String> certificate = Optional.empty();

  @Option(
      names = {"--tls-key", "--key"},
      paramLabel = "FILE",
      description = "Key of the certificate.")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--tls-name-check",
      paramLabel = "ON_OFF",
      description = "Whether a server's certificate must match its host name (default: on).")
  private Optional<String> nameCheck = Optional.empty();

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description =
          "File with the lines user: and password:, or the line token:. Alternatives:"
              + " QUORATE_USER and QUORATE_PASSWORD, or QUORATE_TOKEN.")
  private Optional<String> credentials = Optional.empty();

  /** Returns the given options by the names of their system properties. */
  public Map<String, String> given() {
    Map<String, String> given = new LinkedHashMap<>();
    authority.ifPresent(value -> given.put("tls.ca", value));
    certificate.ifPresent(value -> given.put("tls.certificate", value));
    key.ifPresent(value -> given.put("tls.key", value));
    nameCheck.ifPresent(value -> given.put("tls.name-check", value));
    credentials.ifPresent(value -> given.put("credentials", value));
    return given;
  }

  /**
   * Returns the access, with the secrets of files and of these variables.
   *
   * @throws io.quorate.QuorateException with all problems
   */
  public Access access(Store database, Map<String, String> environment) {
    Properties properties = new Properties();
    given().forEach(properties::setProperty);
    return RunSettings.of(properties).servers().access().access(database, environment);
  }
}
