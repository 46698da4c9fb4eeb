// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.keeper.ClickHouseKeeperStore;
import io.quorate.store.kine.KineStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.ClientTls;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that remove the keys of a run from an existing cluster. */
class RemovalTest {
  private static final Endpoint SERVER = new Endpoint("10.0.0.1", 2379);
  private static final String PREFIX = "quorate/run/";

  @TempDir private Path directory;

  @Test
  void in_plain_text_a_command_has_the_server_and_the_prefix() {
    assertThat(Stores.servers(EtcdStore.STORE).removal(SERVER, Access.PLAIN, PREFIX))
        .contains("etcdctl --endpoints=http://10.0.0.1:2379 del --prefix quorate/run/");
    for (Store store : List.of(ConsulStore.STORE, CetcdStore.STORE)) {
      assertThat(Stores.servers(store).removal(SERVER, Access.PLAIN, PREFIX))
          .contains("consul kv delete -http-addr=http://10.0.0.1:2379 -recurse quorate/run/");
    }
    // kine refuses it
    assertThat(Stores.servers(KineStore.STORE).removal(SERVER, Access.PLAIN, PREFIX)).isEmpty();
    for (Store store :
        List.of(ZooKeeperStore.STORE, ZetcdStore.STORE, ClickHouseKeeperStore.STORE)) {
      assertThat(Stores.servers(store).removal(SERVER, Access.PLAIN, PREFIX))
          .contains("zkCli.sh -server 10.0.0.1:2379 deleteall /quorate/run");
    }
  }

  @Test
  void over_tls_it_has_the_files_and_the_user_but_no_secret() throws IOException {
    Path keys = directory.resolve("a key");
    Instant now = Instant.now();
    new CertificateAuthority("test", now, Duration.ofDays(9))
        .issue("CN=me", CertificateAuthority.Purpose.CLIENT, List.of())
        .write(keys, "client");
    TlsFiles files = TlsFiles.in(keys, "client");
    ClientTls tls = ClientTls.load(files, now);

    assertThat(
            Stores.servers(EtcdStore.STORE)
                .removal(SERVER, Access.over(tls, new Login.Password("it's me", "secret")), PREFIX))
        .contains(
            "etcdctl --endpoints=https://10.0.0.1:2379 '--cacert=%s' '--cert=%s/client.crt' '--key=%s/client.key' '--user=it'\\''s me' del --prefix quorate/run/"
                .formatted(files.authority(), keys, keys));
    assertThat(
            Stores.servers(ConsulStore.STORE)
                .removal(SERVER, Access.over(tls, new Login.Token("secret")), PREFIX))
        .contains(
            "CONSUL_HTTP_TOKEN=... consul kv delete -http-addr=https://10.0.0.1:2379 '-ca-file=%s' '-client-cert=%s/client.crt' '-client-key=%s/client.key' -recurse quorate/run/"
                .formatted(files.authority(), keys, keys));
    assertThat(
            Stores.servers(ZooKeeperStore.STORE)
                .removal(SERVER, Access.over(tls, new Login.Password("it's me", "secret")), PREFIX))
        .contains(
            "(umask 077; cat '%s/client.key' '%s/client.crt' > quorate-client.pem); printf '%%s\\n' 'addauth digest it'\\''s me:...' 'deleteall /quorate/run' | CLIENT_JVMFLAGS='-Dzookeeper.client.secure=true -Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty -Dzookeeper.ssl.trustStore.location=%s -Dzookeeper.ssl.trustStore.type=PEM -Dzookeeper.ssl.keyStore.location=quorate-client.pem -Dzookeeper.ssl.keyStore.type=PEM' zkCli.sh -server 10.0.0.1:2379"
                .formatted(keys, keys, files.authority()));
    assertThat(
            Stores.servers(ZooKeeperStore.STORE)
                .removal(
                    SERVER,
                    new Access(Optional.empty(), new Login.Password("me", "secret")),
                    PREFIX))
        .contains(
            "printf '%s\\n' 'addauth digest me:...' 'deleteall /quorate/run' | zkCli.sh -server 10.0.0.1:2379");

    ClientTls anyName =
        ClientTls.load(new TlsFiles(files.authority(), Optional.empty(), false), now);
    assertThat(
            Stores.servers(EtcdStore.STORE)
                .removal(SERVER, Access.over(anyName, Login.NONE), PREFIX))
        .contains(
            "etcdctl --endpoints=https://10.0.0.1:2379 '--cacert=%s' --insecure-skip-tls-verify del --prefix quorate/run/"
                .formatted(files.authority()));
    assertThat(
            Stores.servers(ConsulStore.STORE)
                .removal(SERVER, Access.over(anyName, Login.NONE), PREFIX))
        .contains(
            "CONSUL_HTTP_SSL_VERIFY=false consul kv delete -http-addr=https://10.0.0.1:2379 '-ca-file=%s' -recurse quorate/run/"
                .formatted(files.authority()));
  }
}
