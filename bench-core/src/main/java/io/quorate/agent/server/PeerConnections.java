package io.quorate.agent.server;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connections to an agent. When there are too many, a new one takes the place of one that holds
 * no session, so that nobody is kept out by connections that do nothing. Safe for several threads.
 */
final class PeerConnections {
  /** Sockets allowed per connection: connections that are being closed still have a socket. */
  private static final int SOCKETS_PER_CONNECTION = 2;

  /**
   * Order of eviction: first connections that have not shown that they speak HTTP/2, with a key
   * where one is needed.
   */
  private static final Comparator<PeerConnection> LEAST_TRUSTED_FIRST =
      Comparator.comparing(PeerConnection::isKnown)
          .thenComparingLong(PeerConnection::silentSinceNanos);

  private final ConnectionLimits limits;
  private final Map<InetSocketAddress, PeerConnection> present = new LinkedHashMap<>();

  PeerConnections(ConnectionLimits limits) {
    this.limits = limits;
  }

  /** Admits a new connection; false if it has to be closed at once. */
  synchronized boolean admit(Channel channel) {
    InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
    if (peer == null || present.size() >= SOCKETS_PER_CONNECTION * limits.connections()) {
      return false;
    }
    // one is kept for the load generator that holds the agent
    if (withoutSession().size() + 1 >= limits.connections() && !makeRoom()) {
      return false;
    }
    PeerConnection connection = new PeerConnection(limits);
    present.put(peer, connection);
    channel.pipeline().addFirst(connection);
    channel.closeFuture().addListener(closed -> remove(peer, connection));
    return true;
  }

  private synchronized void remove(InetSocketAddress peer, PeerConnection connection) {
    present.remove(peer, connection);
  }

  private List<Map.Entry<InetSocketAddress, PeerConnection>> withoutSession() {
    return present.entrySet().stream().filter(each -> each.getValue().isWithoutSession()).toList();
  }

  /** Closes a connection of the address that has the most. */
  private boolean makeRoom() {
    Map<Object, List<PeerConnection>> byAddress = new HashMap<>();
    for (Map.Entry<InetSocketAddress, PeerConnection> each : withoutSession()) {
      byAddress
          .computeIfAbsent(each.getKey().getAddress(), first -> new ArrayList<>())
          .add(each.getValue());
    }
    return byAddress.values().stream()
        .max(Comparator.comparingInt(Collection::size))
        .flatMap(all -> all.stream().min(LEAST_TRUSTED_FIRST))
        .filter(PeerConnection::closeIfWithoutSession)
        .isPresent();
  }

  /** Returns the connection from an address; empty if it is gone already. */
  synchronized Optional<PeerConnection> from(InetSocketAddress peer) {
    return Optional.ofNullable(present.get(peer));
  }

  /** Closes connections that have been open for too long without a session. */
  synchronized void closeOverdue() {
    long now = System.nanoTime();
    long limit = limits.withoutSession().toNanos();
    present.values().stream()
        .filter(each -> now - each.silentSinceNanos() > limit)
        .forEach(PeerConnection::closeIfWithoutSession);
  }
}
