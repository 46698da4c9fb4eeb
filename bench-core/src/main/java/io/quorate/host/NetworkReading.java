// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

/** The traffic of a network interface since it came up. */
record NetworkReading(
    String name, long receivedBytes, long receivedPackets, long sentBytes, long sentPackets) {}
