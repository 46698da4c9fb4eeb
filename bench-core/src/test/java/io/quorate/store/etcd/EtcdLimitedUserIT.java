// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.ExternalCluster;
import io.quorate.cluster.LocalCluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.Script;
import io.quorate.install.Installation;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.LimitedUser;
import io.quorate.store.Login;
import io.quorate.store.Security;
import io.quorate.store.server.JavaRuntime;
import io.quorate.stores.Stores;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.ClientTls;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user of etcd with a role for the keys of runs, whose certificate has a common name. */
@RequiresDatabase("etcd")
class EtcdLimitedUserIT {
  @TempDir private Path directory;

  /** Starts an etcd that takes certificates of a further authority. */
  private Cluster start(Path authority) {
    Installation ours = Installation.of(System.getenv(), System.getProperties());
    Path etcd =
        ours.find(Stores.servers(EtcdStore.STORE).programs().get(0)).orElseThrow().executable();
    Path both = directory.resolve("both.crt");
    Path trusting =
        Script.write(
            directory.resolve("bin/etcd"),
            """
            for each in "$@"; do
              [ "$before" = --trusted-ca-file ] && cat "$each" '%s' > '%s'
              before=$each
            done
            [ -e '%s' ] && exec '%s' "$@" --trusted-ca-file '%s'
            exec '%s' "$@"
            """
                .formatted(authority, both, both, etcd, both, etcd));
    Installation installation =
        new Installation(
            Map.of("QUORATE_ETCD", trusting.toString()),
            Path.of("/nowhere"),
            JavaRuntime.of(System.getProperties()));
    return LocalCluster.start(
        EtcdStore.STORE,
        1,
        directory.resolve("run"),
        ClusterSettings.defaults(installation).withSecurity(Security.TLS));
  }

  @Test
  void runs_with_a_password_and_a_certificate_that_has_a_common_name() throws IOException {
    Path keys = directory.resolve("keys");
    new CertificateAuthority("another", Instant.now(), Duration.ofDays(1))
        .issue("CN=somebody", CertificateAuthority.Purpose.CLIENT, List.of())
        .write(keys, "client");
    TlsFiles named = TlsFiles.in(keys, "client");
    try (Cluster cluster = start(named.authority())) {
      Endpoint server = cluster.members().get(0).endpoint();
      Login login = new EtcdAdministrator(server, cluster.access()).addUser();
      TlsFiles servers = cluster.access().tls().orElseThrow().files();
      TlsFiles files = new TlsFiles(servers.authority(), named.identity(), true);
      Access withName = Access.over(ClientTls.load(files, Instant.now()), login);

      new LimitedUser(EtcdStore.STORE, server, withName).runs();
      new LimitedUser(EtcdStore.STORE, server, new Access(cluster.access().tls(), login)).runs();

      assertThatThrownBy(
              () -> ExternalCluster.of(EtcdStore.STORE, List.of(server), withName, "other/it/"))
          .hasMessageContaining(
              "its user may not read keys that begin with other/it/: give it a role with readwrite"
                  + " on this prefix, or on quorate/");
    }
  }
}
