// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.QuorateException;
import io.quorate.store.Capabilities;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.WatchSupport;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.SharedTls;
import java.time.Duration;
import java.util.List;

/** A client whose connections share event loops, one clock for their deadlines, and TLS. */
class ZooKeeperClient implements StoreClient {
  final String id;
  final Capabilities capabilities;
  final Deadlines deadlines;
  private final WatchSupport watches;
  private final EventLoops loops;
  private final SharedTls tls = new SharedTls();
  private NodeLayout whole;
  volatile NodeLayout layout;

  ZooKeeperClient(String id, NodeLayout layout, Capabilities capabilities, WatchSupport watches) {
    this.id = id;
    this.whole = layout;
    this.layout = layout;
    this.capabilities = capabilities;
    this.watches = watches;
    this.deadlines = new Deadlines(id + "-deadlines");
    this.loops = EventLoops.ofSockets(id + "-connection");
  }

  @Override
  public Connection open(DriverSettings settings) {
    var session = prepared(settings, ZooKeeperConnection.Listener.NONE);
    return new ZooKeeperDriver(settings, session, layout, capabilities, deadlines);
  }

  @Override
  public Subscriptions subscribe(DriverSettings settings) {
    var stream = new ZooKeeperStream(layout, watches);
    stream.begin(prepared(settings, stream));
    return stream;
  }

  @Override
  public Sessions sessions(List<DriverSettings> members, Duration ttl) {
    return new ZooKeeperSessions(members, ttl, loops, tls.of(members.get(0)), () -> layout);
  }

  @Override
  public void group(int digits) {
    whole = new NodeLayout.Groups(digits);
    layout = whole;
  }

  @Override
  public void enter(DriverSettings settings, String prefix) {
    try (var session = unprepared(settings, ZooKeeperConnection.Listener.NONE)) {
      new KeyNodes(session, prefix).create();
    }
    layout = layout.below(prefix);
  }

  @Override
  public boolean leave(DriverSettings settings, String prefix) {
    try (var session = unprepared(settings, ZooKeeperConnection.Listener.NONE)) {
      new KeyNodes(session, prefix).remove();
    }
    layout = whole;
    return true;
  }

  @Override
  public List<String> nodes(DriverSettings settings, String prefix) {
    try (var session = unprepared(settings, ZooKeeperConnection.Listener.NONE)) {
      return new KeyNodes(session, prefix).below();
    }
  }

  private ZooKeeperConnection unprepared(
      DriverSettings settings, ZooKeeperConnection.Listener listener) {
    return ZooKeeperConnection.open(id, settings, loops, tls.of(settings), listener);
  }

  /** Opens a session, and creates the parent nodes of keys. */
  private ZooKeeperConnection prepared(
      DriverSettings settings, ZooKeeperConnection.Listener listener) {
    var session = unprepared(settings, listener);
    try {
      layout.prepare(session);
      return session;
    } catch (QuorateException failed) {
      session.close();
      throw failed;
    }
  }

  @Override
  public void close() {
    loops.close();
  }
}
