package io.quorate.cluster;

import io.quorate.driver.Database;
import io.quorate.driver.Endpoint;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Servers that somebody else runs: they are asked, never started, watched or stopped. */
public final class GivenCluster implements Cluster {
  private final Database database;
  private final List<Member> members;
  private final MemberProtocol protocol;

  private GivenCluster(Database database, List<Member> members) {
    this.database = database;
    this.members = members;
    this.protocol = new MemberProtocol(database);
  }

  /**
   * The members that listen at these endpoints, numbered in this order.
   *
   * @throws io.quorate.QuorateException if none of them answers, with what became of each question
   */
  public static Cluster of(Database database, List<Endpoint> endpoints) {
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one endpoint");
    }
    if (database == Database.MEMORY) {
      return new MemoryCluster();
    }
    GivenCluster cluster =
        new GivenCluster(
            database,
            IntStream.range(0, endpoints.size())
                .mapToObj(
                    index ->
                        Member.elsewhere(
                            index + 1, database.id() + "-" + (index + 1), endpoints.get(index)))
                .toList());
    cluster.version();
    return cluster;
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public List<Member> members() {
    return members;
  }

  @Override
  public Optional<Member> leader() {
    return protocol.leader(members);
  }

  @Override
  public String version() {
    return protocol.version(members);
  }

  @Override
  public List<String> failures() {
    return List.of();
  }

  @Override
  public void close() {}
}
