// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.results.manifest.StoreInfo;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of servers that determine how long writes stop, with Quorate's defaults. */
public enum TimeoutSetting {
  HEARTBEAT_INTERVAL("etcd", "heartbeat-interval", 100, true),
  ELECTION_TIMEOUT("etcd", "election-timeout", 1000, true),
  TICK_TIME("zookeeper", "tickTime", 2000, true),
  INIT_LIMIT("zookeeper", "initLimit", 10, false),
  SYNC_LIMIT("zookeeper", "syncLimit", 5, false),
  RAFT_MULTIPLIER("consul", "raft_multiplier", 1, false);

  private static final Pattern VALUE = Pattern.compile("([0-9.]+) *(ms|s)?");
  private static final double MS_PER_SECOND = 1000;

  private final String store;
  private final String id;
  private final double usual;
  private final boolean isTime;

  TimeoutSetting(String store, String id, double usual, boolean isTime) {
    this.store = store;
    this.id = id;
    this.usual = usual;
    this.isTime = isTime;
  }

  /** Returns the settings of a store in words, and which of them are defaults. */
  public static List<String> texts(StoreInfo store) {
    return Arrays.stream(values())
        .filter(each -> each.store.equals(store.baseId()))
        .map(each -> each.text(store))
        .toList();
  }

  private String text(StoreInfo of) {
    return id
        + " "
        + NumberFormats.shortest(of(of))
        + (isTime ? " ms" : "")
        + (of.settings().containsKey(id) ? "" : " (default)");
  }

  /** Returns the value in force; times are in milliseconds. */
  double of(StoreInfo of) {
    Matcher value = VALUE.matcher(of.settings().getOrDefault(id, "").replace("_", ""));
    if (!value.matches()) {
      return usual;
    }
    boolean inSeconds = isTime && "s".equals(value.group(2));
    return Double.parseDouble(value.group(1)) * (inSeconds ? MS_PER_SECOND : 1);
  }
}
