package io.quorate.cluster;

import io.quorate.store.Security;
import io.quorate.store.Store;
import java.nio.file.Path;

/** Local clusters of what this user has installed. */
public final class TestServers {
  private TestServers() {}

  /** Starts one that speaks TLS, or does not. */
  public static Cluster start(Store database, int members, Path directory, Security security) {
    ClusterSettings settings = TestSettings.ofThisUser().withSecurity(security);
    return LocalCluster.start(database, members, directory, settings);
  }

  /** Starts one as {@link LocalCluster} does, with the usual settings. */
  public static Cluster start(Store database, int members, Path directory) {
    return LocalCluster.start(database, members, directory, TestSettings.ofThisUser());
  }
}
