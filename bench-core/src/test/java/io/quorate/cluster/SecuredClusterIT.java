// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.ClientKind;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.ClientTls;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clusters of one member that speaks TLS, and those who want to get in. {@link
 * RenewedCertificateIT} tests members that speak TLS with each other.
 */
class SecuredClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void etcd_lets_in_only_who_has_certificate_and_password() throws IOException {
    Cluster cluster = shared(EtcdStore.STORE);
    Login wrong = new Login.Password("root", "wrong");
    assertRefused(
        cluster,
        new Access(cluster.access().tls(), wrong),
        "it takes no such user and password (etcdserver: authentication failed, invalid user ID"
            + " or password): check both");
    assertRefused(
        cluster,
        new Access(cluster.access().tls(), Login.NONE),
        "it accepts only users with a password: pass yours with --credentials FILE");
    assertStrangersAreRefused(cluster);
  }

  @Test
  @RequiresDatabase("consul")
  void consul_lets_in_only_who_has_certificate_and_token() throws IOException {
    Cluster cluster = shared(ConsulStore.STORE);
    Login wrong = new Login.Token("11111111-2222-3333-4444-555555555555");
    assertRefused(
        cluster,
        new Access(cluster.access().tls(), wrong),
        "it does not take the token, or does not let its owner read keys: check the token and its"
            + " policy, which needs key_prefix \"quorate/\" with write");
    assertRefused(
        cluster,
        new Access(cluster.access().tls(), Login.NONE),
        "it accepts only clients with a token: pass yours with --credentials FILE");
    assertStrangersAreRefused(cluster);
  }

  @Test
  void zookeeper_lets_in_only_who_has_a_certificate() throws IOException {
    assertStrangersAreRefused(shared(ZooKeeperStore.STORE));
  }

  /** Returns a cluster after checking what is true of all. */
  private static Cluster shared(Store database) throws IOException {
    Cluster cluster = SharedCluster.of(database, 1, Security.TLS);
    Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
    assertThat(cluster.version()).isNotEmpty();
    assertThat(cluster.access().security()).isEqualTo(Security.TLS);
    ServerInternals internals = Stores.servers(database).internals().orElseThrow();
    assertThat(internals.ask(endpoint(cluster), cluster.access(), LIMIT)).isNotEmpty();
    assertThat(ExternalCluster.of(database, List.of(endpoint(cluster)), cluster.access()).version())
        .isEqualTo(cluster.version());
    assertOnlyWeMayRead(
        cluster.members().get(0).dataDirectory().orElseThrow().resolveSibling("keys"));
    return cluster;
  }

  private static Endpoint endpoint(Cluster cluster) {
    return cluster.members().get(0).endpoint();
  }

  private static void assertOnlyWeMayRead(Path keys) throws IOException {
    try (Stream<Path> files = Files.walk(keys)) {
      for (Path each : files.toList()) {
        assertThat(Files.getPosixFilePermissions(each).toString())
            .as(each.toString())
            .doesNotContain("GROUP")
            .doesNotContain("OTHERS");
      }
    }
  }

  private void assertStrangersAreRefused(Cluster cluster) throws IOException {
    TlsFiles ours = cluster.access().tls().orElseThrow().files();
    Login login = cluster.access().login();
    Path theirs = directory.resolve("theirs");
    new CertificateAuthority("another", Instant.now(), Duration.ofDays(1))
        .issue("CN=stranger", CertificateAuthority.Purpose.CLIENT, List.of())
        .write(theirs, "client");
    TlsFiles.Identity stranger = TlsFiles.in(theirs, "client").identity().orElseThrow();

    assertRefused(cluster, Access.PLAIN, "it speaks TLS: name the certificate of its authority");
    assertRefused(
        cluster,
        access(new TlsFiles(theirs.resolve("ca.crt"), ours.identity(), true), login),
        "its certificate is not from an authority in the file of --tls-ca: name the file with the"
            + " authority that issued it");
    assertRefused(
        cluster,
        access(new TlsFiles(ours.authority(), Optional.empty(), true), login),
        "it accepts only clients with a certificate: name yours with --tls-certificate and"
            + " --tls-key");
    assertRefused(
        cluster,
        access(new TlsFiles(ours.authority(), Optional.of(stranger), true), login),
        "it does not accept the certificate: use one that its authority has issued for "
            + "clients");
    Endpoint byName = new Endpoint("localhost", endpoint(cluster).port());
    assertThatThrownBy(
            () -> ExternalCluster.of(cluster.database(), List.of(byName), cluster.access()))
        .hasMessageContaining(
            "its certificate is for another name: give the endpoint as the certificate has it, or"
                + " turn the check off with --tls-name-check=off");
    Access anyName = access(new TlsFiles(ours.authority(), ours.identity(), false), login);
    assertServes(cluster.database(), byName, anyName);
    assertRefused(
        cluster,
        access(new TlsFiles(theirs.resolve("ca.crt"), ours.identity(), false), login),
        "its certificate is not from an authority in the file of --tls-ca");
  }

  private static void assertServes(Store database, Endpoint endpoint, Access access) {
    assertThat(ExternalCluster.of(database, List.of(endpoint), access).version()).isNotEmpty();
    DriverSettings settings = new DriverSettings(endpoint, LIMIT, LIMIT, access);
    for (ClientKind kind : database.clients()) {
      if (checksNameAlways(kind) && !access.tls().orElseThrow().files().checksName()) {
        try (StoreClient client = kind.start()) {
          assertThatThrownBy(() -> client.open(settings))
              .hasMessageStartingWith(
                  "--tls-name-check=off: ZooKeeper's library always checks the name; leave it out");
        }
        continue;
      }
      try (StoreClient client = kind.start();
          Connection connection = client.open(settings)) {
        RecordedCompletion written = new RecordedCompletion();
        byte[] key = ("by-" + kind).getBytes(StandardCharsets.UTF_8);
        connection.submit(Request.create(key, key), written);
        assertThat(written.outcome()).as(kind + written.message()).isEqualTo("written");
      }
    }
  }

  private static boolean checksNameAlways(ClientKind kind) {
    return Set.of("zookeeper", "curator").contains(kind.id());
  }

  private static Access access(TlsFiles files, Login login) {
    return Access.over(ClientTls.load(files, Instant.now()), login);
  }

  private static void assertRefused(Cluster cluster, Access access, String problem) {
    assertThatThrownBy(
            () -> ExternalCluster.of(cluster.database(), List.of(endpoint(cluster)), access))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(endpoint(cluster).toString())
        .hasMessageContaining(problem)
        .message()
        .doesNotContain("\n");
  }

  @Test
  @RequiresDatabase("etcd")
  void a_server_in_plain_text_is_told_from_one_with_tls() throws IOException {
    Path keys = directory.resolve("keys");
    new CertificateAuthority("ours", Instant.now(), Duration.ofDays(1))
        .issue("CN=me", CertificateAuthority.Purpose.CLIENT, List.of())
        .write(keys, "client");
    Cluster plain = SharedCluster.of(EtcdStore.STORE);
    assertRefused(
        plain,
        access(TlsFiles.in(keys, "client"), Login.NONE),
        "it ended the connection at the TLS handshake: it does not speak TLS there (then "
            + "leave out --tls-ca), or does not accept the certificate");
    assertRefused(
        plain,
        new Access(Optional.empty(), new Login.Password("root", "x")),
        "it has no users: remove user and password");
    assertThat(HttpResponseText.get(endpoint(plain), Access.PLAIN, "/health", LIMIT).status())
        .isEqualTo(200);
  }
}
