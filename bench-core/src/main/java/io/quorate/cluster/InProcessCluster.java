// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.util.List;
import java.util.Optional;

/** The one member of a store in this JVM. Its endpoint is never connected to. */
record InProcessCluster(Store database) implements Cluster {
  @Override
  public List<Member> members() {
    return List.of(Member.elsewhere(1, database.id() + "-1", new Endpoint("127.0.0.1", 1)));
  }

  @Override
  public Optional<Member> leader() {
    return members().stream().findFirst();
  }

  /** Returns an empty string, as such a store has no version. */
  @Override
  public String version() {
    return "";
  }
}
