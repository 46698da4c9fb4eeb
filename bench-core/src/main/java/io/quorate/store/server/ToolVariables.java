// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.store.Login;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The environment variables from which a store's own tool takes its cluster.
 *
 * @param endpoints variable with addresses of members
 * @param secured returns whether addresses without a scheme are reached over TLS
 * @param authority variable with the file of the servers' authorities
 * @param certificate variable with the file of the client's certificate
 * @param key variable with the file of its key
 * @param logins variables of {@code login}
 * @param login returns the login in the variables; empty without one
 */
public record ToolVariables(
    String endpoints,
    Function<Map<String, String>, Boolean> secured,
    String authority,
    String certificate,
    String key,
    List<String> logins,
    Function<Map<String, String>, Optional<Login>> login) {
  /** Returns a value that is set and not empty. */
  public static Optional<String> value(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
  }
}
