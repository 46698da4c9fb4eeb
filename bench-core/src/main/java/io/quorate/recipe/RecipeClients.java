// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The clients of a step, each of which takes one request at a time. Everything is guarded by this.
 *
 * @param <S> kind of their sessions
 */
final class RecipeClients<S> {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration AGAIN = Duration.ofMillis(200);

  private final SessionRecipes recipes;

  private final Queue<RecipeClient<S>> free = new ArrayDeque<>();

  /** Requests that wait for a client whose session is being replaced. */
  private final Queue<Consumer<RecipeClient<S>>> waiting = new ArrayDeque<>();

  private final Set<RecipeClient<S>> all = new LinkedHashSet<>();

  /** Opens the session of a client. */
  private Function<RecipeClient<S>, S> opener =
      client -> {
        throw new IllegalStateException("no step has begun");
      };

  private Consumer<S> closer = session -> {};

  RecipeClients(SessionRecipes recipes) {
    this.recipes = recipes;
  }

  void open(int step, int count, Function<RecipeClient<S>, S> how, Consumer<S> end) {
    List<RecipeClient<S>> opened =
        IntStream.range(0, count)
            .mapToObj(number -> new RecipeClient<S>(number, step, recipes::now))
            .toList();
    synchronized (this) {
      opener = how;
      closer = end;
      all.addAll(opened);
    }
    CompletableFuture<Void> opening =
        CompletableFuture.allOf(
            opened.stream()
                .map(
                    each ->
                        CompletableFuture.runAsync(() -> openPatiently(each), recipes.openers()))
                .toArray(CompletableFuture<?>[]::new));
    try {
      opening.join();
    } catch (CompletionException failed) {
      long open = opened.stream().filter(each -> each.lastSession().isPresent()).count();
      close();
      throw new QuorateException(
          "a session cannot be opened: %s; %d of %d were open"
              .formatted(
                  Objects.requireNonNull(failed.getCause()).getMessage(), open, opened.size()),
          failed);
    }
  }

  /** Opens a session, again and again up to a limit, as many are opened at once. */
  private void openPatiently(RecipeClient<S> client) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        give(client, opener.apply(client));
        return;
      } catch (QuorateException failed) {
        if (recipes.isStopped() || System.nanoTime() - deadline > 0) {
          throw failed;
        }
        Pause.of(AGAIN, "a session");
      }
    }
  }

  /** Passes a free client to a request, now or when there is one. */
  void take(Consumer<RecipeClient<S>> request) {
    RecipeClient<S> client;
    synchronized (this) {
      client = free.poll();
      if (client == null) {
        waiting.add(request);
        return;
      }
    }
    request.accept(client);
  }

  /** Begins to use a new session of a client; closes it if its step has ended. */
  private void give(RecipeClient<S> client, S session) {
    boolean present;
    synchronized (this) {
      present = !recipes.isClosed() && all.contains(client);
      if (present) {
        client.opened(session);
      }
    }
    if (present) {
      give(client);
    } else {
      closer.accept(session);
    }
  }

  private void give(RecipeClient<S> client) {
    Consumer<RecipeClient<S>> next;
    synchronized (this) {
      if (!all.contains(client)) {
        return;
      }
      next = waiting.poll();
      if (next == null) {
        free.add(client);
        return;
      }
    }
    next.accept(client);
  }

  /** Gives a client back, which gets another session if its own has ended. */
  void free(RecipeClient<S> client) {
    if (client.isLost()) {
      replace(client);
    } else {
      give(client);
    }
  }

  /**
   * Returns the completion of a request of a client. After a failure the client drops its session,
   * with all that it may hold, and the operation fails.
   *
   * @param next receives the answer
   * @param failure what comes before that after a failure
   */
  Completion completion(
      RecipeClient<S> client, Completion operation, Consumer<Answer> next, Runnable failure) {
    return Completion.of(
        next,
        (kind, message) -> {
          failure.run();
          drop(client);
          operation.failed(kind, message);
        });
  }

  /** Ends the session of a client, and gives it another one. */
  private void drop(RecipeClient<S> client) {
    closer.accept(client.session());
    replace(client);
  }

  /** Gives a client another session; tries again until it succeeds or its step has ended. */
  void replace(RecipeClient<S> client) {
    try {
      recipes
          .openers()
          .execute(
              () -> {
                if (recipes.isStopped()) {
                  return;
                }
                try {
                  give(client, opener.apply(client));
                } catch (RuntimeException unreachable) {
                  recipes.later(AGAIN, () -> replace(client));
                }
              });
    } catch (RejectedExecutionException afterClose) {
      return;
    }
  }

  void close() {
    List<RecipeClient<S>> ended;
    synchronized (this) {
      ended = List.copyOf(all);
      all.clear();
      free.clear();
      waiting.clear();
    }
    ended.stream().flatMap(each -> each.lastSession().stream()).forEach(closer);
  }
}
