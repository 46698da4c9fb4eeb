// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RequestPath;
import io.quorate.store.RequestPaths;
import io.quorate.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The round trips that requests wait for, in the guide as in the stores. */
class RequestPathsInTheGuideTest {
  private static final Path GUIDE =
      Path.of("..", "src", "site", "markdown", "explanation", "semantics.md");

  @Test
  void each_store_whose_paths_are_known_has_a_column_with_them() throws IOException {
    List<Store> known = Stores.all().stream().filter(store -> store.paths().isPresent()).toList();
    List<List<String>> table = table("| on its path |");

    assertThat(table.get(0).stream().skip(1).map(String::toLowerCase))
        .containsExactlyElementsOf(known.stream().map(Store::id).toList());
    for (int column = 0; column < known.size(); column++) {
      RequestPaths paths = known.get(column).paths().orElseThrow();
      int at = column + 1;
      assertThat(table.stream().skip(1).map(row -> row.get(0) + ": " + row.get(at)))
          .as(known.get(column).id())
          .containsExactly(
              "write: " + text(paths.write()),
              "read, linearizable: " + text(paths.reads().apply(ReadConsistency.LINEARIZABLE)),
              "read, default: " + text(paths.reads().apply(ReadConsistency.DEFAULT)),
              "read, serializable: " + text(paths.reads().apply(ReadConsistency.SERIALIZABLE)));
    }
  }

  @Test
  void an_operation_that_reads_and_writes_has_both_paths_and_that_of_leases_is_not_known() {
    RequestPaths paths = Stores.byId("etcd").orElseThrow().paths().orElseThrow();

    assertThat(paths.of(Operation.PUT, ReadConsistency.SERIALIZABLE))
        .contains(new RequestPath(1, 1, true));
    assertThat(paths.of(Operation.RANGE, ReadConsistency.LINEARIZABLE))
        .contains(new RequestPath(1, 1, false));
    assertThat(paths.of(Operation.STM, ReadConsistency.LINEARIZABLE))
        .contains(new RequestPath(2, 2, true));
    assertThat(paths.of(Operation.COMPARE_AND_SET, ReadConsistency.SERIALIZABLE))
        .contains(new RequestPath(1, 1, true));
    assertThat(paths.of(Operation.LEASE_KEEPALIVE, ReadConsistency.DEFAULT)).isEmpty();
  }

  @Test
  void the_guarantee_of_each_read_is_in_the_guide_as_in_the_store() throws IOException {
    List<List<String>> table = table("| store | linearizable |");

    List<String> reads = table.get(0);
    for (List<String> row : table.subList(1, table.size())) {
      Store store = Stores.byId(row.get(0).toLowerCase(Locale.ROOT)).orElseThrow();
      for (int column = 1; column < reads.size(); column++) {
        ReadConsistency asked = ReadConsistency.valueOf(reads.get(column).toUpperCase(Locale.ROOT));
        assertThat(store.guarantee(asked)).as(store + " " + asked).hasToString(row.get(column));
      }
    }
    assertThat(reads).hasSize(1 + ReadConsistency.values().length);
    assertThat(table).hasSize(1 + Stores.all().size());
  }

  private static String text(RequestPath path) {
    List<String> words = new ArrayList<>();
    for (int trip = 0; trip < path.toLeader(); trip++) {
      words.add("leader");
    }
    for (int trip = 0; trip < path.toMajority(); trip++) {
      words.add("majority");
    }
    if (path.syncs()) {
      words.add("disk");
    }
    return words.isEmpty() ? "-" : String.join(", ", words);
  }

  /** Returns the head and the rows of the table. */
  private static List<List<String>> table(String head) throws IOException {
    List<String> lines =
        Files.readAllLines(GUIDE).stream()
            .dropWhile(line -> !line.startsWith(head))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    return lines.stream()
        .filter(line -> !line.startsWith("|---"))
        .map(line -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList())
        .toList();
  }
}
