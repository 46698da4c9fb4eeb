// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import io.quorate.store.Endpoint;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Explains why a connection to an agent failed, and what to do about it. */
final class ConnectionProblem {
  private static final String SAME_SET =
      "both need keys of the same ./quorate agent keys, one agents/%s, the other client";

  private static final String NOT_ACCEPTED =
      "the agent rejected the certificate: it belongs to another set, has expired, or is not "
          + "a load generator's: "
          + SAME_SET;

  private static final String STRANGER =
      "its certificate is from an unknown authority: " + SAME_SET;

  private static final String OTHER_HOST =
      "its certificate is not for %s: make keys with that host, as it is named here";

  /** Part of the text about an alert of the other end; newer JDKs also name their own alerts. */
  private static final String ALERT = "Received fatal alert: ";

  /** Explanations of TLS errors, by a part of their text. */
  private static final Map<String, String> TLS =
      Map.of(
          ALERT + "certificate_expired",
          NOT_ACCEPTED,
          ALERT + "certificate_unknown",
          NOT_ACCEPTED,
          ALERT + "unknown_ca",
          NOT_ACCEPTED,
          ALERT + "certificate_required",
          "the agent requires a certificate: " + SAME_SET,
          ALERT + "bad_certificate",
          "the agent rejected the certificate, or none was sent: " + SAME_SET,
          "unable to find valid certification path",
          STRANGER,
          "signature check failed",
          STRANGER,
          "No subject alternative",
          OTHER_HOST,
          "No name matching",
          OTHER_HOST);

  private static final String CLOSED = "Network closed for unknown reason";

  private static final String CUT_OFF = "HTTP/2 error code: CANCEL";

  private ConnectionProblem() {}

  /** Returns one sentence; a closed connection means something else with keys than without. */
  static String of(Endpoint agent, Status status, boolean encrypted) {
    String what =
        ofCause(agent, status.getCause())
            .or(() -> ofSilence(status, encrypted))
            .orElseGet(
                () ->
                    status.getDescription() == null
                        ? status.getCode()
                            + Optional.ofNullable(status.getCause())
                                .map(why -> " (" + why + ")")
                                .orElse("")
                        : Protocol.shown(status.getDescription()));
    return "agent " + agent + ": " + what;
  }

  private static Optional<String> ofCause(Endpoint agent, Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      Optional<String> known = ofOne(agent, each);
      if (known.isPresent()) {
        return known;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> ofOne(Endpoint agent, Throwable cause) {
    if (cause instanceof CertificateExpiredException) {
      return Optional.of("its certificate has expired: make new keys");
    }
    if (cause instanceof CertificateNotYetValidException) {
      return Optional.of("its certificate is not valid yet: look at the clocks of both machines");
    }
    if (cause instanceof NotSslRecordException) {
      return Optional.of(
          "it has no keys: start it with --keys, or remove the keys of the load generator");
    }
    if (cause instanceof UnknownHostException) {
      return Optional.of("the host " + Protocol.word(agent.host()) + " is not known");
    }
    if (cause instanceof ConnectException) {
      return Optional.of("nothing listens there: start it with ./quorate agent --listen " + agent);
    }
    String text = String.valueOf(cause.getMessage());
    return TLS.entrySet().stream()
        .filter(known -> text.contains(known.getKey()))
        .map(known -> known.getValue().replace("%s", agent.host()))
        .findFirst()
        .or(
            () ->
                cause instanceof SSLException && cause.getCause() == null
                    ? Optional.of("no secure connection: " + Protocol.word(text))
                    : Optional.empty());
  }

  /** Explains a connection closed without a message: an agent with keys expects TLS. */
  private static Optional<String> ofSilence(Status status, boolean encrypted) {
    if (String.valueOf(status.getDescription()).contains(CUT_OFF)) {
      return Optional.of("it broke off: it takes no message as large as ours");
    }
    boolean closed =
        status.getCode() == Status.Code.UNAVAILABLE
            && (status.getCause() != null
                || String.valueOf(status.getDescription()).contains("closed"));
    if (closed && encrypted && String.valueOf(status.getDescription()).contains(CLOSED)) {
      return Optional.of(
          "the agent closed the connection without a reason: it was stopped or killed, or its"
              + " machine is down; its last lines of output may say more");
    }
    return closed && !encrypted
        ? Optional.of(
            "it closed the connection: an agent with keys requires keys. Pass the load "
                + "generator's keys (--agent-keys DIR/client)")
        : Optional.empty();
  }
}
