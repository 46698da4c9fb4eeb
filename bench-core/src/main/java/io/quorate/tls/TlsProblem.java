// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** Explains why a TLS connection to a server failed, and what to do about it. */
public final class TlsProblem {
  private static final int ALERT_MILLIS = 500;

  private static final String NOT_ACCEPTED =
      "it does not accept the certificate: use one that its authority has issued for "
          + "clients, and that is valid, with --tls-certificate and --tls-key";
  private static final String WANTS_CERTIFICATE =
      "it accepts only clients with a certificate: name yours with --tls-certificate and --tls-key";
  private static final String STRANGER =
      "its certificate is not from an authority in the file of --tls-ca: name the file with the"
          + " authority that issued it";
  private static final String OTHER_NAME =
      "its certificate is for another name: give the endpoint as the certificate has it, or turn"
          + " the check off with --tls-name-check=off";

  /** Part of the text about an alert of the server; newer JDKs also name their own alerts. */
  private static final String ALERT = "Received fatal alert: ";

  /** Explanations by a part of the text of Java's TLS. */
  private static final Map<String, String> BY_TEXT =
      Map.ofEntries(
          Map.entry("unable to find valid certification path", STRANGER),
          Map.entry("signature check failed", STRANGER),
          Map.entry("does not chain with any of the trust anchors", STRANGER),
          Map.entry("No subject alternative", OTHER_NAME),
          Map.entry("No name matching", OTHER_NAME),
          Map.entry(ALERT + "certificate_required", WANTS_CERTIFICATE),
          Map.entry(ALERT + "bad_certificate", NOT_ACCEPTED),
          Map.entry(ALERT + "certificate_unknown", NOT_ACCEPTED),
          Map.entry(ALERT + "certificate_expired", NOT_ACCEPTED),
          Map.entry(ALERT + "unknown_ca", NOT_ACCEPTED),
          Map.entry(ALERT + "unsupported_certificate", NOT_ACCEPTED));

  private TlsProblem() {}

  /** Returns a sentence without a full stop about a failure; empty if TLS is not the reason. */
  public static Optional<String> of(Throwable failure, boolean hasIdentity) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertificateExpiredException) {
        return Optional.of("its certificate has expired: give the server a new one");
      }
      if (each instanceof CertificateNotYetValidException) {
        return Optional.of("its certificate is not valid yet: look at the clocks of both machines");
      }
      String text = String.valueOf(each.getMessage());
      Optional<String> known =
          BY_TEXT.entrySet().stream()
              .filter(entry -> text.contains(entry.getKey()))
              .map(Map.Entry::getValue)
              .findFirst();
      if (known.isPresent()) {
        // Java sends no certificate to a server that requests one of other authorities
        boolean ours = known.get().equals(NOT_ACCEPTED) || known.get().equals(WANTS_CERTIFICATE);
        return ours ? Optional.of(hasIdentity ? NOT_ACCEPTED : WANTS_CERTIFICATE) : known;
      }
      if (text.contains("Unsupported or unrecognized SSL message")) {
        return Optional.of(
            "it does not speak TLS: leave out --tls-ca, or give the port at which it does");
      }
    }
    return ofEnd(failure, hasIdentity);
  }

  private static Optional<String> ofEnd(Throwable failure, boolean hasIdentity) {
    if (failure instanceof SSLHandshakeException handshake
        && String.valueOf(handshake.getMessage()).contains("terminated the handshake")) {
      return Optional.of(
          "it ended the connection at the TLS handshake: it does not speak TLS there (then leave"
              + " out --tls-ca), or does not accept "
              + (hasIdentity ? "the certificate" : "clients without a certificate"));
    }
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SSLException) {
        return Optional.of("no secure connection: " + each.getMessage());
      }
    }
    return Optional.empty();
  }

  /**
   * Connects to a server that did not answer, and explains the failure: a server may refuse the
   * client's certificate after the client's handshake. Empty if TLS is not the reason.
   */
  public static Optional<String> ofConnection(
      ClientTls tls, String host, int port, Duration limit) {
    int millis = (int) limit.toMillis();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      try (SSLSocket secured = tls.over(socket, host)) {
        secured.startHandshake();
        socket.setSoTimeout(ALERT_MILLIS);
        secured.getInputStream().read();
        return Optional.empty();
      }
    } catch (IOException refused) {
      return of(refused, tls.hasIdentity());
    }
  }

  /**
   * Returns whether a server that did not answer in plain text speaks TLS. It does not check the
   * server's identity, and sends no data.
   */
  public static boolean speaksTls(String host, int port, Duration limit) {
    int millis = (int) limit.toMillis();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      SSLContext anybody = SSLContext.getInstance("TLS");
      anybody.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
      try (SSLSocket secured =
          (SSLSocket) anybody.getSocketFactory().createSocket(socket, host, port, true)) {
        secured.startHandshake();
        return true;
      }
    } catch (SSLHandshakeException refused) {
      return String.valueOf(refused.getMessage()).contains(ALERT);
    } catch (GeneralSecurityException | IOException other) {
      return false;
    }
  }
}
