// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.agent.wire.Secrets;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.RequestedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentSecretsTest {
  private final CertificateAuthority authority =
      new CertificateAuthority("ours", Instant.now(), Duration.ofDays(1));
  private final RequestedKey key = new RequestedKey();

  private Secrets message(String sharedKey) {
    return Secrets.newBuilder()
        .setAuthority(authority.certificate())
        .setCertificate(
            authority.issue(
                key.request(), "CN=db1", CertificateAuthority.Purpose.MEMBER, List.of("127.0.0.1")))
        .setSharedKey(sharedKey)
        .build();
  }

  @Test
  void a_shared_key_has_32_bytes_and_a_wrong_one_is_not_quoted() {
    String shared = "c2VjcmV0".repeat(5) + "czM=";
    assertThat(AgentSecrets.read(message(shared), key).sharedKey()).isEqualTo(shared);
    for (String wrong : List.of("", "c2VjcmV0", "s3cret!", "c2VjcmV0".repeat(6))) {
      assertThatThrownBy(() -> AgentSecrets.read(message(wrong), key))
          .isInstanceOf(QuorateException.class)
          .hasMessage("found a shared key that is not 32 bytes in Base64")
          .hasNoCause();
    }
  }
}
