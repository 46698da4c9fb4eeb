package io.quorate.shard;

import io.quorate.results.DatabaseDirectory;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ErrorRow;
import io.quorate.results.requests.SecondRow;
import io.quorate.results.requests.StepTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Adds up what shards measured, by the clock that they share. */
final class MergedClients {
  private final List<ShardRun> shards;
  private final LoadInfo whole;

  /**
   * @param shards that are complete
   * @param whole the load of all together
   */
  MergedClients(List<ShardRun> shards, LoadInfo whole) {
    this.shards = List.copyOf(shards);
    this.whole = whole;
  }

  /**
   * Writes the files about requests.
   *
   * @throws io.quorate.QuorateException if they cannot be written
   */
  void write(DatabaseDirectory merged) {
    SecondRow.FILE.append(
        merged.path(),
        SecondRow.merged(
            rows(
                (shard, clients) ->
                    clients.requests().stream()
                        .map(row -> row.at(shard.sharedSecond(row.unixSecond()))))));
    ErrorRow.FILE.append(
        merged.path(),
        rows(
            (shard, clients) ->
                clients.errorRows().stream()
                    .map(row -> row.at(shard.sharedSecond(row.unixSecond())))));
    StepTimes.FILE.append(
        merged.path(),
        IntStream.rangeClosed(1, whole.steps().size()).mapToObj(this::times).toList());
    List<AttemptCounts> attempts =
        AttemptCounts.merged(rows((shard, clients) -> clients.attempts().stream()));
    if (!attempts.isEmpty()) {
      AttemptCounts.FILE.append(merged.path(), attempts);
    }
  }

  private <T> List<T> rows(BiFunction<ShardRun, ClientResults, Stream<T>> rows) {
    return shards.stream()
        .flatMap(shard -> rows.apply(shard, shard.clients().orElseThrow()))
        .toList();
  }

  /**
   * Returns the time from the first beginning to the last end, by the shared clock; how long no
   * shard had a success is not known.
   */
  private StepTimes times(int number) {
    List<Instant> begins = new ArrayList<>();
    List<Instant> ends = new ArrayList<>();
    long longest = 0;
    for (ShardRun shard : shards) {
      long duration = shard.clients().orElseThrow().steps().get(number - 1).durationNanos();
      longest = Math.max(longest, duration);
      Optional<Instant> begin = shard.start(number).map(ShardStart::sharedTime);
      begin.ifPresent(begins::add);
      begin.ifPresent(time -> ends.add(time.plusNanos(duration)));
    }
    long nanos =
        begins.size() == shards.size()
            ? Duration.between(
                    begins.stream().min(Instant::compareTo).orElseThrow(),
                    ends.stream().max(Instant::compareTo).orElseThrow())
                .toNanos()
            : longest;
    return StepTimes.ofDuration(number, nanos);
  }
}
