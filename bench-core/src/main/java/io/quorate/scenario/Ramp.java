// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A rate that changes during a step: evenly, in stairs, or in spikes.
 *
 * @param from requests per second at the beginning, and between spikes
 * @param to requests per second at the end, or in a spike
 * @param stairs number of stairs, which all take the same time; 0 for none
 * @param spikes number of spikes, at equal distances; 0 for none
 * @param spikePercent part of the time that spikes take, 1 to 99
 * @param over the time of the step
 */
public record Ramp(long from, long to, int stairs, int spikes, int spikePercent, Duration over) {
  private static final double PERCENT = 100;
  private static final double MILLIS_PER_SECOND = 1000;

  public Ramp {
    if (from < 1 || to < 1 || stairs < 0 || spikes < 0 || over.toMillis() < 1) {
      throw new IllegalArgumentException("a ramp needs rates >= 1 and a time");
    }
  }

  /** A time during which the rate changes evenly, or not at all. */
  public record Segment(double seconds, double from, double to) {
    public double requests() {
      return seconds * (from + to) / 2;
    }

    /** Returns after how many seconds a number of requests was due. */
    public double secondsOf(double requests) {
      double slope = (to - from) / seconds;
      return 2 * requests / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * requests)));
    }
  }

  /** Returns the same change of another rate. */
  public Ramp startingAt(long rate) {
    return new Ramp(rate, to, stairs, spikes, spikePercent, over);
  }

  /** Returns the same change in another time. */
  public Ramp over(Duration time) {
    return new Ramp(from, to, stairs, spikes, spikePercent, time);
  }

  /** Returns its segments, in order. */
  public List<Segment> segments() {
    double seconds = over.toMillis() / MILLIS_PER_SECOND;
    List<Segment> segments = new ArrayList<>();
    if (spikes > 0) {
      double spike = seconds * spikePercent / PERCENT / spikes;
      for (int i = 0; i < spikes; i++) {
        segments.add(new Segment(seconds / spikes - spike, from, from));
        segments.add(new Segment(spike, to, to));
      }
    } else if (stairs > 0) {
      for (int i = 0; i < stairs; i++) {
        double rate = from + (double) (to - from) * i / (stairs - 1);
        segments.add(new Segment(seconds / stairs, rate, rate));
      }
    } else {
      segments.add(new Segment(seconds, from, to));
    }
    return segments;
  }

  /** Returns how many requests are due in all. */
  public long requests() {
    double all = segments().stream().mapToDouble(Segment::requests).sum();
    return Math.max(1, Math.round(all));
  }

  /** Returns {@code 100/s to 1,000/s}, with its stairs or spikes. */
  @Override
  public String toString() {
    String low = NumberFormats.commas(from) + "/s";
    String high = NumberFormats.commas(to) + "/s";
    if (spikes > 0) {
      return "%s with %d spikes of %s (%d%% of the time)"
          .formatted(low, spikes, high, spikePercent);
    }
    return low + " to " + high + (stairs > 0 ? " in " + stairs + " stairs" : "");
  }
}
