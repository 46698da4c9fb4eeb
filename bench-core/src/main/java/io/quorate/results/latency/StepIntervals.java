package io.quorate.results.latency;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Summaries of the intervals of response times, in the order of the log. Those of several
 * operations of a step that end at the same time become one, so that a step has one figure at a
 * time.
 */
final class StepIntervals {
  /** Intervals of operations that end within this time are written together. */
  private static final double TOGETHER_SECONDS = 0.5;

  private final List<LatencyInterval> complete = new ArrayList<>();
  private final Set<LatencyTag> tags = new HashSet<>();
  private Histogram histogram;
  private int step;
  private double startSeconds;
  private double endSeconds;

  /** Adds the next interval, which is not empty. Its histogram may be changed. */
  void add(LatencyLogReader.Line line) {
    LatencyTag tag = line.tag();
    boolean together =
        !tags.isEmpty()
            && step == tag.step()
            && !tags.contains(tag)
            && Math.abs(line.end() - endSeconds) < TOGETHER_SECONDS;
    if (together) {
      histogram.add(line.histogram());
      startSeconds = Math.min(startSeconds, line.start());
      endSeconds = Math.max(endSeconds, line.end());
    } else {
      complete();
      histogram = line.histogram();
      step = tag.step();
      startSeconds = line.start();
      endSeconds = line.end();
    }
    tags.add(tag);
  }

  /** Returns all of them; nothing is added afterwards. */
  List<LatencyInterval> all() {
    complete();
    return List.copyOf(complete);
  }

  private void complete() {
    if (!tags.isEmpty()) {
      LatencyTag tag =
          tags.size() == 1
              ? tags.iterator().next()
              : new LatencyTag(step, Optional.empty(), LatencyTag.Time.RESPONSE);
      complete.add(
          new LatencyInterval(
              tag, Math.round(startSeconds * 1000), Math.round(endSeconds * 1000), histogram));
      tags.clear();
    }
  }
}
