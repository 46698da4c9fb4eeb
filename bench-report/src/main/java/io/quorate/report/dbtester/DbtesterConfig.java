package io.quorate.report.dbtester;

import io.quorate.results.manifest.StoreInfo;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a configuration of the reference that describes its analysis. Paths are as they stand
 * there.
 *
 * @param databases in the order of the columns, at least one
 * @param plotColumns at least one
 * @param warnings what was found that the reference passes over
 */
public record DbtesterConfig(
    String title,
    String description,
    List<Store> databases,
    String tableCsv,
    String tableText,
    String plotDirectory,
    List<String> plotColumns,
    String readme,
    List<Image> images,
    List<String> warnings) {
  public DbtesterConfig {
    databases = List.copyOf(databases);
    plotColumns = List.copyOf(plotColumns);
    images = List.copyOf(images);
    warnings = List.copyOf(warnings);
  }

  /**
   * A database.
   *
   * @param requests that were asked for
   * @param clientNumbers those of the steps; empty if there was but one
   * @param paths all of them
   * @param servers the metrics of each server, at least one
   */
  record Store(
      String id,
      String description,
      long requests,
      List<Long> clientNumbers,
      Map<DbtesterPath, String> paths,
      List<String> servers) {
    Store {
      clientNumbers = List.copyOf(clientNumbers);
      paths = Collections.unmodifiableMap(new EnumMap<>(paths));
      servers = List.copyOf(servers);
    }

    String tag() {
      return StoreInfo.tag(description);
    }
  }

  /** A picture in the README. */
  record Image(String title, String path, boolean remote) {}
}
