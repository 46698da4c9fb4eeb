package io.quorate.cluster;

import io.quorate.install.Installation;
import java.nio.file.Path;
import java.util.Map;

final class TestSettings {
  private TestSettings() {}

  static ClusterSettings ofThisUser() {
    return ClusterSettings.defaults(Installation.ofThisUser());
  }

  /** With a stand-in for etcd. */
  static ClusterSettings withEtcd(Path executable) {
    return ClusterSettings.defaults(
        new Installation(Map.of("QUORATE_ETCD", executable.toString()), Path.of("/nowhere")));
  }
}
