// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.quorate.VisibleText;
import io.quorate.results.manifest.BuildInfo;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** Constants and checks of both ends of a connection; the messages are in {@code agent.proto}. */
public final class Protocol {
  /** Protocol version, raised when the messages change incompatibly. */
  public static final int VERSION = 5;

  /** Size limit of a request; a larger one is refused, and an even larger one is not read. */
  public static final int MAX_REQUEST_BYTES = 65_536;

  public static final int MAX_READ_REQUEST_BYTES = 1 << 18;
  static final int MAX_REPLY_BYTES = 262_144;
  public static final int SLICE_BYTES = 32_768;

  /** Size limit of one file of a run; a longer one is cut off, with a remark. */
  public static final long MAX_FILE_BYTES = 256L << 20;

  static final Duration HEARTBEAT = Duration.ofSeconds(1);
  public static final Duration SILENCE_LIMIT = Duration.ofSeconds(15);

  private static final long END_OF_TIME_NANOS =
      Instant.parse("2200-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000;
  private static final int MAX_TEXT = 20_000;
  private static final Pattern RUN = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,199}");

  private Protocol() {}

  /** Returns text of the other end, bounded and with control characters escaped. */
  public static String shown(String text) {
    return VisibleText.lines(text.substring(0, Math.min(text.length(), MAX_TEXT)));
  }

  /** Returns the text on one line, cut to a short length. */
  public static String word(String text) {
    return VisibleText.of(text, 200);
  }

  /** Returns whether the text is a valid name of a run, and so of a directory. */
  public static boolean isRunName(String text) {
    return RUN.matcher(text).matches();
  }

  /** Returns the version of this build, for the other end. */
  public static String suite() {
    BuildInfo suite = BuildInfo.ofThisBuild();
    return suite.version().orElse("of an unknown version")
        + suite
            .commit()
            .map(id -> " (" + id.substring(0, Math.min(10, id.length())) + ")")
            .orElse("");
  }

  /** Returns a readable duration in seconds: {@code 15} or {@code 0.5}. */
  public static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  public static long unixNanos(Clock clock) {
    Instant now = clock.instant();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  /** Returns whether a time is from 1970 to 2199, so that no sum overflows. */
  public static boolean isTime(long unixNanos) {
    return unixNanos >= 0 && unixNanos < END_OF_TIME_NANOS;
  }
}
