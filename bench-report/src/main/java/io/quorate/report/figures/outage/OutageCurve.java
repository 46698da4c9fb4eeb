// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.history.RecordedRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * The course of an injection: requests by the time of their end, in intervals of {@value
 * #BUCKET_MILLIS} ms.
 *
 * @param seconds middle of each interval, in seconds since the start of the fault
 * @param acknowledged acknowledged requests per second
 * @param p99Ms p99 of the response times; NaN if no request was acknowledged
 * @param errors requests per second that failed, or whose outcome is unknown
 */
public record OutageCurve(
    double[] seconds, double[] acknowledged, double[] p99Ms, double[] errors) {
  /** Length of an interval. */
  static final int BUCKET_MILLIS = 250;

  /** Time before the fault that is shown. */
  static final int BEFORE_SECONDS = 5;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long BUCKET_NANOS = BUCKET_MILLIS * 1_000_000L;

  /** Returns the course from {@value #BEFORE_SECONDS} s before a fault until its end. */
  static OutageCurve of(RequestTimeline requests, long start, long until) {
    long first = -BEFORE_SECONDS * NANOS_PER_SECOND / BUCKET_NANOS;
    int count = (int) Math.max(0, (until - start) / BUCKET_NANOS - first);
    double[] seconds = new double[count];
    double[] acknowledged = new double[count];
    double[] p99 = new double[count];
    double[] errors = new double[count];
    double perSecond = (double) NANOS_PER_SECOND / BUCKET_NANOS;
    for (int i = 0; i < count; i++) {
      long from = start + (first + i) * BUCKET_NANOS;
      List<RecordedRequest> ok = new ArrayList<>();
      List<RecordedRequest> ended = requests.ended(from, from + BUCKET_NANOS);
      ended.stream().filter(RecordedRequest::isOk).forEach(ok::add);
      seconds[i] = (first + i + 0.5) / perSecond;
      acknowledged[i] = ok.size() * perSecond;
      errors[i] = (ended.size() - ok.size()) * perSecond;
      p99[i] = Outage.p99(ok, 0, until).map(OutageTime::ms).orElse(Double.NaN);
    }
    return new OutageCurve(seconds, acknowledged, p99, errors);
  }
}
