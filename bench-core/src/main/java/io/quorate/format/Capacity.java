package io.quorate.format;

import io.quorate.QuorateException;

/**
 * Bounds on how much is read of a run: no more than a fixed number, and no more than a quarter of
 * the memory that Java may use, so that a damaged or hostile file ends with a message and not
 * without memory.
 */
public final class Capacity {
  private static final int SHARE = 4;
  private static final long MEGABYTE = 1 << 20;

  private Capacity() {}

  /** Returns the number of items of so many bytes that may be kept. */
  static long of(long most, long bytesEach) {
    return Math.min(most, Runtime.getRuntime().maxMemory() / SHARE / bytesEach);
  }

  /**
   * Fails if there are too many of them.
   *
   * @param where file, or file and line
   * @param what the items, plural
   * @param most however much memory there is
   * @param bytesEach how much memory each takes
   */
  public static void check(String where, long found, String what, long most, long bytesEach) {
    long allowed = found > most ? most : of(most, bytesEach);
    if (found > allowed) {
      throw new QuorateException(
          "%s: found %s %s, expected at most %s%s"
              .formatted(
                  where,
                  NumberFormats.commas(found),
                  what,
                  NumberFormats.commas(allowed),
                  allowed == most ? "" : " with " + memory()));
    }
  }

  /** Returns the memory that Java may use, and how to change it. */
  public static String memory() {
    long megabytes = Runtime.getRuntime().maxMemory() / MEGABYTE;
    return "the %s MB of memory that Java may use (JAVA_TOOL_OPTIONS=-Xmx... changes it)"
        .formatted(NumberFormats.commas(megabytes));
  }
}
