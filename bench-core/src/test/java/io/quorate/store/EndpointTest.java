// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1"})
  void an_address_of_the_machine_itself_is_told_from_others(String text) {
    assertThat(HostAddress.isLoopback(Endpoint.parse(text).host())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"128.0.0.1:1", "127.example.com:1", "db-1:1", "[::2]:1"})
  void another_machine_is_not_taken_for_this_one(String text) {
    assertThat(HostAddress.isLoopback(Endpoint.parse(text).host())).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:2379, 127.0.0.1:2379",
    "a:1, a:1",
    "DB-1.Example.COM:65535, db-1.example.com:65535",
    "1and1.de:80, 1and1.de:80",
    "[::1]:2379, [::1]:2379",
    "[0:0:0:0:0:0:0:1]:1, [::1]:1",
    "[FE80::A:0:0:1]:7, [fe80::a:0:0:1]:7",
    "[2001:db8::192.0.2.33]:7, [2001:db8::c000:221]:7",
    "[::ffff:10.0.0.1]:7, 10.0.0.1:7",
  })
  void every_endpoint_has_one_spelling(String text, String expected) {
    assertThat(Endpoint.parse(text)).hasToString(expected);
    assertThat(Endpoint.parse(expected)).isEqualTo(Endpoint.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "127.0.0.1 => '127.0.0.1': expected HOST:PORT, such as 127.0.0.1:2379",
        "http://b:2 => 'http://b:2': leave out the scheme and all but host and port: b:2",
        "HTTPS://B:2/v3?x#y => 'HTTPS://B:2/v3?...': leave out the scheme and all but host and"
            + " port: b:2",
        "http://b => 'http://b': expected HOST:PORT without a scheme, such as 127.0.0.1:2379",
        "etcd://[::1]:2 => 'etcd://[::1]:2': leave out the scheme and all but host and port:"
            + " [::1]:2",
        "b:2/ => 'b:2/': found a path, expected HOST:PORT, such as 127.0.0.1:2379",
        "b/v:2 => 'b/v:2': found a path, expected HOST:PORT, such as 127.0.0.1:2379",
        "b:2?token=s3cret => 'b:2?...': found a path, expected HOST:PORT, such as 127.0.0.1:2379",
        "b:2#x => 'b:2#x': found a path, expected HOST:PORT, such as 127.0.0.1:2379",
        "b\\c:2 => 'b\\\\c:2': found a path, expected HOST:PORT, such as 127.0.0.1:2379",
        " b:2 => ' b:2': found a space, expected HOST:PORT, such as 127.0.0.1:2379",
        "b :2 => 'b :2': found a space, expected HOST:PORT, such as 127.0.0.1:2379",
        "b:2\t => 'b:2\\t': found a space, expected HOST:PORT, such as 127.0.0.1:2379",
        "b%3A:2 => 'b%3A:2': found '%', expected HOST:PORT, such as 127.0.0.1:2379",
        "[fe80::1%eth0]:2 => '[fe80::1%eth0]:2': found '%', expected HOST:PORT, such as"
            + " 127.0.0.1:2379",
        "b:\u0662 => 'b:\u0662': found the character U+0662, expected ASCII (an international name"
            + " as xn--...)",
        "\u0431:2 => '\u0431:2': found the character U+0431, expected ASCII (an international name"
            + " as xn--...)",
        "b:2\u200b => 'b:2\\u200b': found the character U+200B, expected ASCII (an international"
            + " name as xn--...)",
        "b:+2 => 'b:+2': the port is not a number from 1 to 65535",
        "b:-2 => 'b:-2': the port is not a number from 1 to 65535",
        "b:02 => 'b:02': the port is not a number from 1 to 65535",
        "b:0 => 'b:0': the port is not a number from 1 to 65535",
        "b:65536 => 'b:65536': the port is not a number from 1 to 65535",
        "b: => 'b:': the port is not a number from 1 to 65535",
        "b:x => 'b:x': the port is not a number from 1 to 65535",
        "b:18446744073709551617 => 'b:18446744073709551617': the port is not a number from 1 to"
            + " 65535",
        "::1:2379 => '::1:2379': expected an IPv6 address in brackets, such as [::1]:2379",
        "a:1:2 => 'a:1:2': expected an IPv6 address in brackets, such as [::1]:2379",
        ":2 => ':2': the host is not a host name of letters, digits, '-' and '.', or an IP address",
        "-a:2 => '-a:2': the host is not a host name of letters, digits, '-' and '.', or an IP"
            + " address",
        "a_b:2 => 'a_b:2': the host is not a host name of letters, digits, '-' and '.', or an IP"
            + " address",
        "a..b:2 => 'a..b:2': the host is not a host name of letters, digits, '-' and '.', or an IP"
            + " address",
        "a.:2 => 'a.:2': the host is not a host name of letters, digits, '-' and '.', or an IP"
            + " address",
        "999.999.999.999:2 => '999.999.999.999:2': the host is not a host name of letters, digits,"
            + " '-' and '.', or an IP address",
        "1.2.3:2 => '1.2.3:2': the host is not a host name of letters, digits, '-' and '.', or an"
            + " IP address",
        "127.0.0.01:2 => '127.0.0.01:2': the host is not a host name of letters, digits, '-' and"
            + " '.', or an IP address",
        "0x7f.1:2 => '0x7f.1:2': the host is not a host name of letters, digits, '-' and '.', or an"
            + " IP address",
        "2130706433:2 => '2130706433:2': the host is not a host name of letters, digits, '-' and"
            + " '.', or an IP address",
        "[127.0.0.1]:2 => '[127.0.0.1]:2': the host is not a host name of letters, digits, '-' and"
            + " '.', or an IP address",
        "[::g]:2 => '[::g]:2': the host is not a host name of letters, digits, '-' and '.', or an"
            + " IP address",
        "[::1]2 => '[::1]2': expected HOST:PORT, such as 127.0.0.1:2379",
        "[::1] => '[::1]': expected HOST:PORT, such as 127.0.0.1:2379",
      })
  void all_else_is_refused_and_the_message_says_what_to_write(String text, String problem) {
    assertThatThrownBy(() -> Endpoint.parse(text))
        .isInstanceOf(QuorateException.class)
        .hasMessage("endpoint " + problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "root:s3cret@b:2",
        "http://root:s3cret@b:2",
        "a:1,http://root:s3cret,s3cret@b:2",
        "s3cret@b:2,a:1",
        "root:s3cret%40b:2",
        "root:s3cret%2540b:2",
        "root:s3cret\uff20b:2"
      })
  void a_password_is_refused_and_never_repeated(String text) {
    assertThatThrownBy(() -> Endpoint.parseList(text))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(
            ": user names and passwords are not used and would end in the files of a run; expected"
                + " HOST:PORT, such as 127.0.0.1:2379")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void all_wrong_ones_of_a_list_are_told_at_once() {
    assertThatThrownBy(() -> Endpoint.parseList("a:1,,http://b:2,A:1,[::1]:3,[0::1]:3,"))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            endpoint 2 of 7: found nothing, expected HOST:PORT, such as 127.0.0.1:2379
            endpoint 'http://b:2': leave out the scheme and all but host and port: b:2
            endpoint 'A:1': found twice, expected each endpoint once
            endpoint '[0::1]:3': found twice, expected each endpoint once
            endpoint 7 of 7: found nothing, expected HOST:PORT, such as 127.0.0.1:2379\
            """);
    assertThatThrownBy(() -> Endpoint.parseList("a,b:1,a"))
        .hasMessage("endpoint 'a': expected HOST:PORT, such as 127.0.0.1:2379");
    assertThatThrownBy(() -> Endpoint.parseList(""))
        .hasMessage("endpoint 1 of 1: found nothing, expected HOST:PORT, such as 127.0.0.1:2379");
    assertThatThrownBy(() -> Endpoint.parseList(",")).isInstanceOf(QuorateException.class);
  }

  @Property(seed = "1")
  void what_an_endpoint_is_shown_as_is_read_as_the_same(@ForAll("endpoints") Endpoint endpoint) {
    assertThat(Endpoint.parse(endpoint.toString())).isEqualTo(endpoint);
  }

  @Property(seed = "1")
  void any_text_is_one_endpoint_in_ascii_or_a_message_that_is_safe_to_print(@ForAll String text) {
    try {
      assertThat(Endpoint.parse(text).toString()).matches("[a-z0-9.:\\[\\]-]+:[1-9][0-9]{0,4}");
    } catch (QuorateException refused) {
      assertThat(refused.getMessage()).doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
    }
  }

  @Provide
  Arbitrary<Endpoint> endpoints() {
    Arbitrary<String> names =
        Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(63);
    Arbitrary<String> octets =
        Arbitraries.integers().between(0, 255).list().ofSize(4).map(EndpointTest::dotted);
    Arbitrary<String> groups =
        Arbitraries.frequency(Tuple.of(2, 0), Tuple.of(1, 0xfe80))
            .list()
            .ofSize(8)
            .map(EndpointTest::colons);
    return Combinators.combine(
            Arbitraries.oneOf(names, octets, groups), Arbitraries.integers().between(1, 65_535))
        .as(Endpoint::new);
  }

  private static String dotted(List<Integer> octets) {
    return octets.stream().map(String::valueOf).collect(Collectors.joining("."));
  }

  private static String colons(List<Integer> groups) {
    return groups.stream().map(Integer::toHexString).collect(Collectors.joining(":"));
  }
}
