// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Replaces the certificates of members that serve, by new ones of the same authority. For one
 * thread.
 */
final class CertificateRenewal {
  private static final Duration POLL = Duration.ofMillis(10);

  /** Time in which new connections to a member have to get its new certificate. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final MemberControl control;
  private final MemberProtocol protocol;
  private final StopSignal stop;

  CertificateRenewal(MemberControl control, MemberProtocol protocol, StopSignal stop) {
    this.control = control;
    this.protocol = protocol;
    this.stop = stop;
  }

  /**
   * Replaces the certificate of each member when the one before uses its own.
   *
   * @return what was observed, in words
   * @throws QuorateException if a certificate cannot be replaced, or is not used in time
   */
  String run(List<Member> members) {
    List<String> texts = new ArrayList<>();
    for (Member each : members) {
      long begin = System.nanoTime();
      String issued = control.renewCertificate(each);
      protocol.reloadCertificate(each);
      if (!stop.await(
          () -> protocol.certificate(each).filter(issued::equals).isPresent(),
          begin + LIMIT.toNanos(),
          POLL)) {
        throw new QuorateException(
            "no effect on %s: new connections did not get its new certificate within %d s"
                .formatted(each.name(), LIMIT.toSeconds()));
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      texts.add("%s: new certificate after %d ms".formatted(each.name(), millis));
    }
    return String.join("; ", texts);
  }
}
