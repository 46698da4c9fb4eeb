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
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists of operations.md and watches.md say the same as the capabilities of the stores. */
class CapabilitiesInTheGuideTest {
  private static final Path PAGES = Path.of("..", "src", "site", "markdown", "reference");

  /** Rows whose other stores are in a sentence. */
  private static final Set<String> OF_ETCD = Set.of("range in chunks", "revision");

  private static final Set<Operation> EVERYWHERE = Set.of(Operation.PUT, Operation.GET);
  private static final Map<String, Set<RangeReads>> RANGES =
      Map.of(
          "range with a limit or count only",
          Set.of(RangeReads.LIMITED, RangeReads.STREAMED),
          "range page by page",
          Set.of(RangeReads.LIMITED, RangeReads.STREAMED),
          "range in chunks",
          Set.of(RangeReads.STREAMED),
          "range of keys only",
          Set.of(RangeReads.LIMITED, RangeReads.STREAMED, RangeReads.ALL, RangeReads.NAMES));

  @Test
  void each_store_has_a_column_and_what_it_cannot_do_stands_there_with_the_reason()
      throws IOException {
    Map<String, Map<String, String>> rows = operations();
    assertThat(rows.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    RANGES.keySet().stream(),
                    Stream.of(Operation.values())
                        .filter(each -> !EVERYWHERE.contains(each))
                        .map(Operation::id))
                .toList());
    for (Store store : Stores.all()) {
      Capabilities can = store.capabilities();
      for (Operation each : Operation.values()) {
        if (!EVERYWHERE.contains(each)) {
          assertCell(store, each, can.can(each), rows, each.id());
        }
      }
      for (Map.Entry<String, Set<RangeReads>> each : RANGES.entrySet()) {
        boolean possible = each.getValue().contains(can.range());
        assertCell(store, Operation.RANGE, possible, rows, each.getKey());
      }
      if (can.can(Operation.TXN)) {
        assertThat(rows.get("txn").get(store.id()))
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
    Map<String, Map<String, String>> watches = nested("watches.md", "");
    for (Store store : Stores.all()) {
      WatchSupport can = store.watches();
      assertThat(watches.get("of one key").get(store.id())).startsWith(shown(can.ofKey(), can));
      assertThat(watches.get("of all keys").get(store.id())).startsWith(shown(can.ofPrefix(), can));
      assertThat(watches.get("of the past").get(store.id()))
          .startsWith(can.history() ? "every change since" : "no: " + WatchSupport.NO_HISTORY);
    }
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
      Map<String, Map<String, String>> rows,
      String row) {
    String cell = rows.get(row).get(store.id());
    if (!possible && OF_ETCD.contains(row)) {
      assertThat(cell).as("%s of %s", row, store).isNull();
    } else if (possible) {
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

  /**
   * Returns what the page says about each operation and store; "no: " and the reason if it cannot.
   */
  private static Map<String, Map<String, String>> operations() throws IOException {
    Map<String, Map<String, String>> operations = nested("operations.md", "## Other operations");
    nested("unsupported-operations.md", "# Unsupported operations")
        .forEach(
            (store, reasons) ->
                reasons.forEach(
                    (operation, reason) ->
                        operations
                            .computeIfAbsent(operation, each -> new HashMap<>())
                            .put(store, "no: " + reason)));
    return operations;
  }

  /** Returns the items of a section by their bold names, and by each name of the items below. */
  private static Map<String, Map<String, String>> nested(String page, String heading)
      throws IOException {
    Map<String, Map<String, String>> items = new HashMap<>();
    Map<String, String> item = Map.of();
    for (String line :
        Files.readString(PAGES.resolve(page))
            .replaceAll("\n {4}(?=\\S)", " ")
            .lines()
            .dropWhile(each -> !each.startsWith(heading))
            .skip(1)
            .takeWhile(each -> !each.startsWith("## "))
            .toList()) {
      if (line.startsWith("- **")) {
        item = new HashMap<>();
        items.put(line.split("\\*\\*")[1].toLowerCase(Locale.ROOT), item);
      } else if (line.startsWith("  - ")) {
        String[] parts = line.substring(4).split(":(?: |$)", 2);
        for (String name : parts[0].toLowerCase(Locale.ROOT).split(", ")) {
          item.put(name, parts[1].strip());
        }
      }
    }
    return items;
  }
}
