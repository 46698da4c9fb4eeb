package io.quorate.store.consul;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.DriverSettings;
import io.quorate.store.KeyValueDriver;
import io.quorate.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * What talks to Consul, as the system property {@code consul.client} says. Why the first one is the
 * default is in the guide, semantics.md.
 */
public enum ConsulClient {
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
   * @throws QuorateException if it names none, or as {@link Store#open}
   */
  public static KeyValueDriver open(DriverSettings settings) {
    return named(System.getProperty(PROPERTY, HTTP.id)).opener.apply(settings);
  }

  /**
   * Returns the client of that name.
   *
   * @throws QuorateException if there is none; says which there are
   */
  public static ConsulClient named(String id) {
    return Arrays.stream(values())
        .filter(client -> client.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new QuorateException(
                    "%s %s: expected one of %s%s"
                        .formatted(
                            PROPERTY,
                            VisibleText.quoted(id),
                            Arrays.toString(values()),
                            Spelling.hint(ids(), id))));
  }

  private static List<String> ids() {
    return Arrays.stream(values()).map(ConsulClient::toString).toList();
  }

  @Override
  public String toString() {
    return id;
  }
}
