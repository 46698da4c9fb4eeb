package io.quorate.store.consul;

import io.netty.handler.ssl.SslContext;
import io.quorate.store.DriverSettings;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.WatchSupport;
import io.quorate.store.driver.EventLoops;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Watches of Consul, each of which is a blocking query on a connection of its own: HTTP/1.1 carries
 * one request at a time. Listeners run on the event loops of the connections.
 */
final class ConsulStream implements Subscriptions {
  private final DriverSettings settings;
  private final Optional<SslContext> tls;
  private final EventLoops loops;
  private final WatchSupport support;
  private final Queue<ConsulWatch> watches = new ConcurrentLinkedQueue<>();

  ConsulStream(
      DriverSettings settings, Optional<SslContext> tls, EventLoops loops, WatchSupport support) {
    this.settings = settings;
    this.tls = tls;
    this.loops = loops;
    this.support = support;
  }

  @Override
  public void watch(Watch watch, WatchListener listener) {
    support.require(watch);
    watches.add(ConsulWatch.start(settings, tls, loops, watch.key(), listener));
  }

  @Override
  public void close() {
    for (ConsulWatch each = watches.poll(); each != null; each = watches.poll()) {
      each.close();
    }
  }
}
