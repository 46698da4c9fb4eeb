// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterAddressTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "a:1,b:2 => [a:1, b:2]  ''",
        "https://a:1,https://b:2 => [a:1, b:2] true ''",
        "HTTPS://a:1/ => [a:1] true ''",
        "http://10.0.0.1:2379 => [10.0.0.1:2379] false ''",
        "https://consul.example.com => [consul.example.com:443] true ''",
        "http://[::1] => [[::1]:80] false ''",
        "zk-1:2181,zk-2:2181/app/bench => [zk-1:2181, zk-2:2181]  'app/bench/'",
        "zk-1:2181/app/ => [zk-1:2181]  'app/'",
      })
  void addresses_are_those_of_the_stores_own_tools(String text, String expected) {
    ClusterAddress address = ClusterAddress.parse(text);
    assertThat(
            "%s %s '%s'"
                .formatted(
                    address.endpoints(),
                    address.overTls().map(String::valueOf).orElse(""),
                    address.chroot()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "a:1,https://b:2 => endpoints: https:// has to be before all addresses or before none of"
            + " them",
        "zk-1:2181/app,zk-2:2181 => endpoint 'zk-1:2181/app': found a path, expected HOST:PORT,"
            + " such as 127.0.0.1:2379",
        "a:1/../b => endpoint 'a:1/../b': found a path",
        "unix:///run/consul.sock => endpoint 'unix:///run/consul.sock': expected HOST:PORT without"
            + " a scheme, such as 127.0.0.1:2379",
        "a => endpoint 'a': expected HOST:PORT, such as 127.0.0.1:2379",
      })
  void another_text_is_refused(String text, String expected) {
    assertThatThrownBy(() -> ClusterAddress.parse(text)).hasMessageStartingWith(expected);
  }

  @Test
  void a_password_is_refused_and_not_shown() {
    assertThatThrownBy(() -> ClusterAddress.parse("https://root:s3cret@a:1"))
        .hasMessageContaining("user names and passwords are not used")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void an_address_without_a_scheme_says_nothing_about_tls() {
    assertThat(ClusterAddress.parse("a:1").overTls()).isEqualTo(Optional.empty());
  }
}
