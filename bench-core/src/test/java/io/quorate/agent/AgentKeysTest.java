// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.agent.server.AgentServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests that a load generator without a usable key of the set is told why, and that the agent
 * continues.
 */
final class AgentKeysTest extends SecuredAgent {
  @Test
  void nobody_comes_in_without_a_certificate() throws Exception {
    String keys =
        ": both need keys of the same ./quorate agent keys, one agents/127.0.0.1, the other client";
    String agentSays = "agent " + agent.address() + ": the agent ";
    String rejected = agentSays + "rejected the certificate, or none was sent" + keys;
    // the alert of a newer JDK has the reason
    List<String> expected =
        Runtime.version().feature() == 17
            ? List.of(rejected)
            : List.of(rejected, agentSays + "requires a certificate" + keys);
    assertThat(refusal(Optional.of(tls(ours.resolve("client"), Optional.empty(), ""))))
        .isIn(expected);
    assertServes();
  }

  @Test
  void a_certificate_that_somebody_else_made_is_refused() throws Exception {
    assertThat(
            refusal(
                Optional.of(
                    tls(ours.resolve("client"), Optional.of(others.resolve("client")), "client"))))
        .contains(
            "the agent rejected the certificate: it belongs to another set, has " + "expired,")
        .contains("both need keys of the same ./quorate agent keys");
    assertServes();
  }

  @Test
  void an_agent_whose_certificate_somebody_else_made_is_not_talked_to() {
    assertThatThrownBy(() -> open(agent, Optional.of(new KeyDirectory(others.resolve("client")))))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("its certificate is from an unknown authority");
    assertServes();
  }

  @Test
  void an_expired_certificate_is_refused_by_the_agent() throws Exception {
    assertThat(
            refusal(
                Optional.of(
                    tls(ours.resolve("client"), Optional.of(expired.resolve("client")), "client"))))
        .contains(
            "the agent rejected the certificate: it belongs to another set, has " + "expired,");
    assertServes();
  }

  @Test
  void expired_keys_are_not_even_used() {
    assertThatThrownBy(() -> new KeyDirectory(expired.resolve("client")).forLoadGenerator())
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            expired.resolve("client/client.crt")
                + " has expired: make new ones with ./quorate agent keys");
    KeyDirectory keys = new KeyDirectory(expired.resolve("agents/127.0.0.1"));
    assertThatThrownBy(() -> start(Optional.of(keys), Duration.ofSeconds(1)))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("agent.crt has expired");
  }

  @Test
  void the_keys_of_an_agent_do_not_let_anybody_into_another_one() throws Exception {
    assertThat(
            refusal(
                Optional.of(
                    tls(
                        ours.resolve("client"),
                        Optional.of(ours.resolve("agents/127.0.0.1")),
                        "agent"))))
        .contains("the agent rejected the certificate");
    assertServes();
  }

  @Test
  void an_agent_with_the_certificate_of_another_host_is_not_talked_to() {
    KeyDirectory keys = new KeyDirectory(ours.resolve("agents/127.0.0.1"));
    try (AgentServer elsewhere =
        TestAgents.start("127.0.0.2", directory.resolve("2"), Optional.of(keys))) {
      assertThatThrownBy(() -> open(elsewhere, client()))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining("its certificate is not for 127.0.0.2: make keys with that host");
    }
  }

  @Test
  void who_does_not_encrypt_is_refused() {
    assertThatThrownBy(() -> open(agent, Optional.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            ("agent %s: it closed the connection: an agent with keys requires keys. Pass the load"
                    + " generator's keys (--agent-keys DIR/client)")
                .formatted(agent.address()));
    assertServes();
  }

  @Test
  void who_encrypts_is_told_of_an_agent_that_does_not() {
    try (AgentServer open = start(Optional.empty(), Protocol.SILENCE_LIMIT)) {
      assertThatThrownBy(() -> open(open, client()))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining("it has no keys: start it with --keys, or remove the keys");
      assertServes(open, Optional.empty());
    }
  }

  @Test
  void without_keys_only_this_machine_is_listened_to() {
    assertThatThrownBy(() -> TestAgents.start("0.0.0.0", directory.resolve("a"), Optional.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("0.0.0.0 is reachable from other machines, and without keys")
        .hasMessageContaining("./quorate agent keys --directory DIR --hosts 0.0.0.0");
    assertThat(directory.resolve("a")).doesNotExist();
  }

  @Test
  void a_private_key_that_others_may_read_is_not_used() throws IOException {
    Path keys = keys("open", Instant.now()).resolve("client");
    Files.setPosixFilePermissions(
        keys.resolve("client.key"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> new KeyDirectory(keys).forLoadGenerator())
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("client.key is a private key, but others may read or write it");
  }

  @Test
  void keys_that_others_may_change_are_not_used() throws IOException {
    Path keys = keys("changeable", Instant.now()).toRealPath().resolve("client");
    for (Path open : List.of(keys, keys.resolve("ca.crt"), keys.resolve("client.crt"))) {
      for (String mode : List.of("rwxrwx---", "rwx----w-")) {
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> new KeyDirectory(keys).forLoadGenerator())
            .isInstanceOf(QuorateException.class)
            .hasMessage(open + " may be changed by other users: chmod go-w " + open);
      }
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwx------"));
    }
    Files.setPosixFilePermissions(keys.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> new KeyDirectory(keys).forLoadGenerator())
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(keys.getParent() + " may be changed by other users");
    Files.setPosixFilePermissions(keys.getParent(), PosixFilePermissions.fromString("rwx------"));
    assertThat(new KeyDirectory(keys).forLoadGenerator()).isNotNull();
  }

  @Test
  void keys_are_made_for_hosts_only() {
    Path keys = directory.resolve("keys");
    for (String host :
        List.of(
            "",
            "a b",
            "../up",
            "a..b",
            "host:7300",
            "-a",
            "a/b",
            "::1",
            "999.999.999.999",
            "1.2.3",
            "127.0.0.01",
            "a_b",
            "a.",
            "\u0430",
            "x\u001b[2J")) {
      assertThatThrownBy(
              () ->
                  KeyDirectory.make(keys, List.of("fine", host), Instant.now(), Duration.ofDays(1)))
          .isInstanceOf(QuorateException.class)
          .hasMessage(
              "host '%s': expected a name or an IPv4 address, without a port"
                  .formatted(host.replace("\u001b", "\\x1b")));
      assertThat(keys).doesNotExist();
    }
  }

  @Test
  void no_key_is_ever_overwritten() throws IOException {
    Path key = ours.resolve("client/client.key");
    String before = Files.readString(key);
    assertThatThrownBy(
            () -> KeyDirectory.make(ours, List.of("a"), Instant.now(), Duration.ofDays(1)))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("is not empty, and no key is ever overwritten");
    assertThat(Files.readString(key)).isEqualTo(before);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }
}
