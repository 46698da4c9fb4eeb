package io.quorate.history;

/**
 * What one object does if requests are applied one after the other.
 *
 * @param <R> request with its result
 * @param <S> state, an immutable value with {@code equals}
 */
interface SequentialModel<R, S> {
  S initial();

  /** Returns whether the request can have its result in this state. */
  boolean allows(S state, R request);

  /** Returns the state after a request that is allowed. */
  S after(S state, R request);
}
