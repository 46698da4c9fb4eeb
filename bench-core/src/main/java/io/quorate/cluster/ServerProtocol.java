package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.driver.Database;
import io.quorate.driver.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How a server of one store is asked how it is. */
interface ServerProtocol {
  Duration TIMEOUT = Duration.ofSeconds(3);

  /**
   * Asks one server.
   *
   * @throws IOException if it does not answer, or not as such a server does
   */
  ServerState ask(Endpoint endpoint, Duration timeout) throws IOException;

  /** The member that says that it leads; empty when none does. */
  default Optional<Member> leader(List<Member> members) {
    return members.stream()
        .filter(
            member -> {
              try {
                return ask(member.endpoint(), TIMEOUT).leads();
              } catch (IOException silent) {
                return false;
              }
            })
        .findFirst();
  }

  /**
   * The version that the first member reports which answers.
   *
   * @throws QuorateException if none answers
   */
  default String version(Database database, List<Member> members) {
    List<String> refusals = new ArrayList<>();
    for (Member member : members) {
      try {
        ServerState state = ask(member.endpoint(), TIMEOUT);
        if (!state.version().isEmpty()) {
          return state.version();
        }
        refusals.add(member.endpoint() + " (" + state.said() + ")");
      } catch (IOException silent) {
        refusals.add(member.endpoint() + " (" + silent.getMessage() + ")");
      }
    }
    throw new QuorateException(
        "no " + database.title() + " server answers: " + String.join(", ", refusals));
  }

  /** That of a store which has servers. */
  static ServerProtocol of(Database database) {
    return switch (database) {
      case ETCD -> new EtcdProtocol();
      case ZOOKEEPER -> new ZooKeeperProtocol();
      case CONSUL, ZETCD, CETCD -> throw new QuorateException("not yet: clusters of " + database);
      case MEMORY -> throw new IllegalArgumentException("there are no servers of " + database);
    };
  }
}
