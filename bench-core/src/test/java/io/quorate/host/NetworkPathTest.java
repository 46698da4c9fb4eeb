// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.util.List;
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

  @Test
  void servers_behind_loopback_and_bridges_of_containers_may_be_here() {
    assertThat(List.of("lo", "docker0", "br-1f2e3d4c5b6a", "veth7", "cni0", "podman0", "virbr0"))
        .allMatch(NetworkPath::leadsHere);
    assertThat(List.of("eth0", "ens5", "enp3s0", "wlan0", "bond0", "tun0", "wg0"))
        .noneMatch(NetworkPath::leadsHere);
    assertThat(NetworkPath.mayBeHere("127.0.0.2")).isTrue();
    assertThat(NetworkPath.mayBeHere("no.such.host.invalid")).isFalse();
  }
}
