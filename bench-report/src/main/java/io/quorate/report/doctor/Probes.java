// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Measurements of the doctor itself, in nanoseconds.
 *
 * @param disk times of writes with fdatasync, by directory
 * @param connects times of TCP connects, by endpoint
 */
public record Probes(Map<String, Histogram> disk, Map<String, Histogram> connects) {
  /** Without measurements. */
  public static final Probes NONE = new Probes(Map.of(), Map.of());
}
