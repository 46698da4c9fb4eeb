// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import io.quorate.Named;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The rule by which requests are sent. In files, its fields determine which one it is. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({
  @JsonSubTypes.Type(LoadModel.Closed.class),
  @JsonSubTypes.Type(LoadModel.Open.class)
})
public sealed interface LoadModel permits LoadModel.Closed, LoadModel.Open {
  /** Returns the most requests that are sent in a second; empty for no limit. */
  OptionalLong rate();

  /**
   * A closed loop: each client sends its next request when its last one has ended.
   *
   * @param clients number of requests in flight at any time, at least 1
   * @param limitPerSecond most requests that all clients together send in a second; empty for no
   *     limit
   * @param oneShot whether each request has a separate connection, opened before and closed after
   *     it
   * @param think how long each client waits after a request before it sends the next; empty if it
   *     does not wait
   */
  record Closed(
      int clients,
      OptionalLong limitPerSecond,
      @JsonProperty("connectionPerRequest")
          @JsonInclude(JsonInclude.Include.NON_DEFAULT)
          @JsonSetter(nulls = Nulls.SET)
          boolean oneShot,
      Optional<Duration> think)
      implements LoadModel {
    public Closed {
      if (clients < 1 || limitPerSecond.orElse(1) < 1) {
        throw new IllegalArgumentException("a closed loop needs clients >= 1, limit >= 1");
      }
    }

    /** Returns whether each client sends its next request at once, on the same connection. */
    public boolean keepsSending() {
      return limitPerSecond.isEmpty() && !oneShot && think.isEmpty();
    }

    /** Creates a closed loop on connections that stay open, whose clients do not wait. */
    public Closed(int clients, OptionalLong limitPerSecond) {
      this(clients, limitPerSecond, false, Optional.empty());
    }

    @Override
    public OptionalLong rate() {
      return limitPerSecond;
    }
  }

  /**
   * An open loop: requests are sent on schedule, even if earlier ones have not ended.
   *
   * @param ratePerSecond requests that are due in a second, at least 1; the mean of a ramp
   * @param maxOutstanding most requests that are in flight at a time; a request that is scheduled
   *     beyond that is dropped
   * @param ramp how the rate changes; empty if it does not
   */
  record Open(long ratePerSecond, Arrivals arrivals, int maxOutstanding, Optional<Ramp> ramp)
      implements LoadModel {
    public Open {
      if (ratePerSecond < 1 || maxOutstanding < 1) {
        throw new IllegalArgumentException("an open loop needs a rate >= 1, outstanding >= 1");
      }
    }

    /** Creates an open loop whose rate does not change. */
    public Open(long ratePerSecond, Arrivals arrivals, int maxOutstanding) {
      this(ratePerSecond, arrivals, maxOutstanding, Optional.empty());
    }

    /** Returns the highest rate. */
    public long peak() {
      return ramp.map(each -> Math.max(each.from(), each.to())).orElse(ratePerSecond);
    }

    @Override
    public OptionalLong rate() {
      return OptionalLong.of(peak());
    }
  }

  /** The times at which requests of an open loop are due. */
  enum Arrivals implements Named {
    /** At equal intervals. */
    @JsonAlias("uniform")
    CONSTANT,
    /** At random, independently of each other, drawn from the seed. */
    POISSON
  }
}
