// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A server that is to be started: a member, or a part of one.
 *
 * @param index index of its member, from 1
 * @param address host and ports: first the port for clients, then as many others as it needs
 * @param data directory of its member, in which it runs
 * @param behind endpoint of the server of the same member that this one fronts
 * @param keys keys for TLS; empty for plain text
 * @param clientHost IPv4 address at which clients reach it, at its port for them
 * @param peerHost IPv4 address at which its peers reach it, at its other ports
 * @param pipedLog whether its log passes a pipe that can be blocked; it then logs every request
 *     (level debug), so that the pipe becomes full
 */
public record ServerPlan(
    ServerKind kind,
    int index,
    MemberAddress address,
    Path data,
    Path log,
    Optional<Endpoint> behind,
    ServerSettings settings,
    Optional<MemberKeys> keys,
    String clientHost,
    String peerHost,
    boolean pipedLog) {
  public String name() {
    return kind.id() + "-" + index;
  }

  public String host() {
    return address.host();
  }

  /** Returns one of its ports by its number, from 0; the first is for clients. */
  public int port(int number) {
    return address.ports().get(number);
  }

  public Endpoint endpoint() {
    return new Endpoint(host(), port(0));
  }

  /** Returns the endpoint to which its clients connect: its own, or the endpoint of a relay. */
  public Endpoint clients() {
    return new Endpoint(clientHost, port(0));
  }
}
