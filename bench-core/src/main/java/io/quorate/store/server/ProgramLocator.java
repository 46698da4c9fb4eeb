package io.quorate.store.server;

import java.nio.file.Path;

/** Finds the programs of servers on this machine. */
public interface ProgramLocator {
  /** Finds the executable of a program, or the main one of its jars; throws if it is nowhere. */
  Path require(Program program);

  JavaRuntime java();
}
