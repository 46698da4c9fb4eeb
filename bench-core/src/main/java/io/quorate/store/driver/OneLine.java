// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import java.util.regex.Pattern;

/** Shortens messages to one line, as errors are shown. */
public final class OneLine {
  /** Beginning of a message of Netty's epoll, such as "readAddress(..) failed with error(-104)". */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-\\d+\\): ");

  private OneLine() {}

  /**
   * Returns the first line of a failure's message, without the name of a system call; the failure's
   * kind if it has no message.
   */
  public static String of(Throwable cause) {
    String message = cause.getMessage();
    return message == null
        ? cause.getClass().getSimpleName()
        : SYSTEM_CALL.matcher(of(message)).replaceFirst("");
  }

  public static String of(String message) {
    return message.lines().findFirst().orElse("");
  }
}
