package io.quorate.cluster.process;

/**
 * Shell command that moves a process to a session of its own, so that signals that a terminal or a
 * person sends to the process group of this JVM do not reach it. The pid stays what it is.
 */
final class OwnSession {
  /**
   * Shell script that moves itself to a new session and becomes the command in the positional
   * parameters. Linux has {@code setsid}, macOS has Perl; a system that has neither leaves it in
   * the process group.
   */
  static final String EXEC =
      """
      command -v setsid >/dev/null 2>&1 && exec setsid "$@"
      command -v perl >/dev/null 2>&1 &&
        exec perl -e 'use POSIX (); POSIX::setsid(); exec { $ARGV[0] } @ARGV' -- "$@"
      exec "$@"
      """;

  private OwnSession() {}
}
