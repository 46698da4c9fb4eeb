// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests certificates of keys that stay with their owners. */
class RequestedKeyTest {
  @TempDir private Path directory;

  private final CertificateAuthority authority =
      new CertificateAuthority("ours", Instant.now(), Duration.ofDays(1));

  private String certificate(byte[] request) {
    return authority.issue(
        request, "CN=db1", CertificateAuthority.Purpose.MEMBER, List.of("127.0.0.1"));
  }

  @Test
  void a_certificate_is_for_the_key_that_asked_for_it() throws IOException {
    RequestedKey key = new RequestedKey();
    IssuedKey issued = key.issued(authority.certificate(), certificate(key.request()));

    issued.write(directory.resolve("keys"), "db1");

    ClientTls loaded = ClientTls.load(TlsFiles.in(directory.resolve("keys"), "db1"), Instant.now());
    assertThat(loaded.hasIdentity()).isTrue();
    assertThat(key.toString() + issued).doesNotContain("PRIVATE KEY");
  }

  @Test
  void the_certificate_of_another_key_is_refused_when_it_is_loaded() throws IOException {
    RequestedKey key = new RequestedKey();
    String anothers = certificate(new RequestedKey().request());

    key.issued(authority.certificate(), anothers).write(directory.resolve("keys"), "db1");

    assertThatThrownBy(
            () -> ClientTls.load(TlsFiles.in(directory.resolve("keys"), "db1"), Instant.now()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("db1.key is not the private key of the certificate ");
  }

  @Test
  void a_damaged_request_gets_no_certificate() {
    byte[] changed = new RequestedKey().request();
    changed[changed.length - 1] ^= 1;
    for (byte[] request : List.of(new byte[0], new byte[] {1, 2, 3}, changed)) {
      assertThatThrownBy(() -> certificate(request))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining(" request for a certificate");
    }
  }
}
