// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.store.Login;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.ToolVariables;
import io.quorate.stores.Stores;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ToolOptionsTest {
  private static final Map<String, String> ETCD =
      Map.of(
          "ETCDCTL_ENDPOINTS", "10.0.0.1:2379, 10.0.0.2:2379",
          "ETCDCTL_CACERT", "/pki/ca.crt",
          "ETCDCTL_CERT", "/pki/client.crt",
          "ETCDCTL_KEY", "/pki/client.key",
          "ETCDCTL_USER", "bench:s3cret");

  private final List<String> said = new ArrayList<>();

  private Map<String, String> completed(Map<String, String> environment, String... given) {
    Map<String, String> options = new HashMap<>();
    for (String option : given) {
      options.put(option.split("=")[0], option.split("=")[1]);
    }
    ToolOptions.complete(options, environment, said::add);
    return options;
  }

  @Test
  void variables_alone_never_choose_a_cluster() {
    assertThat(completed(ETCD, "database=etcd")).isEqualTo(Map.of("database", "etcd"));
    assertThat(completed(ETCD, "database=etcd", "endpoints=127.0.0.1:1"))
        .isEqualTo(Map.of("database", "etcd", "endpoints", "127.0.0.1:1"));
    assertThat(said).isEmpty();
  }

  @Test
  void variables_that_are_not_used_are_named() {
    ToolOptions.tellUnused(Map.of("database", "zetcd,kine"), ETCD, said::add);
    ToolOptions.tellUnused(Map.of("endpoints", "127.0.0.1:1"), ETCD, said::add);
    assertThat(said).isEmpty();
    ToolOptions.tellUnused(Map.of("database", "etcd@3.5.35,zetcd"), ETCD, said::add);
    assertThat(said)
        .containsExactly(
            "ETCDCTL_ENDPOINTS is set and not used, as this run starts its own servers;"
                + " '--endpoints env --database etcd' measures that cluster");
    ToolOptions.tellUnused(Map.of(), ETCD, said::add);
    assertThat(said).hasSize(2);
  }

  @Test
  void env_takes_the_cluster_of_etcdctl_and_says_so_without_secrets() {
    assertThat(completed(ETCD, "database=etcd", "endpoints=env"))
        .isEqualTo(
            Map.of(
                "database", "etcd",
                "endpoints", "https://10.0.0.1:2379,https://10.0.0.2:2379",
                "tls.ca", "/pki/ca.crt",
                "tls.certificate", "/pki/client.crt",
                "tls.key", "/pki/client.key"));
    assertThat(said)
        .containsExactly(
            "existing cluster: using ETCDCTL_ENDPOINTS, ETCDCTL_CACERT, ETCDCTL_CERT, ETCDCTL_KEY,"
                + " ETCDCTL_USER");
  }

  @Test
  void options_for_tls_replace_all_variables_for_tls() {
    assertThat(completed(ETCD, "database=etcd", "endpoints=https://a:1", "tls.ca=/other.crt"))
        .isEqualTo(Map.of("database", "etcd", "endpoints", "https://a:1", "tls.ca", "/other.crt"));
    assertThat(said).containsExactly("existing cluster: using ETCDCTL_USER");
  }

  @Test
  void plain_text_needs_no_files() {
    assertThat(completed(ETCD, "database=etcd", "endpoints=http://a:1"))
        .isEqualTo(Map.of("database", "etcd", "endpoints", "http://a:1"));
  }

  @Test
  void consul_is_reached_over_tls_as_its_own_tool_does() {
    Map<String, String> consul =
        Map.of("CONSUL_HTTP_ADDR", "c:8501", "CONSUL_HTTP_SSL", "true", "CONSUL_CACERT", "/ca.crt");
    assertThat(completed(consul, "database=consul", "endpoints=env"))
        .isEqualTo(
            Map.of("database", "consul", "endpoints", "https://c:8501", "tls.ca", "/ca.crt"));
    assertThat(completed(Map.of("CONSUL_HTTP_ADDR", "c:8500"), "database=consul", "endpoints=env"))
        .isEqualTo(Map.of("database", "consul", "endpoints", "http://c:8500"));
  }

  @Test
  void a_missing_variable_and_a_store_without_one_are_named() {
    assertThatThrownBy(() -> completed(Map.of(), "database=etcd", "endpoints=env"))
        .hasMessage("--endpoints env: ETCDCTL_ENDPOINTS is not set");
    assertThatThrownBy(() -> completed(ETCD, "database=zookeeper", "endpoints=env"))
        .hasMessageContaining("choose one with --database etcd or --database consul");
    assertThatThrownBy(() -> completed(ETCD, "endpoints=env"))
        .hasMessageContaining("choose one with --database");
  }

  @Test
  void the_login_of_the_tool_is_used_for_addresses_with_a_scheme_only() {
    assertThat(login("http://a:1")).isEqualTo(new Login.Password("bench", "s3cret"));
    assertThat(login("a:1")).isEqualTo(Login.NONE);
    ToolVariables tool = EtcdServers.SERVERS.toolVariables().orElseThrow();
    assertThat(tool.login().apply(Map.of("ETCDCTL_USER", "bench", "ETCDCTL_PASSWORD", "a:b")))
        .contains(new Login.Password("bench", "a:b"));
  }

  private static Login login(String endpoints) {
    Properties properties = new Properties();
    properties.setProperty("endpoints", endpoints);
    return RunSettings.of(properties).servers().access().access(EtcdStore.STORE, ETCD).login();
  }

  @Test
  void a_path_is_refused_for_stores_without_nodes() {
    assertThat(Stores.all().stream().filter(each -> Stores.servers(each).hasPaths()))
        .extracting(each -> each.id())
        .containsExactly("zookeeper", "clickhouse-keeper");
    assertThatThrownBy(
            () ->
                new AccessArguments().cluster(EtcdStore.STORE, "a:1/app", Map.of(), warning -> {}))
        .hasMessage("endpoints: found the path /app/, which etcd does not have: leave it out");
  }
}
