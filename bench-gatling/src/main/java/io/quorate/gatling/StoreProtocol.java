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
import java.util.function.Function;

/**
 * The cluster that the actions of a simulation use, and how: to be passed to {@code protocols}.
 * Immutable; each method returns another protocol. Connections are opened when the simulation
 * starts; it does not start if a server cannot be reached.
 */
public final class StoreProtocol extends Described<StoreProtocol> implements ProtocolBuilder {
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

  /** Its place in a simulation. */
  private final Function<StoreProtocol, StoreKey.Place> place;

  StoreProtocol(
      Store store, List<Endpoint> endpoints, Function<StoreProtocol, StoreKey.Place> place) {
    this.store = store;
    this.endpoints = List.copyOf(endpoints);
    this.place = place;
  }

  /** Sets the time after which a request fails with {@code timeout}; 5 s by default. */
  public StoreProtocol requestTimeout(Duration timeout) {
    return with(copy -> copy.requestTimeout = timeout);
  }

  /**
   * Lets all users share a number of connections, spread over the members; 1 by default. A
   * connection to Consul carries one request at a time, so that others wait for it.
   */
  public StoreProtocol connections(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("found " + number + " connections, expected 1 or more");
    }
    return with(copy -> copy.connections = number);
  }

  /**
   * Gives each user a separate connection, which is opened by its first request and closed at its
   * end. The latency of the first request includes that.
   */
  public StoreProtocol connectionPerUser() {
    return with(copy -> copy.connections = 0);
  }

  /**
   * Chooses the members to connect to; all by default. Who leads is asked once, at the beginning.
   *
   * @throws IllegalArgumentException for {@link Routing#NEAREST}, as no zones are known here
   */
  public StoreProtocol routing(Routing members) {
    if (members == Routing.NEAREST) {
      throw new IllegalArgumentException("found nearest, expected a routing without zones");
    }
    return with(copy -> copy.routing = members);
  }

  /**
   * Lets connections move to another member when theirs fails. Requests that are in flight then
   * fail; nothing is sent twice. By default a connection waits for its member.
   */
  public StoreProtocol failover() {
    return with(copy -> copy.failover = true);
  }

  /** Sets when the store ends a session whose client has died; 15 s by default. */
  public StoreProtocol sessionTtl(Duration ttl) {
    if (!store.sessions().orElseThrow().grants(ttl)) {
      throw new IllegalArgumentException("%s grants no sessions of %s".formatted(store, ttl));
    }
    return with(copy -> copy.sessionTtl = ttl);
  }

  /** Connects over TLS, and trusts the authorities in a file of certificates in PEM. */
  public StoreProtocol tls(String authority) {
    return with(
        copy -> copy.tls = Optional.of(new TlsFiles(Path.of(authority), Optional.empty(), true)));
  }

  /** Connects over TLS with a certificate of the client and its key, in files in PEM. */
  public StoreProtocol tls(String authority, String certificate, String key) {
    var identity = Optional.of(new TlsFiles.Identity(Path.of(certificate), Path.of(key)));
    return with(copy -> copy.tls = Optional.of(new TlsFiles(Path.of(authority), identity, true)));
  }

  /** Sets the user and the password of all connections; for etcd and ZooKeeper. */
  public StoreProtocol credentials(String user, String password) {
    return login(new Login.Password(user, password));
  }

  /** Sets the ACL token of all connections; for Consul. */
  public StoreProtocol token(String token) {
    return login(new Login.Token(token));
  }

  private StoreProtocol login(Login known) {
    if (store.login() != known.kind()) {
      throw new IllegalArgumentException(
          "%s expects %s, found %s".formatted(store, store.login(), known.kind()));
    }
    return with(copy -> copy.login = known);
  }

  /** Loads the files of TLS; fails with a line for each that cannot be used. */
  Access access() {
    return new Access(tls.map(files -> ClientTls.load(files, Instant.now())), login);
  }

  @Override
  public Protocol protocol() {
    return place.apply(this);
  }

  @Override
  public String toString() {
    return store + " at " + endpoints;
  }
}
