// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
  @Test
  void the_arguments_of_its_jvm_choose_neither_a_compiler_nor_depend_on_other_load_generators() {
    assertThat(LoadGenerator.jvmArguments())
        .contains("-XX:+UseG1GC")
        .doesNotContain("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        .isEqualTo(LoadGenerator.jvmArguments());
  }
}
