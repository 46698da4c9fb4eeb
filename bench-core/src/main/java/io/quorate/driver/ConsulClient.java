package io.quorate.driver;

import io.quorate.QuorateException;
import java.util.Arrays;
import java.util.function.Function;

/**
 * What talks to Consul, as the system property {@code consul.client} says. Why the first one is the
 * default is in the guide, semantics.md.
 */
enum ConsulClient {
  /** A connection of our own. */
  HTTP("http", ConsulDriver.opener("consul", ConsulDriver.Probe.LEADER)),
  /** Consul's Java client library. */
  LIBRARY("library", ConsulLibraryConnection.opener());

  private static final String PROPERTY = "consul.client";

  private final String id;
  private final Function<DriverSettings, KeyValueDriver> opener;

  ConsulClient(String id, Function<DriverSettings, KeyValueDriver> opener) {
    this.id = id;
    this.opener = opener;
  }

  /**
   * Opens a connection through the client that the property names when that is done.
   *
   * @throws QuorateException if it names none, or as {@link Database#open}
   */
  static KeyValueDriver open(DriverSettings settings) {
    return named(System.getProperty(PROPERTY, HTTP.id)).opener.apply(settings);
  }

  private static ConsulClient named(String id) {
    return Arrays.stream(values())
        .filter(client -> client.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new QuorateException(
                    PROPERTY + " '" + id + "': expected one of " + Arrays.toString(values())));
  }

  @Override
  public String toString() {
    return id;
  }
}
