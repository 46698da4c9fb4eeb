// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.store.server.StoreServers;
import io.quorate.store.server.ToolVariables;
import io.quorate.stores.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Completes the options of an existing cluster from the environment variables of its store's own
 * tool: all of them for {@code --endpoints env}, and those for TLS and login for addresses with
 * {@code http://} or {@code https://}. Other addresses, and runs without addresses, do not use
 * these variables.
 */
final class ToolOptions {
  /** The value of the option whose addresses come from a variable. */
  static final String FROM_VARIABLE = "env";

  static final String ENDPOINTS = "endpoints";
  private static final String HTTPS = "https://";
  private static final String SCHEME = "(?s)(?i)\\s*https?://.*";

  /** Files with the authorities of a system, where Go's programs, such as etcdctl, find them. */
  private static final List<String> AUTHORITIES =
      List.of(
          "/etc/ssl/certs/ca-certificates.crt",
          "/etc/pki/tls/certs/ca-bundle.crt",
          "/etc/ssl/ca-bundle.pem",
          "/etc/ssl/cert.pem");

  private final Map<String, String> environment;
  private final List<String> used = new ArrayList<>();

  private ToolOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Completes the options, by the names of their properties.
   *
   * @param say receives a line with the names of variables that are used
   * @throws QuorateException if the addresses are in no variable
   */
  static void complete(
      Map<? super String, ? super String> options,
      Map<String, String> environment,
      Consumer<String> say) {
    String given = String.valueOf(options.get(ENDPOINTS));
    if (given.equals(FROM_VARIABLE) || given.matches(SCHEME)) {
      Optional<StoreServers> servers =
          Stores.byId(String.valueOf(options.get(RunOptions.DATABASE))).map(Stores::servers);
      new ToolOptions(environment).complete(given, servers, options, say);
    }
  }

  /**
   * Says which variables with the addresses of a cluster are set and not used, as a run without
   * addresses starts its own servers.
   */
  static void tellUnused(Map<?, ?> options, Map<String, String> environment, Consumer<String> say) {
    if (options.containsKey(ENDPOINTS)) {
      return;
    }
    Optional<List<String>> chosen =
        Optional.ofNullable(options.get(RunOptions.DATABASE))
            .map(ids -> List.of(String.valueOf(ids).replaceAll("@[^,]*", "").split(",")));
    for (Store each : Stores.all()) {
      if (chosen.filter(ids -> !ids.contains(each.id())).isPresent()) {
        continue;
      }
      Stores.servers(each)
          .toolVariables()
          .map(ToolVariables::endpoints)
          .filter(name -> ToolVariables.value(environment, name).isPresent())
          .ifPresent(
              name ->
                  say.accept(
                      "%s is set and not used, as this run starts its own servers; '--endpoints env --database %s' measures that cluster"
                          .formatted(name, each.id())));
    }
  }

  private void complete(
      String given,
      Optional<StoreServers> servers,
      Map<? super String, ? super String> options,
      Consumer<String> say) {
    Optional<ToolVariables> tool = servers.flatMap(StoreServers::toolVariables);
    String addresses =
        given.equals(FROM_VARIABLE)
            ? tool.flatMap(each -> value(each.endpoints())).orElseThrow(() -> missing(tool))
            : given;
    boolean named = addresses.matches(SCHEME);
    boolean secured =
        named
            ? addresses.strip().regionMatches(true, 0, HTTPS, 0, HTTPS.length())
            : tool.orElseThrow().secured().apply(environment);
    String scheme = named ? "" : secured ? HTTPS : "http://";
    options.put(
        ENDPOINTS,
        Arrays.stream(addresses.split(",", -1))
            .map(each -> scheme + each.strip())
            .collect(Collectors.joining(",")));
    if (secured) {
      boolean none =
          Stream.of(AccessOptions.AUTHORITY, AccessOptions.CERTIFICATE, AccessOptions.KEY)
              .noneMatch(options::containsKey);
      if (none && tool.isPresent()) {
        put(options, AccessOptions.AUTHORITY, tool.get().authority());
        put(options, AccessOptions.CERTIFICATE, tool.get().certificate());
        put(options, AccessOptions.KEY, tool.get().key());
      }
      if (!options.containsKey(AccessOptions.AUTHORITY)) {
        options.put(AccessOptions.AUTHORITY, systemAuthorities());
      }
    }
    boolean loggedIn =
        options.containsKey(AccessOptions.CREDENTIALS)
            || Login.VARIABLES.stream().anyMatch(environment::containsKey);
    if (!loggedIn) {
      tool.ifPresent(each -> each.logins().forEach(this::value));
    }
    if (!used.isEmpty()) {
      say.accept("existing cluster: using " + String.join(", ", used));
    }
  }

  private void put(Map<? super String, ? super String> options, String option, String variable) {
    value(variable).ifPresent(file -> options.put(option, Path.of(file).toAbsolutePath() + ""));
  }

  private Optional<String> value(String variable) {
    Optional<String> value = ToolVariables.value(environment, variable);
    value.ifPresent(any -> used.add(variable));
    return value;
  }

  private static QuorateException missing(Optional<ToolVariables> tool) {
    return new QuorateException(
        tool.map(each -> "--endpoints env: %s is not set".formatted(each.endpoints()))
            .orElse(
                "--endpoints env: takes the addresses from ETCDCTL_ENDPOINTS or CONSUL_HTTP_ADDR:"
                    + " choose one with --database etcd or --database consul"));
  }

  private static String systemAuthorities() {
    return AUTHORITIES.stream()
        .filter(file -> Files.isReadable(Path.of(file)))
        .findFirst()
        .orElseThrow(
            () ->
                new QuorateException(
                    "https: found no authorities of this system: name the file with those of the"
                        + " servers' certificates with --tls-ca FILE"));
  }
}
