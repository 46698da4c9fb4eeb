package io.quorate.store;

/** Returns the first line of a message, since an error is shown in one. */
public final class OneLine {
  private OneLine() {}

  /** Returns the first line of a failure's message; its kind if it has no message. */
  public static String of(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : of(message);
  }

  public static String of(String message) {
    return message.lines().findFirst().orElse("");
  }
}
