// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Tests texts of JDK 17, and of newer ones, which begin with the alert that is sent. */
class TlsProblemTest {
  @Test
  void an_unknown_authority_is_not_mistaken_for_an_alert_of_the_server() {
    String text = "PKIX path building failed: unable to find valid certification path";
    for (String message : new String[] {text, "(certificate_unknown) " + text}) {
      assertThat(TlsProblem.of(new SSLHandshakeException(message), true))
          .hasValueSatisfying(
              problem -> assertThat(problem).startsWith("its certificate is not from"));
    }
  }

  @Test
  void an_expired_certificate_of_the_server_is_not_mistaken_for_one_of_the_client() {
    SSLHandshakeException expired =
        new SSLHandshakeException("(certificate_expired) PKIX path validation failed");
    expired.initCause(new CertificateExpiredException("NotAfter: Fri Nov 20"));
    assertThat(TlsProblem.of(expired, true))
        .hasValue("its certificate has expired: give the server a new one");
  }

  @Test
  void an_alert_of_the_server_is_about_the_certificate_of_the_client() {
    String text = "Received fatal alert: bad_certificate";
    for (String message : new String[] {text, "(bad_certificate) " + text}) {
      assertThat(TlsProblem.of(new SSLHandshakeException(message), true))
          .hasValueSatisfying(problem -> assertThat(problem).contains("and that is valid"));
      assertThat(TlsProblem.of(new SSLHandshakeException(message), false))
          .hasValueSatisfying(
              problem -> assertThat(problem).startsWith("it accepts only clients with"));
    }
  }

  @Test
  void another_alert_of_the_server_is_named() {
    assertThat(
            TlsProblem.of(
                new SSLHandshakeException(
                    "(handshake_failure) Received fatal alert: handshake_failure"),
                true))
        .hasValueSatisfying(problem -> assertThat(problem).contains("handshake_failure"));
  }

  @Test
  void a_failure_of_the_native_library_is_named_within_that_of_a_decoder() {
    String text = "error:10000410:SSL routines:OPENSSL_internal:SSLV3_ALERT_HANDSHAKE_FAILURE";
    assertThat(TlsProblem.of(new DecoderException(new SSLHandshakeException(text)), false))
        .hasValue("no secure connection: " + text);
  }
}
