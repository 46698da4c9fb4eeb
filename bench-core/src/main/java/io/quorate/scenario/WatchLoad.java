package io.quorate.scenario;

/**
 * The watchers of a step, each of which is told of every put.
 *
 * @param watchers how many there are, at least 1
 * @param streams over how many streams they are spread, at least 1 and at most as many as watchers
 */
public record WatchLoad(int watchers, int streams) {
  public WatchLoad {
    if (streams < 1 || watchers < streams) {
      throw new IllegalArgumentException("a watch needs watchers >= streams >= 1");
    }
  }

  /** Returns the watchers for people: {@code 1 watcher}, {@code 100 watchers on 10 streams}. */
  @Override
  public String toString() {
    String streamCount = streams + (streams == 1 ? " stream" : " streams");
    return watchers == 1 ? "1 watcher" : watchers + " watchers on " + streamCount;
  }
}
