package io.quorate.host;

/** What had gone through a network interface since it came up. */
record NetworkReading(
    String name, long receivedBytes, long receivedPackets, long sentBytes, long sentPackets) {}
