package io.quorate.cluster;

import io.quorate.store.Database;
import io.quorate.store.Endpoint;
import java.util.List;
import java.util.Optional;

/**
 * The one member, without a process, of the map in this JVM. Its endpoint is never connected to.
 */
final class MemoryCluster implements Cluster {
  private static final Member MEMBER =
      Member.elsewhere(1, Database.MEMORY.id() + "-1", new Endpoint("127.0.0.1", 1));

  @Override
  public Database database() {
    return Database.MEMORY;
  }

  @Override
  public List<Member> members() {
    return List.of(MEMBER);
  }

  @Override
  public Optional<Member> leader() {
    return Optional.of(MEMBER);
  }

  /** It has none of its own. */
  @Override
  public String version() {
    return "";
  }

  @Override
  public List<String> failures() {
    return List.of();
  }

  @Override
  public void close() {}
}
