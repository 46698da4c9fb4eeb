// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.gatling.javaapi.core.CoreDsl.exec;

import com.typesafe.scalalogging.Logger;
import io.gatling.commons.stats.Status;
import io.gatling.commons.util.DefaultClock;
import io.gatling.core.CoreComponents;
import io.gatling.core.Predef$;
import io.gatling.core.action.Action;
import io.gatling.core.actor.ActorRef;
import io.gatling.core.actor.ActorSystem;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.controller.Controller;
import io.gatling.core.pause.Disabled$;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolComponentsRegistries;
import io.gatling.core.protocol.ProtocolComponentsRegistry;
import io.gatling.core.session.GroupBlock;
import io.gatling.core.stats.StatsEngine;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.exec.Executable;
import io.gatling.javaapi.core.internal.Converters;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import scala.Option;
import scala.collection.immutable.List$;
import scala.collection.immutable.Map$;

/** Users of Gatling's engine, without its injector and its files: they record what they report. */
final class VirtualUsers implements AutoCloseable {
  private static final int LIMIT_SECONDS = 120;

  /** A request, as Gatling's report gets it; the message is empty for a success. */
  record Logged(String name, boolean ok, String message, long startMillis, long endMillis) {}

  private final ActorSystem actors = new ActorSystem();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final List<Logged> logged = new CopyOnWriteArrayList<>();
  private final AtomicLong users = new AtomicLong();
  private final CoreComponents core;
  private final ProtocolComponentsRegistry registry;

  VirtualUsers(StoreProtocol... protocols) {
    GatlingConfiguration configuration = GatlingConfiguration.load();
    Predef$.MODULE$._configuration_$eq(configuration);
    core =
        new CoreComponents(
            actors,
            loops,
            null,
            Option.empty(),
            new Statistics(),
            new DefaultClock(),
            new End(),
            configuration);
    registry =
        new ProtocolComponentsRegistries(
                core,
                Protocol.indexByType(
                    Converters.toScalaSeq(
                        Arrays.stream(protocols).map(StoreProtocol::protocol).toList())))
            .scenarioRegistry(Map$.MODULE$.empty());
  }

  /** Lets a user execute actions one after the other, and returns its session at the end. */
  Session run(Executable... actions) {
    return join(start(actions));
  }

  /** Lets a user begin to execute actions. */
  CompletableFuture<Session> start(Executable... actions) {
    ChainBuilder chain = exec(Arrays.stream(actions).map(Executable::toChainBuilder).toList());
    CompletableFuture<Session> end = new CompletableFuture<>();
    Action first =
        chain.wrapped.build(
            new ScenarioContext(core, registry, Disabled$.MODULE$, false), new End(end));
    first.$bang(
        new io.gatling.core.session.Session(
            "scenario",
            users.incrementAndGet(),
            Map$.MODULE$.empty(),
            Status.apply("OK"),
            List$.MODULE$.empty(),
            registry.onExit(),
            loops.next()));
    return end;
  }

  static Session join(CompletableFuture<Session> end) {
    try {
      return end.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException | InterruptedException failure) {
      throw new AssertionError("the user has not ended", failure);
    }
  }

  /** Returns whether a request of that name was reported since the last call of {@link #logged}. */
  boolean sawRequest(String name) {
    return logged.stream().anyMatch(each -> each.name().equals(name));
  }

  /** Returns what was reported since the last call. */
  List<Logged> logged() {
    List<Logged> all = List.copyOf(logged);
    logged.clear();
    return all;
  }

  /** Returns the messages of what was reported since the last call. */
  List<String> messages() {
    return logged().stream().map(each -> each.name() + ": " + each.message()).toList();
  }

  @Override
  public void close() {
    actors.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** The end of a user. */
  private record End(CompletableFuture<Session> end) implements Action {
    End() {
      this(new CompletableFuture<>());
    }

    @Override
    public String name() {
      return "end";
    }

    @Override
    public void $bang(io.gatling.core.session.Session session) {
      session.eventLoop().execute(() -> execute(session));
    }

    @Override
    public void execute(io.gatling.core.session.Session session) {
      session.exit();
      end.complete(new Session(session));
    }

    @Override
    public Logger logger() {
      return Logger.apply(End.class);
    }

    @Override
    public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger value) {
      // only Scala classes get their logger in this way
    }
  }

  private final class Statistics implements StatsEngine {
    @Override
    public void start() {
      // nothing
    }

    @Override
    public void stop(ActorRef<Controller.Command> controller, Option<Exception> failure) {
      // nothing
    }

    @Override
    public void logUserStart(String scenario) {
      // nothing
    }

    @Override
    public void logUserEnd(String scenario) {
      // nothing
    }

    @Override
    public void logResponse(
        String scenario,
        scala.collection.immutable.List<String> groups,
        String request,
        long startMillis,
        long endMillis,
        Status status,
        Option<String> code,
        Option<String> message) {
      logged.add(
          new Logged(
              request,
              status.name().equals("OK"),
              message.isDefined() ? message.get() : "",
              startMillis,
              endMillis));
    }

    @Override
    public void logGroupEnd(String scenario, GroupBlock group, long millis) {
      // nothing
    }

    @Override
    public void logRequestCrash(
        String scenario,
        scala.collection.immutable.List<String> groups,
        String request,
        String message) {
      logged.add(new Logged(request, false, "crash: " + message, 0, 0));
    }
  }
}
