// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.core.protocol.Protocol;
import io.gatling.javaapi.core.ProtocolBuilder;
import io.quorate.scenario.Routing;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.tls.ClientTls;
import io.quorate.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The cluster that the actions of a simulation use, and how: to be passed to {@code protocols}.
 * Immutable; each method returns another protocol. Connections are opened when the simulation
 * starts; it does not start if a server cannot be reached.
 *
 * @param <P> the protocol of one store
 */
public abstract class StoreProtocol<P extends StoreProtocol<P>>
    implements Protocol, ProtocolBuilder, Cloneable {
  final Store store;
  final List<Endpoint> endpoints;
  Duration requestTimeout = Duration.ofSeconds(5);

  /** Number of connections that all users share; 0 for one connection of each user. */
  int connections = 1;

  Routing routing = Routing.SPREAD;
  boolean failover;
  Duration sessionTtl = Duration.ofSeconds(15);
  Optional<TlsFiles> tls = Optional.empty();
  Login login = Login.NONE;

  /** Creates a protocol; one without endpoints is the absence of a protocol. */
  StoreProtocol(Store store, List<Endpoint> endpoints) {
    this.store = store;
    this.endpoints = List.copyOf(endpoints);
  }

  /** Returns a copy with a change. */
  @SuppressWarnings("unchecked") // a protocol is the only one of its class
  final P with(Consumer<P> change) {
    try {
      P copy = (P) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Sets the time after which a request fails with {@code timeout}; 5 s by default. */
  public final P requestTimeout(Duration timeout) {
    return with(copy -> copy.requestTimeout = timeout);
  }

  /**
   * Lets all users share a number of connections, spread over the members; 1 by default. A
   * connection to Consul carries one request at a time, so that others wait for it.
   */
  public final P connections(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("found " + number + " connections, expected 1 or more");
    }
    return with(copy -> copy.connections = number);
  }

  /**
   * Gives each user a separate connection, which is opened by its first request and closed at its
   * end. The latency of the first request includes that.
   */
  public final P connectionPerUser() {
    return with(copy -> copy.connections = 0);
  }

  /**
   * Chooses the members to connect to; all by default. Who leads is asked once, at the beginning.
   */
  public final P routing(Routing members) {
    return with(copy -> copy.routing = members);
  }

  /**
   * Lets connections move to another member when theirs fails. Requests that are in flight then
   * fail; nothing is sent twice. By default a connection waits for its member.
   */
  public final P failover() {
    return with(copy -> copy.failover = true);
  }

  /** Sets when the store ends a session whose client has died; 15 s by default. */
  public final P sessionTtl(Duration ttl) {
    if (!store.sessions().orElseThrow().grants(ttl)) {
      throw new IllegalArgumentException("%s grants no sessions of %s".formatted(store, ttl));
    }
    return with(copy -> copy.sessionTtl = ttl);
  }

  /** Connects over TLS, and trusts the authorities in a file of certificates in PEM. */
  public final P tls(String authority) {
    return with(
        copy -> copy.tls = Optional.of(new TlsFiles(Path.of(authority), Optional.empty(), true)));
  }

  /** Connects over TLS with a certificate of the client and its key, in files in PEM. */
  public final P tls(String authority, String certificate, String key) {
    var identity = Optional.of(new TlsFiles.Identity(Path.of(certificate), Path.of(key)));
    return with(copy -> copy.tls = Optional.of(new TlsFiles(Path.of(authority), identity, true)));
  }

  /** Loads the files of TLS; fails with a line for each that cannot be used. */
  final Access access() {
    return new Access(tls.map(files -> ClientTls.load(files, Instant.now())), login);
  }

  @Override
  public final Protocol protocol() {
    return this;
  }

  @Override
  public final String toString() {
    return store + " at " + endpoints;
  }
}
