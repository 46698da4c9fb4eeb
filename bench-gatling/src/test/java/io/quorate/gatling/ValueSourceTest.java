package io.quorate.gatling;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ValueSourceTest {
  @Test
  void values_are_letters_and_digits_of_the_asked_length() {
    assertThat(new String(new ValueSource(1024, 1).ofRequest(5), US_ASCII))
        .hasSize(1024)
        .matches("[A-Za-z0-9]+");
    assertThat(new ValueSource(0, 1).ofRequest(5)).isEmpty();
  }

  @Test
  void nearly_every_request_has_a_value_of_its_own() {
    ValueSource values = new ValueSource(64, 7);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      seen.add(new String(values.ofRequest(i), US_ASCII));
    }
    assertThat(seen).hasSizeGreaterThan(9_900);
  }

  @Test
  void the_same_seed_gives_the_same_values() {
    assertThat(new ValueSource(16, 3).ofRequest(11))
        .isEqualTo(new ValueSource(16, 3).ofRequest(11))
        .isNotEqualTo(new ValueSource(16, 4).ofRequest(11));
  }
}
