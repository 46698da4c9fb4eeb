package io.quorate.load;

import io.quorate.measure.StepRecorder;

/** Requests that are made before the measured ones; their recorder is thrown away afterwards. */
public final class SetupPhase {
  private final String name;
  private final long requests;
  private final StepRecorder recorder;
  private final RequestCounter budget;

  SetupPhase(String name, long requests, StepRecorder recorder, RequestCounter budget) {
    this.name = name;
    this.requests = requests;
    this.recorder = recorder;
    this.budget = budget;
  }

  /** Returns their purpose, for people: {@code warming up}. */
  public String name() {
    return name;
  }

  /** Returns the number of requests. */
  public long requests() {
    return requests;
  }

  public StepRecorder recorder() {
    return recorder;
  }

  RequestCounter budget() {
    return budget;
  }
}
