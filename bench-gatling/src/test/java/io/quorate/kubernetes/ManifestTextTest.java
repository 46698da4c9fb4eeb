package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestTextTest {
  @Test
  void text_that_another_version_of_yaml_reads_as_something_else_is_in_quotes() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("words", List.of("yes", "OFF", "n", "null", "True", "nothing"));
    content.put("numbers", List.of("1", "1:30", "1_000", ".5", "-1", "0x1F", 1, 2));
    content.put("others", List.of("", "a b", "a: b", "#", "$(A)", "/a/b", "\u001b", true));
    content.put("lines", "a: b\n\n  c # d\n");
    content.put("unended", "a\nb");
    content.put("empty", List.of());
    assertThat(ManifestText.of(List.of(new KubernetesObject(content))))
        .isEqualTo(
            """
            ---
            words:
              - "yes"
              - "OFF"
              - "n"
              - "null"
              - "True"
              - nothing
            numbers:
              - "1"
              - "1:30"
              - "1_000"
              - ".5"
              - "-1"
              - "0x1F"
              - 1
              - 2
            others:
              - ""
              - "a b"
              - "a: b"
              - "#"
              - "$(A)"
              - /a/b
              - "\\e"
              - true
            lines: |
              a: b

                c # d
            unended: |-
              a
              b
            empty: []
            """);
  }
}
