// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NetworkPathTest {
  @Test
  void traffic_to_this_machine_goes_through_the_loopback_interface() throws IOException {
    assertThat(NetworkPath.to("127.0.0.1")).contains("lo");
    assertThat(NetworkPath.to("127.0.0.2")).contains("lo");
    var all = NetworkInterface.networkInterfaces().flatMap(n -> n.inetAddresses());
    all.filter(address -> address instanceof Inet4Address)
        .forEach(own -> assertThat(NetworkPath.to(own.getHostAddress())).contains("lo"));
    assertThat(NetworkPath.to("no.such.host.invalid")).isEmpty();
  }

  @Test
  void this_machine_is_known_by_each_of_its_addresses() throws IOException {
    assertThat(NetworkPath.isHere("127.0.0.2")).isTrue();
    var all = NetworkInterface.networkInterfaces().flatMap(n -> n.inetAddresses());
    assertThat(all).allMatch(own -> NetworkPath.isHere(own.getHostAddress()));
    assertThat(NetworkPath.isHere("192.0.2.1")).as("an address for examples").isFalse();
    assertThat(NetworkPath.isHere("no.such.host.invalid")).isFalse();
  }
}
