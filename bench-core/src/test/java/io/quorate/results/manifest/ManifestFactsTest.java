// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Tests the facts in a manifest about servers, machines and the build. */
class ManifestFactsTest {
  @Test
  void theTagFollowsTheVersionThatTheServersReport() {
    StoreInfo store = started(Optional.of("3.9.5"), "10.0.0.1:2181").store();
    assertThat(store.tag()).isEqualTo("etcd-v3.9.5");
    assertThat(store.servers().version()).contains("3.9.5");
    assertThat(store.servers().members()).containsExactly("10.0.0.1:2181");
    assertThat(store.servers().leader()).isEmpty();
    assertThat(started(Optional.of("r3.5.3")).store().tag()).isEqualTo("etcd-r3.5.3");
    assertThat(started(Optional.empty()).store().tag()).isEqualTo("etcd");
  }

  @Test
  void membersOfAgentsOnOneMachineShareIt() {
    ServerInfo given =
        Manifests.servers(
            Optional.of("3.6.16"), List.of("127.0.0.1:1", "127.0.0.2:1"), Optional.empty());
    assertThat(given.machines()).containsExactly("127.0.0.1", "127.0.0.2");
    ServerInfo.Agent agent =
        new ServerInfo.Agent(
            "127.0.0.1:7301", Optional.of("vm"), "Debian", "6.1", 2, OptionalLong.empty(), "1", 0);
    ServerInfo hosted =
        new ServerInfo(
            given.version(),
            given.members(),
            given.leader(),
            given.secured(),
            Optional.of(ServerInfo.Hosting.AGENTS),
            List.of(agent, agent),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(hosted.machines()).containsExactly("vm", "vm");
  }

  @Test
  void secretsOnTheCommandLineOfTheJvmAreMasked() {
    assertThat(
            HostInfo.masked(
                List.of(
                    "-Xmx1g",
                    "-Detcd.password=a=b\nc",
                    "-Djavax.net.ssl.trustStorePassword=hunter2",
                    "-DAPI_TOKEN=x",
                    "-Dscenario=key-value.yaml")))
        .containsExactly(
            "-Xmx1g",
            "-Detcd.password=***",
            "-Djavax.net.ssl.trustStorePassword=***",
            "-DAPI_TOKEN=***",
            "-Dscenario=key-value.yaml");
  }

  @Test
  void thisMachineAndBuildAreKnown() {
    HostInfo facts = HostInfo.ofThisMachine();
    assertThat(facts.cores()).isPositive();
    assertThat(facts.memoryBytes()).isPresent();
    assertThat(facts.disk()).isPresent();
    assertThat(facts.os()).isNotBlank();
    assertThat(facts.jvmVersion()).isNotBlank();
    assertThat(BuildInfo.ofThisBuild().version())
        .hasValueSatisfying(
            version -> assertThat(version).matches("\\d+\\.\\d+\\.\\d+(-[\\w.-]+)?"));
  }

  @Test
  void whatIsNotKnownOfTheBuildIsMissing() {
    assertThat(BuildInfo.of(new Properties()))
        .isEqualTo(new BuildInfo(Optional.empty(), Optional.empty(), false));
    assertThat(BuildInfo.commitDate(new Properties())).isEmpty();
  }

  private static Manifest started(Optional<String> version, String... members) {
    return Manifests.of("etcd", "etcd-v3.6.16", 0.01, 1000)
        .withServers(Manifests.servers(version, List.of(members), Optional.empty()));
  }
}
