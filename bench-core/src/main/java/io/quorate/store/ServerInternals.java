package io.quorate.store;

import io.quorate.store.consul.ConsulInternals;
import io.quorate.store.etcd.EtcdInternals;
import io.quorate.store.zookeeper.ZooKeeperInternals;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What one server says about itself. An object belongs to one server, as some figures are about the
 * time since the last question; it is used by one thread.
 */
public interface ServerInternals {
  /**
   * An answer later than this is none, so that a server in trouble is not asked twice at a time.
   */
  Duration LIMIT = Duration.ofMillis(500);

  /**
   * Asks and waits.
   *
   * @return figures by their names; those that the server does not tell are missing
   * @throws IOException if it does not answer in time, or not as such a server does
   */
  Map<String, Double> ask(Endpoint endpoint, Duration limit) throws IOException;

  /** That of a store whose servers tell something. */
  static Optional<ServerInternals> of(Database database) {
    // by id: which stores there are is nobody's concern who only looks into some of them
    return switch (database.id()) {
      case "etcd" -> Optional.of(new EtcdInternals());
      case "zookeeper" -> Optional.of(new ZooKeeperInternals());
      case "consul" -> Optional.of(new ConsulInternals());
      default -> Optional.empty();
    };
  }
}
