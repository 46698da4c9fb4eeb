// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tag of a histogram in {@code latency.hlog}: {@code step=2;op=get} for response times, {@code
 * step=2;op=get;time=service} for service times, {@code step=2;time=lag} for send delays, {@code
 * step=2;time=queue} for the times that requests waited for a connection, if they did, {@code
 * step=2;time=receive} for delays of answers by the load generator's threads, and {@code
 * step=2;time=connect} for connect times. Response times start at the scheduled send time of a
 * request, service times when it was sent. In a closed loop the two are equal, and there are only
 * response times.
 *
 * @param step number of the step, from 1
 * @param operation name of the operation; empty for delays and connect times
 */
public record LatencyTag(int step, Optional<String> operation, Time time) {
  /** The kinds of measured times. */
  public enum Time {
    RESPONSE,
    SERVICE,
    LAG,
    QUEUE,
    RECEIVE,
    CONNECT,
    FIRST,
    MEDIAN,
    LAST;

    /**
     * Returns whether it is a time of events, until the first, the median or the last watcher of a
     * put.
     */
    public boolean isOfEvents() {
      return this == FIRST || this == MEDIAN || this == LAST;
    }
  }

  private static final Pattern TEXT =
      Pattern.compile(
          "step=([1-9]\\d{0,8})(?:;op=([a-z-]+))?(?:;time=(service|lag|queue|receive|connect|first|median|last))?");

  private static final String WATCH = "watch";

  /** Returns the tag of the response times of an operation. */
  public static LatencyTag response(int step, String operation) {
    return new LatencyTag(step, Optional.of(operation), Time.RESPONSE);
  }

  public static LatencyTag service(int step, String operation) {
    return new LatencyTag(step, Optional.of(operation), Time.SERVICE);
  }

  /** Returns the tag of times that belong to a step or its events as a whole. */
  public static LatencyTag of(int step, Time time) {
    return new LatencyTag(step, Optional.of(WATCH).filter(any -> time.isOfEvents()), time);
  }

  static Optional<LatencyTag> parse(String text) {
    Matcher tag = TEXT.matcher(text);
    return tag.matches()
        ? Optional.of(
            new LatencyTag(
                Integer.parseInt(tag.group(1)),
                Optional.ofNullable(tag.group(2)),
                tag.group(3) == null
                    ? Time.RESPONSE
                    : Time.valueOf(tag.group(3).toUpperCase(Locale.ROOT))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("step=").append(step);
    operation.ifPresent(name -> text.append(";op=").append(name));
    if (time != Time.RESPONSE) {
      text.append(";time=").append(time.name().toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
