// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FewerSamplesTest {
  private static final String SERVERS = "etcd/server-internals.csv";
  private static final String MACHINE = "etcd/client-system-metrics.csv";
  private static final String INTERPOLATED = "etcd/client-system-metrics-interpolated.csv";
  private static final String STEPS = "etcd/client-system-metrics-steps.csv";

  private static String machine(int... seconds) {
    return IntStream.of(seconds)
        .mapToObj(each -> each + "5,java," + each + "\n")
        .collect(Collectors.joining("", "UNIX-NANOSECOND,PROGRAM,UNIX-SECOND\n", ""));
  }

  private static SortedMap<String, String> fewer(
      FewerSamples samples, Map<String, String> contents) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    contents.forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
    SortedMap<String, String> fewer = new TreeMap<>();
    samples
        .of(files)
        .forEach((name, content) -> fewer.put(name, new String(content, StandardCharsets.UTF_8)));
    return fewer;
  }

  @Test
  void all_samples_stay_at_an_interval_of_one_second() {
    Map<String, String> files =
        Map.of(SERVERS, "no,csv", MACHINE, machine(1, 2, 3), INTERPOLATED, machine(1, 2, 3));
    assertThat(fewer(new FewerSamples(1, 1), files)).isEqualTo(files);
  }

  @Test
  void the_first_sample_of_an_interval_and_the_last_of_all_stay_for_each_member() {
    String text =
        """
        UNIX-SECOND,MEMBER,METRIC,VALUE
        9,1,a,1
        9,1,"b,c",2
        10,1,a,3
        11,1,a,4
        11,2,a,5
        12,2,a,6
        13,1,a,7
        14,1,a,8
        """;
    Map<String, String> fewer =
        fewer(new FewerSamples(5, 1), Map.of(SERVERS, text, MACHINE, machine(9, 10, 11)));
    assertThat(fewer)
        .containsEntry(
            SERVERS,
            """
            UNIX-SECOND,MEMBER,METRIC,VALUE
            9,1,a,1
            9,1,"b,c",2
            10,1,a,3
            11,2,a,5
            12,2,a,6
            14,1,a,8
            """)
        .containsEntry(MACHINE, machine(9, 10, 11));
  }

  @Test
  void measured_samples_of_machines_replace_interpolated_ones() {
    assertThat(
            fewer(
                new FewerSamples(1, 3),
                Map.of(
                    MACHINE, machine(2, 3, 5, 6),
                    INTERPOLATED, machine(2, 3, 4, 5, 6),
                    STEPS, machine(2, 6))))
        .isEqualTo(Map.of(MACHINE, machine(2, 3, 6), STEPS, machine(2, 6)));
    // rows without a gap are the same in both files, of which one is kept
    assertThat(fewer(new FewerSamples(1, 2), Map.of(INTERPOLATED, machine(2, 3, 4, 5))))
        .isEqualTo(Map.of(MACHINE, machine(2, 4, 5)));
  }
}
