// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

/**
 * What was sent over a link between zones in a step, in both directions: a line of {@code
 * zone-traffic.jsonl}.
 *
 * @param step number of the step
 * @param zones zones, such as {@code a to b} or {@code within a}
 * @param bytes bytes without headers of TCP
 */
public record ZoneTraffic(int step, String zones, long bytes) {
  public static final JsonLines<ZoneTraffic> FILE =
      new JsonLines<>("zone-traffic.jsonl", ZoneTraffic.class);
}
