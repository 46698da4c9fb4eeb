package io.quorate.cluster;

import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.util.List;
import java.util.Optional;

/**
 * The cluster of a store that runs in this JVM, with a single member. Its endpoint is never
 * connected to.
 */
final class InProcessCluster implements Cluster {
  private final Store store;
  private final Member member;

  InProcessCluster(Store store) {
    this.store = store;
    this.member = Member.elsewhere(1, store.id() + "-1", new Endpoint("127.0.0.1", 1));
  }

  @Override
  public Store database() {
    return store;
  }

  @Override
  public List<Member> members() {
    return List.of(member);
  }

  @Override
  public Optional<Member> leader() {
    return Optional.of(member);
  }

  /** Returns an empty string, as such a store has no version. */
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
