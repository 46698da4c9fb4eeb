// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Measurements of the doctor itself, in nanoseconds.
 *
 * @param disk times of writes with fdatasync, by directory
 * @param connects times of TCP connects, by endpoint
 * @param own times of TCP connects of this machine to itself, by the endpoint that it connected to
 *     at the same time
 */
public record Probes(
    Map<String, Histogram> disk, Map<String, Histogram> connects, Map<String, Histogram> own) {
  /** Without measurements. */
  public static final Probes NONE = new Probes(Map.of(), Map.of(), Map.of());
}
