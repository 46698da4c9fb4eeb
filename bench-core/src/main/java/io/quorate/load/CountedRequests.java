package io.quorate.load;

import io.quorate.capacity.ViolationCount;
import io.quorate.load.workload.NumberedRequests;
import io.quorate.load.workload.ValueCheck;
import io.quorate.measure.LatencyRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.RequestLimit;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Requests of a trial, of which those are counted that violate its limits, by the second in which
 * they were due. Requests are timed from when they were due and, apart, without the delay of the
 * load generator, as steps record it: a limit that only the first time violates is violated by the
 * load generator, which was late.
 */
final class CountedRequests implements NumberedRequests {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final NumberedRequests requests;
  private final List<Operation> operations;
  private final List<RequestLimit> limits;
  private final int settleSeconds;
  private final int seconds;
  private final long[] dueNanos;
  private final int mask;
  private final List<AtomicLongArray> intended = new ArrayList<>();
  private final List<AtomicLongArray> ended = new ArrayList<>();
  private final List<AtomicLongArray> violating = new ArrayList<>();
  private final List<AtomicLongArray> violatingSinceSent = new ArrayList<>();
  private final LongAdder begun = new LongAdder();
  private final LongAdder over = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder sheds = new LongAdder();
  private final LatencyRecorder response = new LatencyRecorder(StepRecorder.SIGNIFICANT_DIGITS - 1);
  private volatile long originNanos;

  /**
   * @param operations of the requests, in the order of the scenario
   * @param limits at least one
   * @param settleSeconds whose response times are not recorded
   * @param seconds that the trial lasts at most, from its beginning
   * @param mostUnderWay between the number of a request that is sent and the lowest number of one
   *     that is still under way
   */
  CountedRequests(
      NumberedRequests requests,
      List<Operation> operations,
      List<RequestLimit> limits,
      int settleSeconds,
      int seconds,
      long mostUnderWay) {
    this.requests = requests;
    this.operations = List.copyOf(operations);
    this.limits = List.copyOf(limits);
    this.settleSeconds = settleSeconds;
    this.seconds = seconds;
    int slots = Integer.highestOneBit(Math.toIntExact(Math.max(2, mostUnderWay)) - 1) * 2;
    this.dueNanos = new long[slots];
    this.mask = slots - 1;
    operations.forEach(
        operation -> {
          intended.add(new AtomicLongArray(seconds));
          ended.add(new AtomicLongArray(seconds));
        });
    limits.forEach(
        limit -> {
          violating.add(new AtomicLongArray(seconds));
          violatingSinceSent.add(new AtomicLongArray(seconds));
        });
  }

  /** Sets the beginning of the first second, before the first request. */
  void beginAt(long nanos) {
    originNanos = nanos;
  }

  private int second(long due) {
    return (int) Math.min(seconds - 1L, Math.max(0, (due - originNanos) / NANOS_PER_SECOND));
  }

  @Override
  public void send(Connection connection, long index, Completion completion) {
    requests.send(connection, index, completion);
  }

  @Override
  public int operation(long index) {
    return requests.operation(index);
  }

  @Override
  public void sending(long index, long due) {
    begun.increment();
    dueNanos[(int) index & mask] = due;
    intended.get(operation(index)).incrementAndGet(second(due));
    requests.sending(index, due);
  }

  @Override
  public void acknowledged(long index, long endNanos, long delayNanos) {
    long due = dueNanos[(int) index & mask];
    int second = second(due);
    int operation = operation(index);
    for (int i = 0; i < limits.size(); i++) {
      if (isAbout(i, operation) && limits.get(i).isViolatedBy(endNanos - due)) {
        violating.get(i).incrementAndGet(second);
        if (limits.get(i).isViolatedBy(endNanos - due - delayNanos)) {
          violatingSinceSent.get(i).incrementAndGet(second);
        }
      }
    }
    if (second >= settleSeconds) {
      response.record(endNanos - due);
    }
    ended.get(operation).incrementAndGet(second);
    over.increment();
    requests.acknowledged(index, endNanos, delayNanos);
  }

  @Override
  public void failed(long index, ErrorKind kind) {
    violated(operation(index), second(dueNanos[(int) index & mask]), false);
    failures.increment();
    over.increment();
    requests.failed(index, kind);
  }

  @Override
  public void shed(long index, long due) {
    int second = second(due);
    int operation = operation(index);
    intended.get(operation).incrementAndGet(second);
    violated(operation, second, true);
    sheds.increment();
  }

  private void violated(int operation, int second, boolean dropped) {
    for (int i = 0; i < limits.size(); i++) {
      if (isAbout(i, operation) && (dropped || limits.get(i).isViolatedByFailure())) {
        violating.get(i).incrementAndGet(second);
        violatingSinceSent.get(i).incrementAndGet(second);
      }
    }
    ended.get(operation).incrementAndGet(second);
  }

  private boolean isAbout(int limit, int operation) {
    return limits.get(limit).operation().map(operations.get(operation)::equals).orElse(true);
  }

  @Override
  public ValueCheck check(long index, Answer answer) {
    return requests.check(index, answer);
  }

  /**
   * Returns the counts of each limit for each second from one up to another, which is over.
   * Requests that have not ended count as violations once they are late.
   *
   * @param sinceSent whether requests are timed without the delay of the load generator
   */
  List<List<ViolationCount>> counts(int from, int to, long nowNanos, boolean sinceSent) {
    List<List<ViolationCount>> counts = new ArrayList<>();
    for (int i = 0; i < limits.size(); i++) {
      List<ViolationCount> ofLimit = new ArrayList<>();
      for (int second = from; second < to; second++) {
        ofLimit.add(count(i, second, nowNanos, sinceSent));
      }
      counts.add(ofLimit);
    }
    return counts;
  }

  private ViolationCount count(int limit, int second, long nowNanos, boolean sinceSent) {
    long due = 0;
    long unended = 0;
    for (int operation = 0; operation < operations.size(); operation++) {
      if (isAbout(limit, operation)) {
        long hereEnded = ended.get(operation).get(second);
        long here = intended.get(operation).get(second);
        due += here;
        unended += here - hereEnded;
      }
    }
    long sinceNanos = nowNanos - originNanos - (second + 1) * NANOS_PER_SECOND;
    boolean late = limits.get(limit).isViolatedBy(sinceNanos);
    long found = (sinceSent ? violatingSinceSent : violating).get(limit).get(second);
    return new ViolationCount(due, Math.min(due, found + (late ? unended : 0)));
  }

  /** Returns how many requests were due from one second up to another. */
  long intended(int from, int to) {
    long count = 0;
    for (AtomicLongArray ofOperation : intended) {
      for (int second = from; second < to; second++) {
        count += ofOperation.get(second);
      }
    }
    return count;
  }

  /** Returns how many requests are under way. */
  long underWay() {
    long ends = over.sum();
    return Math.max(0, begun.sum() - ends);
  }

  /** Returns how many were sent. */
  long sent() {
    return begun.sum();
  }

  /** Returns how many failed. */
  long failed() {
    return failures.sum();
  }

  /** Returns how many were due but not sent. */
  long shed() {
    return sheds.sum();
  }

  /** Returns the response times of requests that succeeded, without those of settling; once. */
  Histogram responses() {
    return response.interval();
  }
}
