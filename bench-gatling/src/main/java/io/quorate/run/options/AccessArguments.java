// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The options for access to an existing cluster, of commands other than {@code run}. */
public final class AccessArguments {
  @Option(
      names = {"--tls-ca", "--cacert"},
      paramLabel = "FILE")
  private Optional<String> authority = Optional.empty();

  @Option(
      names = {"--tls-certificate", "--cert"},
      paramLabel = "FILE")
  private Optional<String> certificate = Optional.empty();

  @Option(
      names = {"--tls-key", "--key"},
      paramLabel = "FILE")
  private Optional<String> key = Optional.empty();

  @Option(names = "--tls-name-check", paramLabel = "ON_OFF")
  private Optional<String> nameCheck = Optional.empty();

  @Option(names = "--credentials", paramLabel = "FILE")
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
   * A cluster that a user has named.
   *
   * @param chroot beginning of all its keys; usually empty
   */
  public record NamedCluster(List<Endpoint> endpoints, String chroot, Access access) {}

  /**
   * Returns the cluster at these addresses, with the secrets of files and of these variables.
   *
   * @param say receives warnings, and the names of variables that are used
   * @throws io.quorate.QuorateException with all problems
   */
  public NamedCluster cluster(
      Store database, String addresses, Map<String, String> environment, Consumer<String> say) {
    Properties properties = new Properties();
    given().forEach(properties::setProperty);
    properties.setProperty(ToolOptions.ENDPOINTS, addresses);
    properties.setProperty(RunOptions.DATABASE, database.id());
    ToolOptions.complete(properties, environment, say);
    ServerOptions servers = RunSettings.of(properties).servers();
    servers.requirePath(database);
    servers.access().warnings().forEach(say);
    return new NamedCluster(
        servers.endpoints(), servers.chroot(), servers.access().access(database, environment));
  }
}
