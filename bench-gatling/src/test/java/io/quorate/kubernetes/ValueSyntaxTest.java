// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Cases at the edges of the rules of Kubernetes, compared with its package validation. */
class ValueSyntaxTest {
  private static void requireAccepted(ValueSyntax syntax, String... texts) {
    assertThat(Stream.of(texts)).allMatch(syntax.rule());
  }

  private static void requireRefused(ValueSyntax syntax, String... texts) {
    assertThat(Stream.of(texts)).noneMatch(syntax.rule());
  }

  @Test
  void a_namespace_is_a_label_of_a_domain() {
    requireAccepted(ValueSyntax.NAMESPACE, "a", "0", "a--b", "a".repeat(63));
    requireRefused(
        ValueSyntax.NAMESPACE, "", "-a", "a-", "a.b", "A", "a_b", "é", "a\n", "a".repeat(64));
  }

  @Test
  void the_name_of_an_object_is_a_domain() {
    String part = "a".repeat(62);
    requireAccepted(
        ValueSyntax.SECRET,
        "a",
        "1.5",
        "a-b.c",
        "a".repeat(253),
        String.join(".", part, part, part, part));
    requireRefused(
        ValueSyntax.SECRET, "", ".a", "a.", "a..b", "a.-b", "a-.b", "A", "a/b", "a".repeat(254));
    requireAccepted(ValueSyntax.STORAGE_CLASS, "", "nfs.fast");
    requireRefused(ValueSyntax.STORAGE_CLASS, " ", "NFS");
  }

  @Test
  void a_label_has_a_key_with_or_without_a_domain_and_a_value_that_may_be_empty() {
    requireAccepted(
        ValueSyntax.LABEL,
        "a=b",
        "a=",
        "A.b_c-d=E.f_g-h",
        "example.com/a=b",
        "a".repeat(63) + "=" + "b".repeat(63),
        "a".repeat(253) + "/b=");
    requireRefused(
        ValueSyntax.LABEL,
        "",
        "a",
        "=b",
        "a=b=c",
        "-a=b",
        "a_=b",
        "a=b-",
        "a=b c",
        "a=b\n",
        "/a=b",
        "x/=b",
        "x/y/a=b",
        "Example.com/a=b",
        "a".repeat(64) + "=b",
        "a=" + "b".repeat(64),
        "a".repeat(254) + "/b=");
  }

  @Test
  void a_size_has_a_unit() {
    requireAccepted(ValueSyntax.STORAGE_SIZE, "20Gi", "500M", "1.5T", "1k", "999999Ki");
    requireRefused(
        ValueSyntax.STORAGE_SIZE,
        "",
        "1",
        "0",
        "0Gi",
        "-1Gi",
        "10m",
        "0.5",
        ".",
        "Gi",
        "1GiB",
        "1 Gi",
        "1gi",
        "1K",
        "1ki",
        "1Zi",
        "1,5Gi",
        "1e9",
        "1_000",
        "0x10",
        "1Gi\n",
        "9Ei");
  }

  @Test
  void a_time_is_whole_seconds() {
    requireAccepted(ValueSyntax.TTL, "0", "86400", "2147483647");
    requireRefused(
        ValueSyntax.TTL, "", "-1", "+1", "1.5", "1h", " 1", "\u0661", "2147483648", "9".repeat(20));
  }

  @Test
  void an_image_is_what_registries_call_a_reference() {
    requireAccepted(
        ValueSyntax.IMAGE,
        "quorate",
        "quorate:0.1",
        "registry.example.com/quorate",
        "registry.example.com:5000/a/b_c/d__e/f--g:V1.0_x-y",
        "[fd00::1]:5000/quorate",
        "localhost/quorate@sha256:" + "0".repeat(64),
        "a/quorate:0.1@sha256:" + "f".repeat(64));
    requireRefused(
        ValueSyntax.IMAGE,
        "",
        " ",
        "Quorate",
        "a/Quorate",
        "a b",
        "/quorate",
        "quorate/",
        "a//b",
        "a:",
        "a:-1",
        "a:b:c",
        "a@sha256:0",
        "a..b",
        "a:" + "b".repeat(129),
        "https://registry.example.com/quorate",
        "a\"b",
        "a\n",
        "a/".repeat(300) + "a");
  }
}
