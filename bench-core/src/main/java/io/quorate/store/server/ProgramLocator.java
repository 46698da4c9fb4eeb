package io.quorate.store.server;

import java.nio.file.Path;

/** Finds the programs of servers on this machine. */
public interface ProgramLocator {
  /**
   * Finds the executable of a program, or the main one of its jars.
   *
   * @throws io.quorate.QuorateException with {@link Program#missing()} if it is nowhere
   */
  Path require(Program program);

  /** Returns the Java virtual machine for servers that Quorate brings along. */
  JavaRuntime java();
}
