// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Capabilities;
import io.quorate.store.Capabilities.RangeReads;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of operations in semantics.md says the same as the capabilities of the stores. */
class CapabilitiesInTheGuideTest {
  private static final Path GUIDE =
      Path.of("..", "src", "site", "markdown", "reference", "operations.md");
  private static final Set<Operation> EVERYWHERE = Set.of(Operation.PUT, Operation.GET);
  private static final Map<String, Set<RangeReads>> RANGES =
      Map.of(
          "range with a limit or count only",
          Set.of(RangeReads.LIMITED),
          "range page by page",
          Set.of(RangeReads.LIMITED),
          "range of keys only",
          Set.of(RangeReads.LIMITED, RangeReads.ALL));

  /** The head of the table: a column for each store. */
  private static final String HEAD =
      Stream.concat(Stream.of("operation"), Stores.all().stream().map(Store::id))
          .collect(Collectors.joining(" | ", "| ", " |"));

  @Test
  void each_store_has_a_column_and_what_it_cannot_do_stands_there_with_the_reason()
      throws IOException {
    Map<String, List<String>> rows = rows();
    assertThat(rows.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    RANGES.keySet().stream(),
                    Stream.of(Operation.values())
                        .filter(each -> !EVERYWHERE.contains(each))
                        .map(Operation::id))
                .toList());
    for (int column = 0; column < Stores.all().size(); column++) {
      Store store = Stores.all().get(column);
      Capabilities can = store.capabilities();
      assertThat(cells(HEAD).get(column + 1)).isEqualToIgnoringCase(store.id());
      for (Operation each : Operation.values()) {
        if (!EVERYWHERE.contains(each)) {
          assertCell(store, each, can.can(each), rows, column, each.id());
        }
      }
      for (Map.Entry<String, Set<RangeReads>> each : RANGES.entrySet()) {
        boolean possible = each.getValue().contains(can.range());
        assertCell(store, Operation.RANGE, possible, rows, column, each.getKey());
      }
      if (can.can(Operation.TXN)) {
        assertThat(rows.get("txn").get(column + 1))
            .contains(
                can.mostPutsOfTxn() == Capabilities.ANY_NUMBER
                    ? "any number of puts"
                    : "at most " + can.mostPutsOfTxn() + " puts");
      }
    }
  }

  @Test
  void what_each_store_can_watch_stands_in_the_guide_and_what_it_cannot_with_the_reason()
      throws IOException {
    List<String> lines = Files.readAllLines(GUIDE);
    for (int column = 0; column < Stores.all().size(); column++) {
      WatchSupport can = Stores.all().get(column).watches();
      assertThat(watchCell(lines, "of one key", column)).startsWith(shown(can.ofKey(), can));
      assertThat(watchCell(lines, "of all keys", column)).startsWith(shown(can.ofPrefix(), can));
      assertThat(watchCell(lines, "of the past", column))
          .startsWith(can.history() ? "every change since" : "no: " + WatchSupport.NO_HISTORY);
    }
  }

  /** Returns a cell, of a store that is as another one that of the other. */
  private static String watchCell(List<String> lines, String row, int column) {
    List<String> cells =
        lines.stream()
            .filter(line -> line.startsWith("| " + row + " |"))
            .map(CapabilitiesInTheGuideTest::cells)
            .findFirst()
            .orElseThrow();
    String cell = cells.get(column + 1);
    return cell.equals("as ZooKeeper") ? cells.get(2) : cell;
  }

  private static String shown(WatchSupport.Delivery delivery, WatchSupport can) {
    return switch (delivery) {
      case NONE -> "no: " + can.reason();
      case LATEST -> "the latest state";
      case EVERY_KEY -> "every change, without its value";
      case EVERY_CHANGE -> "every change";
    };
  }

  @Test
  void every_store_can_put_and_get() {
    assertThat(Stores.all())
        .allMatch(store -> store.capabilities().can(Operation.PUT))
        .allMatch(store -> store.capabilities().can(Operation.GET));
  }

  private static void assertCell(
      Store store,
      Operation operation,
      boolean possible,
      Map<String, List<String>> rows,
      int column,
      String row) {
    String cell = rows.get(row).get(column + 1);
    if (possible) {
      assertThat(cell).as("%s of %s", row, store).isNotBlank().doesNotStartWith("no");
    } else {
      assertThat(cell)
          .as("%s of %s", row, store)
          .isEqualTo(
              store.capabilities().reasons().containsKey(operation)
                  ? "no: " + store.capabilities().reasons().get(operation)
                  : "no");
    }
  }

  private static Map<String, List<String>> rows() throws IOException {
    List<String> lines = Files.readAllLines(GUIDE);
    assertThat(lines).anyMatch(HEAD::equalsIgnoreCase);
    Map<String, List<String>> rows = new HashMap<>();
    lines.stream()
        .dropWhile(line -> !HEAD.equalsIgnoreCase(line))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(CapabilitiesInTheGuideTest::cells)
        .forEach(cells -> rows.put(cells.get(0), cells));
    return rows;
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList();
  }
}
