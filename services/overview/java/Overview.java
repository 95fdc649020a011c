import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * The overview service as it is written with blocking calls: a thread for each page, and one for each call of a block.
 * With 15 pages at once and blocks of up to five calls these are 15 × 6 = 90 threads at most. The page, its settings
 * and its errors are those of the service in Node.js.
 *
 * <p>One source file and the JDK alone. It compiles for Java 17; with a newer runtime it can use virtual threads, which
 * it reaches by reflection.
 */
public final class Overview {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
  private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9-]{1,32}");
  private static final int WARM_UP_AT_ONCE = 15;
  private static final Pattern REFERENCE = Pattern.compile("[a-z0-9-]{1,64}");

  /** A setting or description that cannot be used: what, what was expected, what was found. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  public static void main(String[] args) {
    try {
      serve(Config.read(System.getenv()));
    } catch (Refused | IOException error) {
      System.err.println("failed to start: " + error.getMessage());
      System.exit(1);
    }
  }

  private static void serve(Config config) throws Refused, IOException {
    setProperties(config);
    Description description = Description.read(config.description());
    if (config.flow()) description.checkFlow();
    Upstreams upstreams = Upstreams.find(config.upstreams());
    description.checkUpstreams(upstreams.origins());
    ExecutorService pageThreads = threads(config.virtual(), config.pages());
    ExecutorService callThreads = threads(config.virtual(), config.pages() * Description.MOST_CALLS);
    Metrics metrics = new Metrics();
    Caller caller = new Caller(upstreams.origins(), callThreads, config.connections());
    Pages pages = new Pages(description, caller, config.flow());
    Log log = new Log(config.logLevel());
    App app = new App(pages, metrics, log);
    warmUp(pages, pageThreads, config.warmUpPages());

    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(config.host()), config.port()), 1024);
    server.createContext("/", app::handle);
    server.setExecutor(pageThreads);
    server.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      app.drain(config.shutdownGraceMs());
      upstreams.release();
      // Without it a process that was told to end has ended by a signal, and not well.
      Runtime.getRuntime().halt(0);
    }));
    String url = "http://" + config.host() + ":" + server.getAddress().getPort();
    log.info("listening", Map.of("url", url, "control", upstreams.control()));
  }

  /** Pages that nobody asked for, so that the first ones that somebody does ask for find compiled code. */
  private static void warmUp(Pages pages, ExecutorService threads, int count) {
    AtomicInteger left = new AtomicInteger(count);
    List<Future<?>> all = new ArrayList<>();
    for (int worker = 0; worker < WARM_UP_AT_ONCE; worker++) {
      all.add(threads.submit(() -> {
        while (left.getAndDecrement() > 0) Json.write(pages.toJson("warm-up", pages.compose("warm-up")));
      }));
    }
    for (Future<?> each : all) {
      try {
        each.get();
      } catch (ExecutionException | InterruptedException error) {
        throw new IllegalStateException(error);
      }
    }
  }

  /** What the classes of the JDK read when they are first used. */
  private static void setProperties(Config config) {
    // Head and body leave in two packets, and the second one would wait for the acknowledgement of the first.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxReqTime", "66");
    System.setProperty("sun.net.httpserver.idleInterval", "65");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "1000");
    // Connections that are kept to one upstream; the default is 5.
    System.setProperty("http.maxConnections", Integer.toString(config.connections()));
    System.setProperty("sun.net.http.retryPost", "false");
  }

  private static ExecutorService threads(boolean virtual, int most) throws Refused {
    if (!virtual) return Executors.newFixedThreadPool(most);
    try {
      return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException error) {
      throw new Refused("OVERVIEW_THREADS=virtual needs Java 21 or newer; found " + Runtime.version());
    }
  }

  /**
   * The environment, read once.
   *
   * @param pages that are put together at once, with threads that are not virtual; more wait
   * @param connections to one upstream, at most
   */
  record Config(
      String host,
      int port,
      String logLevel,
      Path description,
      String upstreams,
      boolean flow,
      boolean virtual,
      int pages,
      int connections,
      int warmUpPages,
      int shutdownGraceMs) {

    static Config read(Map<String, String> env) throws Refused {
      return new Config(
          text(env, "HOST", "127.0.0.1"),
          integer(env, "PORT", 3000, 0, 65_535),
          oneOf(env, "LOG_LEVEL", "error", "silent", "error", "warn", "info", "debug"),
          Path.of(text(env, "OVERVIEW_DESCRIPTION", home().resolve("page.json").toString())),
          text(env, "OVERVIEW_UPSTREAMS", "embedded"),
          oneOf(env, "OVERVIEW_COMPOSITION", "hub", "hub", "flow").equals("flow"),
          oneOf(env, "OVERVIEW_THREADS", "platform", "platform", "virtual").equals("virtual"),
          integer(env, "OVERVIEW_PAGES", 15, 1, 10_000),
          integer(env, "OVERVIEW_CONNECTIONS", 64, 1, 10_000),
          integer(env, "OVERVIEW_WARM_UP_PAGES", 0, 0, 100_000),
          integer(env, "OVERVIEW_SHUTDOWN_GRACE_MS", 3_000, 0, 600_000));
    }

    /** The directory of the service. */
    static Path home() {
      return Path.of(System.getProperty("overview.home", "services/overview"));
    }

    private static String text(Map<String, String> env, String name, String fallback) {
      String value = env.getOrDefault(name, "");
      return value.isEmpty() ? fallback : value;
    }

    private static int integer(Map<String, String> env, String name, int fallback, int least, int most) throws Refused {
      String value = text(env, name, Integer.toString(fallback));
      if (value.matches("\\d{1,9}")) {
        int number = Integer.parseInt(value);
        if (number >= least && number <= most) return number;
      }
      throw new Refused(
          name + " must be a whole number from " + least + " to " + most + "; found \"" + value + "\"");
    }

    private static String oneOf(Map<String, String> env, String name, String fallback, String... choices) throws Refused {
      String value = text(env, name, fallback);
      if (Arrays.asList(choices).contains(value)) return value;
      throw new Refused(name + " must be one of " + String.join(", ", choices) + "; found \"" + value + "\"");
    }
  }

  /** A call of a block. */
  record Planned(String upstream, int timeoutMs) {}

  /** Some calls at once. */
  record Block(String name, List<Planned> calls) {}

  /** What a page consists of: three blocks, one after the other, each of two to five calls at once. */
  record Description(int deadlineMs, List<Block> blocks) {
    static final int MOST_CALLS = 5;
    /** What a leader of the flow needs to respond before its caller gives up. */
    private static final int HOP_MS = 50;

    static Description read(Path path) throws Refused {
      try {
        return check(Json.parse(Files.readString(path)));
      } catch (IOException error) {
        throw new Refused(path + " cannot be read: " + error);
      } catch (Json.Malformed | ClassCastException error) {
        throw new Refused(path + ": " + error.getMessage());
      }
    }

    private static Description check(Object value) throws Refused {
      Map<String, Object> page = object(value, "deadline_ms", "blocks");
      List<Block> blocks = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (Object each : list(page.get("blocks"), 3, 3)) {
        Map<String, Object> block = object(each, "name", "calls");
        List<Planned> calls = new ArrayList<>();
        for (Object call : list(block.get("calls"), 2, MOST_CALLS)) {
          Map<String, Object> planned = object(call, "upstream", "timeout_ms");
          String upstream = name(planned.get("upstream"));
          if (!names.add(upstream)) throw new Refused("each upstream may be called once; found \"" + upstream + "\" twice");
          calls.add(new Planned(upstream, duration(planned.get("timeout_ms"))));
        }
        blocks.add(new Block(name(block.get("name")), calls));
      }
      return new Description(duration(page.get("deadline_ms")), blocks);
    }

    /** In a flow, a page that is late would lose everything. */
    void checkFlow() throws Refused {
      int needed = flowTimeoutMs(0);
      if (deadlineMs >= needed) return;
      throw new Refused("in a flow, deadline_ms must be at least " + needed + "; found " + deadlineMs);
    }

    void checkUpstreams(Map<String, String> origins) throws Refused {
      for (Block block : blocks) {
        for (Planned call : block.calls()) {
          if (!origins.containsKey(call.upstream())) {
            throw new Refused("there is no upstream \"" + call.upstream() + "\"; there are " + origins.keySet());
          }
        }
      }
    }

    /** The longest that the blocks take together, from one of them on. */
    int flowTimeoutMs(int from) {
      return blocks.subList(from, blocks.size()).stream()
          .mapToInt(block -> HOP_MS + block.calls().stream().mapToInt(Planned::timeoutMs).max().orElse(0))
          .sum();
    }

    private static Map<String, Object> object(Object value, String... keys) throws Refused {
      Map<String, Object> object = Json.object(value);
      if (object != null && object.keySet().equals(Set.of(keys))) return object;
      throw new Refused("expected an object of " + String.join(", ", keys) + "; found " + Json.write(value));
    }

    private static List<?> list(Object value, int least, int most) throws Refused {
      if (value instanceof List<?> list && list.size() >= least && list.size() <= most) return list;
      throw new Refused("expected a list of " + least + " to " + most + "; found " + Json.write(value));
    }

    private static String name(Object value) throws Refused {
      if (value instanceof String name && NAME.matcher(name).matches()) return name;
      throw new Refused("expected a name of a-z, 0-9 and -; found " + Json.write(value));
    }

    private static int duration(Object value) throws Refused {
      if (value instanceof Long number && number >= 1 && number <= 60_000) return number.intValue();
      throw new Refused("expected whole milliseconds from 1 to 60000; found " + Json.write(value));
    }
  }

  /** Where the upstreams are: of a running fleet of simulators, or of one that is started for this service alone. */
  record Upstreams(String control, Map<String, String> origins, Socket lease) {

    static Upstreams find(String where) throws Refused, IOException {
      String control = switch (where) {
        case "embedded" -> start("apart.js");
        case "within" -> start("main.js", "--leased");
        default -> where;
      };
      Socket lease = control.equals(where) ? null : takeLease(URI.create(control));
      try (InputStream response = URI.create(control + "/origins").toURL().openStream()) {
        Map<String, Object> found = Json.object(Json.parse(new String(response.readAllBytes(), StandardCharsets.UTF_8)));
        Map<String, String> origins = new LinkedHashMap<>();
        found.forEach((name, origin) -> origins.put(name, (String) origin));
        return new Upstreams(control, origins, lease);
      } catch (IllegalArgumentException | Json.Malformed error) {
        throw new Refused("OVERVIEW_UPSTREAMS must be embedded, within, or the URL of a running fleet; found \"" + where + "\"");
      }
    }

    void release() {
      try {
        if (lease != null) lease.close();
      } catch (IOException ignored) {
        // It is gone then, which is what is wanted.
      }
    }

    /** The URL that it prints. */
    private static String start(String... program) throws Refused, IOException {
      List<String> command = new ArrayList<>(List.of("node"));
      command.add(Config.home().resolve("simulators").resolve(program[0]).toString());
      command.addAll(Arrays.asList(program).subList(1, program.length));
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.environment().remove("NODE_OPTIONS");
      BufferedReader output = new BufferedReader(new InputStreamReader(builder.start().getInputStream(), StandardCharsets.UTF_8));
      String line = output.readLine();
      try {
        return (String) Json.object(Json.parse(line == null ? "" : line)).get("url");
      } catch (Json.Malformed error) {
        throw new Refused("the simulated upstreams did not start; their message is above");
      }
    }

    /** An open request, for as long as the upstreams are needed. It ends with the process, however that ends. */
    private static Socket takeLease(URI control) throws IOException {
      Socket socket = new Socket(control.getHost(), control.getPort());
      socket.getOutputStream().write("GET /lease HTTP/1.1\r\nhost: upstreams\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return socket;
    }
  }

  /** What a call led to: a value of JSON, or the reason that there is none. */
  record Outcome(Object value, String reason) {
    static Outcome missing(String reason) {
      return new Outcome(null, reason);
    }
  }

  /** Calls to upstreams: blocking, each on a thread, over kept connections whose number is bounded. */
  static final class Caller {
    private static final int MOST_BYTES = 262_144;
    private final Map<String, String> origins;
    private final ExecutorService threads;
    private final Map<String, Semaphore> connections = new HashMap<>();

    Caller(Map<String, String> origins, ExecutorService threads, int connections) {
      this.origins = origins;
      this.threads = threads;
      origins.keySet().forEach(name -> this.connections.put(name, new Semaphore(connections)));
    }

    /** A call on its way. */
    final class Call {
      private final String upstream;
      private final String path;
      private final String body;
      private final long untilNs;
      private final boolean endsWithPage;
      private final Future<Outcome> future;
      private volatile HttpURLConnection connection;
      private volatile boolean givenUp;

      /** @param body sent by POST; {@code null} for a GET */
      Call(String upstream, String path, String body, int timeoutMs, long deadlineNs) {
        this.upstream = upstream;
        this.path = path;
        this.body = body;
        long ownNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        this.endsWithPage = deadlineNs - ownNs < 0;
        this.untilNs = endsWithPage ? deadlineNs : ownNs;
        this.future = leftMs() > 0 ? threads.submit(this::make) : null;
      }

      /** Waits for it, until its own timeout or the deadline of the page, and breaks it off then. */
      Outcome await() {
        if (future == null) return late();
        try {
          return future.get(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException error) {
          givenUp = true;
          HttpURLConnection open = connection;
          if (open != null) open.disconnect();
          return late();
        } catch (ExecutionException error) {
          throw new IllegalStateException(error.getCause());
        } catch (InterruptedException error) {
          Thread.currentThread().interrupt();
          return late();
        }
      }

      private Outcome late() {
        return Outcome.missing(endsWithPage ? "deadline" : "timeout");
      }

      /** Whole milliseconds, rounded up: a timeout of zero would be none at all. */
      private int leftMs() {
        return (int) Math.max(0, TimeUnit.NANOSECONDS.toMillis(untilNs - System.nanoTime() + 999_999));
      }

      private Outcome make() {
        Semaphore free = connections.get(upstream);
        boolean taken = false;
        try {
          taken = free.tryAcquire(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
          return taken && !givenUp ? exchange() : late();
        } catch (ConnectException error) {
          return Outcome.missing("refused");
        } catch (SocketTimeoutException error) {
          return late();
        } catch (IOException error) {
          return Outcome.missing("broken");
        } catch (Json.Malformed error) {
          return Outcome.missing("malformed");
        } catch (InterruptedException error) {
          Thread.currentThread().interrupt();
          return late();
        } finally {
          if (taken) free.release();
        }
      }

      private Outcome exchange() throws IOException, Json.Malformed {
        HttpURLConnection http =
            (HttpURLConnection) URI.create(origins.get(upstream) + path).toURL().openConnection();
        connection = http;
        int leftMs = leftMs();
        if (leftMs == 0) return late();
        http.setConnectTimeout(leftMs);
        http.setReadTimeout(leftMs);
        if (body != null) {
          http.setDoOutput(true);
          http.setRequestProperty("content-type", "application/json");
          try (OutputStream out = http.getOutputStream()) {
            out.write(body.getBytes(StandardCharsets.UTF_8));
          }
        }
        int status = http.getResponseCode();
        if (status == -1) {
          http.disconnect();
          return Outcome.missing("malformed");
        }
        byte[] bytes;
        // Read to its end and closed, so that the connection is kept.
        try (InputStream in = status < 400 ? http.getInputStream() : http.getErrorStream()) {
          bytes = in == null ? new byte[0] : in.readNBytes(MOST_BYTES + 1);
          if (bytes.length > MOST_BYTES) {
            http.disconnect();
            return Outcome.missing("too_large");
          }
        }
        // The JDK takes a body that ends too early for a whole one.
        if (bytes.length < http.getContentLengthLong()) return Outcome.missing("broken");
        if (status != 200) return Outcome.missing("status");
        return new Outcome(Json.parse(new String(bytes, StandardCharsets.UTF_8)), null);
      }
    }
  }

  /** A part of the page: what an upstream said, or the reason that it is missing. */
  record Part(String name, Map<String, Object> content, String reason) {
    /** Every reason there is. One is counted and shown, so what a leader says has to be one of ours. */
    private static final Set<String> REASONS = Set.of(
        "timeout", "refused", "broken", "status", "malformed", "too_large", "deadline", "client_gone", "not_reached");

    static Part of(String name, Outcome outcome) {
      if (outcome.reason() != null) return new Part(name, null, outcome.reason());
      Map<String, Object> content = Json.object(outcome.value());
      return hasReference(content) ? new Part(name, content, null) : new Part(name, null, "malformed");
    }

    /** From what a leader of the flow said of it; {@code null} if that is no part of this name. */
    static Part received(String name, Object value) {
      Map<String, Object> part = Json.object(value);
      if (part == null || !name.equals(part.get("name"))) return null;
      if (!"present".equals(part.get("status"))) {
        return part.get("reason") instanceof String reason && REASONS.contains(reason) ? new Part(name, null, reason) : null;
      }
      Map<String, Object> content = Json.object(part.get("content"));
      return hasReference(content) ? new Part(name, content, null) : null;
    }

    boolean present() {
      return content != null;
    }

    /** A reference goes into the next address, so what it may consist of matters. */
    private static boolean hasReference(Map<String, Object> content) {
      return content != null
          && content.get("reference") instanceof String reference
          && REFERENCE.matcher(reference).matches();
    }

    Map<String, Object> toJson() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("name", name);
      json.put("status", present() ? "present" : "missing");
      json.put(present() ? "content" : "reason", present() ? content : reason);
      return json;
    }
  }

  /** The page: composed one way or the other, in time, and saying what it lacks. */
  record Pages(Description description, Caller caller, boolean flow) {

    /** The parts of each block. Ends at the deadline, with what came. */
    List<List<Part>> compose(String account) {
      long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(description.deadlineMs());
      return flow ? byFlow(account, deadlineNs) : byHub(account, deadlineNs);
    }

    Map<String, Object> toJson(String account, List<List<Part>> parts) {
      List<String> missing =
          parts.stream().flatMap(List::stream).filter(part -> !part.present()).map(Part::name).toList();
      List<Object> blocks = new ArrayList<>();
      for (int row = 0; row < parts.size(); row++) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("name", description.blocks().get(row).name());
        block.put("parts", parts.get(row).stream().map(Part::toJson).toList());
        blocks.add(block);
      }
      Map<String, Object> page = new LinkedHashMap<>();
      page.put("account", account);
      page.put("composition", flow ? "flow" : "hub");
      page.put("complete", missing.isEmpty());
      page.put("missing", missing);
      page.put("blocks", blocks);
      return page;
    }

    /** The conductor makes every call itself, one block after the other. */
    private List<List<Part>> byHub(String account, long deadlineNs) {
      List<List<Part>> done = new ArrayList<>();
      String basis = "";
      for (Block block : description.blocks()) {
        String path = "/parts/" + account + (basis.isEmpty() ? "" : "?basis=" + basis);
        List<Caller.Call> calls = block.calls().stream()
            .map(planned -> caller.new Call(planned.upstream(), path, null, planned.timeoutMs(), deadlineNs))
            .toList();
        List<Part> parts = new ArrayList<>();
        for (int column = 0; column < calls.size(); column++) {
          parts.add(Part.of(block.calls().get(column).upstream(), calls.get(column).await()));
        }
        done.add(parts);
        basis = String.join(",", parts.stream()
            .filter(Part::present)
            .map(part -> (String) part.content().get("reference"))
            .toList());
      }
      return done;
    }

    /** Each service calls the next; the conductor starts it and gets the end result. */
    private List<List<Part>> byFlow(String account, long deadlineNs) {
      List<Object> blocks = new ArrayList<>();
      for (Block block : description.blocks()) {
        blocks.add(block.calls().stream()
            .map(planned -> Map.of("upstream", planned.upstream(), "timeout_ms", planned.timeoutMs()))
            .toList());
      }
      String slip = Json.write(Map.of("account", account, "basis", List.of(), "blocks", blocks));
      String leader = description.blocks().get(0).calls().get(0).upstream();
      Outcome outcome = caller.new Call(leader, "/flow", slip, description.flowTimeoutMs(0), deadlineNs).await();
      if (outcome.reason() != null) return lost(outcome.reason());
      List<List<Part>> parts = received(outcome.value());
      return parts != null ? parts : lost("malformed");
    }

    /** {@code null} if it is not what the leader was asked. */
    private List<List<Part>> received(Object value) {
      if (!(value instanceof List<?> rows) || rows.size() != description.blocks().size()) return null;
      List<List<Part>> parts = new ArrayList<>();
      for (int row = 0; row < rows.size(); row++) {
        List<Planned> calls = description.blocks().get(row).calls();
        if (!(rows.get(row) instanceof List<?> columns) || columns.size() != calls.size()) return null;
        List<Part> block = new ArrayList<>();
        for (int column = 0; column < calls.size(); column++) {
          Part part = Part.received(calls.get(column).upstream(), columns.get(column));
          if (part == null) return null;
          block.add(part);
        }
        parts.add(block);
      }
      return parts;
    }

    private List<List<Part>> lost(String reason) {
      Planned leader = description.blocks().get(0).calls().get(0);
      return description.blocks().stream()
          .map(block -> block.calls().stream()
              .map(call -> new Part(call.upstream(), null, call == leader ? reason : "not_reached"))
              .toList())
          .toList();
    }
  }

  /** A function from a request to a response. */
  static final class App {
    private static final List<String> PROBES = List.of("/health/live", "/health/ready", "/metrics");
    private final Pages pages;
    private final Metrics metrics;
    private final Log log;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean stopping;

    App(Pages pages, Metrics metrics, Log log) {
      this.pages = pages;
      this.metrics = metrics;
      this.log = log;
    }

    /** What the client is told. */
    record Reply(int status, String type, String body, Map<String, String> headers) {
      static Reply text(String body) {
        return new Reply(200, "text/plain; charset=utf-8", body, Map.of());
      }

      /** A problem document (RFC 9457). */
      static Reply problem(int status, String code, String title, Map<String, String> headers) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type", "urn:problem:overview:" + code);
        document.put("title", title);
        document.put("status", (long) status);
        document.put("code", code);
        return new Reply(status, "application/problem+json", Json.write(document), headers);
      }
    }

    void handle(HttpExchange exchange) throws IOException {
      inFlight.incrementAndGet();
      String path = exchange.getRequestURI().getRawPath();
      boolean overview = path.startsWith("/overview/") && path.indexOf('/', 10) == -1;
      Reply reply;
      try {
        reply = respond(exchange, path, overview);
      } catch (RuntimeException error) {
        log.error("request failed", Map.of("url", path, "reason", String.valueOf(error)));
        reply = Reply.problem(500, "internal", "The service failed", Map.of());
      }
      try {
        metrics.requests.add("route=\"" + (overview ? "/overview/{account}" : PROBES.contains(path) ? path : "none")
            + "\",status=\"" + reply.status() + "\"");
        send(exchange, reply);
      } finally {
        inFlight.decrementAndGet();
      }
    }

    /** Waits for what is in flight, as long as the grace lasts. */
    void drain(int graceMs) {
      stopping = true;
      long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMs);
      while (inFlight.get() > 0 && System.nanoTime() - untilNs < 0) {
        try {
          Thread.sleep(10);
        } catch (InterruptedException error) {
          return;
        }
      }
    }

    private Reply respond(HttpExchange exchange, String path, boolean overview) {
      if (!overview && !PROBES.contains(path)) {
        return Reply.problem(404, "path_not_found", "There is nothing at this path", Map.of());
      }
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        return Reply.problem(
            405, "method_not_allowed", "The path does not accept this method", Map.of("allow", "GET, HEAD"));
      }
      if (hasBody(exchange)) {
        return Reply.problem(400, "unexpected_body", "No request here has a body", Map.of("connection", "close"));
      }
      return switch (path) {
        case "/health/live" -> Reply.text("live\n");
        case "/health/ready" -> stopping
            ? Reply.problem(503, "not_ready", "The service is not ready", Map.of())
            : Reply.text("ready\n");
        case "/metrics" -> new Reply(200, "text/plain; version=0.0.4; charset=utf-8", metrics.toText(), Map.of());
        default -> page(path.substring(10));
      };
    }

    private Reply page(String account) {
      if (!ACCOUNT.matcher(account).matches()) {
        return Reply.problem(400, "invalid_account", "This cannot be the name of an account", Map.of());
      }
      long startedNs = System.nanoTime();
      List<List<Part>> parts = pages.compose(account);
      boolean complete = parts.stream().flatMap(List::stream).allMatch(Part::present);
      metrics.page(complete ? "complete" : "degraded", (System.nanoTime() - startedNs) / 1e9, parts);
      Map<String, Object> page = pages.toJson(account, parts);
      if (!complete) log.warn("page degraded", Map.of("account", account, "missing", page.get("missing")));
      return new Reply(200, "application/json", Json.write(page), Map.of());
    }

    /**
     * @throws IOException if the client left, which the server tells of no exchange before it is written to; or because
     *     a body is on its way that is not wanted: closing the exchange would wait for it, an exception ends the
     *     connection
     */
    private void send(HttpExchange exchange, Reply reply) throws IOException {
      byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("content-type", reply.type());
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      if (stopping) exchange.getResponseHeaders().set("connection", "close");
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(reply.status(), head ? -1 : bytes.length);
      if (!head) {
        OutputStream out = exchange.getResponseBody();
        out.write(bytes);
        out.flush();
        if (hasBody(exchange)) {
          // What came of it is read: a connection that is closed with unread bytes is reset, and the response lost.
          exchange.getRequestBody().skip(exchange.getRequestBody().available());
          throw new IOException("the body of the request is not wanted");
        }
      }
      exchange.close();
    }

    private static boolean hasBody(HttpExchange exchange) {
      String length = exchange.getRequestHeaders().getFirst("content-length");
      return exchange.getRequestHeaders().containsKey("transfer-encoding") || (length != null && !length.matches("0+"));
    }
  }

  /** Counters, in the text format of Prometheus (version 0.0.4). */
  static final class Metrics {
    /** Upper ends of the buckets, in seconds. */
    private static final double[] BUCKETS_S = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5};
    final Counter requests = new Counter("overview_requests_total", "Requests served.");
    private final Counter pages = new Counter("overview_pages_total", "Pages put together.");
    private final Counter parts =
        new Counter("overview_parts_total", "Parts of pages, present or by the reason that they are not.");
    private final LongAdder[] buckets = new LongAdder[BUCKETS_S.length];
    private final LongAdder count = new LongAdder();
    private final DoubleAdder seconds = new DoubleAdder();

    Metrics() {
      Arrays.setAll(buckets, index -> new LongAdder());
    }

    void page(String result, double serviceTimeS, List<List<Part>> all) {
      pages.add("result=\"" + result + "\"");
      all.forEach(block -> block.forEach(part -> parts.add(
          "upstream=\"" + part.name() + "\",result=\"" + (part.present() ? "present" : part.reason()) + "\"")));
      seconds.add(serviceTimeS);
      count.increment();
      for (int index = 0; index < BUCKETS_S.length; index++) {
        if (serviceTimeS <= BUCKETS_S[index]) {
          buckets[index].increment();
          return;
        }
      }
    }

    String toText() {
      StringBuilder text = new StringBuilder();
      requests.write(text);
      pages.write(text);
      parts.write(text);
      String name = "overview_page_service_time_seconds";
      head(text, name, "From the request to the page.", "histogram");
      long below = 0;
      for (int index = 0; index < BUCKETS_S.length; index++) {
        below += buckets[index].sum();
        text.append(name).append("_bucket{le=\"").append(BUCKETS_S[index]).append("\"} ").append(below).append('\n');
      }
      text.append(name).append("_bucket{le=\"+Inf\"} ").append(count.sum()).append('\n');
      text.append(name).append("_sum ").append(seconds.sum()).append('\n');
      text.append(name).append("_count ").append(count.sum()).append('\n');
      head(text, "jvm_threads", "Threads, without virtual ones.", "gauge");
      text.append("jvm_threads ").append(ManagementFactory.getThreadMXBean().getThreadCount()).append('\n');
      head(text, "jvm_threads_peak", "The most threads there were.", "gauge");
      text.append("jvm_threads_peak ").append(ManagementFactory.getThreadMXBean().getPeakThreadCount()).append('\n');
      return text.toString();
    }

    private static void head(StringBuilder text, String name, String help, String type) {
      text.append("# HELP ").append(name).append(' ').append(help).append('\n');
      text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    /** One number for each set of labels. */
    static final class Counter {
      private final String name;
      private final String help;
      private final ConcurrentMap<String, LongAdder> values = new ConcurrentHashMap<>();

      Counter(String name, String help) {
        this.name = name;
        this.help = help;
      }

      void add(String labels) {
        values.computeIfAbsent(labels, key -> new LongAdder()).increment();
      }

      void write(StringBuilder text) {
        head(text, name, help, "counter");
        values.forEach((labels, value) ->
            text.append(name).append('{').append(labels).append("} ").append(value.sum()).append('\n'));
      }
    }
  }

  /** Lines of JSON on standard output, from a level up. */
  record Log(String level) {
    private static final List<String> LEVELS = List.of("debug", "info", "warn", "error", "silent");

    void debug(String message, Map<String, Object> more) {
      write("debug", message, more);
    }

    void info(String message, Map<String, Object> more) {
      write("info", message, more);
    }

    void warn(String message, Map<String, Object> more) {
      write("warn", message, more);
    }

    void error(String message, Map<String, Object> more) {
      write("error", message, more);
    }

    private void write(String at, String message, Map<String, Object> more) {
      if (LEVELS.indexOf(at) < LEVELS.indexOf(level)) return;
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("level", at);
      line.put("time", System.currentTimeMillis());
      line.putAll(more);
      line.put("msg", message);
      System.out.println(Json.write(line));
    }
  }

  /** JSON (RFC 8259): objects are maps, arrays lists, whole numbers longs, others doubles. */
  static final class Json {
    private static final int MOST_DEPTH = 64;
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private final String text;
    private int at;

    /** What was expected, and where. */
    static final class Malformed extends Exception {
      private static final long serialVersionUID = 1;

      Malformed(String message) {
        super(message);
      }
    }

    private Json(String text) {
      this.text = text;
    }

    static Object parse(String text) throws Malformed {
      Json json = new Json(text);
      Object value = json.value(0);
      json.skipSpace();
      if (json.at < text.length()) throw json.expected("the end");
      return value;
    }

    /** {@code null} if it is not one. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
      return value instanceof Map<?, ?> ? (Map<String, Object>) value : null;
    }

    static String write(Object value) {
      StringBuilder out = new StringBuilder(4096);
      write(value, out);
      return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
      if (value instanceof String string) {
        writeString(string, out);
      } else if (value instanceof Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(separator);
          writeString((String) entry.getKey(), out);
          out.append(':');
          write(entry.getValue(), out);
          separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      } else if (value instanceof Collection<?> list) {
        String separator = "[";
        for (Object each : list) {
          out.append(separator);
          write(each, out);
          separator = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      } else {
        out.append(value);
      }
    }

    private static void writeString(String string, StringBuilder out) {
      out.append('"');
      for (int index = 0; index < string.length(); index++) {
        char letter = string.charAt(index);
        if (letter == '"' || letter == '\\') out.append('\\').append(letter);
        else if (letter < ' ') out.append(String.format("\\u%04x", (int) letter));
        else out.append(letter);
      }
      out.append('"');
    }

    private Object value(int depth) throws Malformed {
      if (depth > MOST_DEPTH) throw expected("at most " + MOST_DEPTH + " levels");
      skipSpace();
      if (at >= text.length()) throw expected("a value");
      switch (text.charAt(at)) {
        case '{':
          return object(depth);
        case '[':
          return array(depth);
        case '"':
          return string();
        case 't':
          return word("true", Boolean.TRUE);
        case 'f':
          return word("false", Boolean.FALSE);
        case 'n':
          return word("null", null);
        default:
          return number();
      }
    }

    private Map<String, Object> object(int depth) throws Malformed {
      Map<String, Object> map = new LinkedHashMap<>();
      at++;
      if (next('}')) return map;
      do {
        skipSpace();
        if (at >= text.length() || text.charAt(at) != '"') throw expected("a key");
        String key = string();
        if (!next(':')) throw expected("a colon");
        map.put(key, value(depth + 1));
      } while (next(','));
      if (!next('}')) throw expected("a comma or the end of the object");
      return map;
    }

    private List<Object> array(int depth) throws Malformed {
      List<Object> list = new ArrayList<>();
      at++;
      if (next(']')) return list;
      do {
        list.add(value(depth + 1));
      } while (next(','));
      if (!next(']')) throw expected("a comma or the end of the array");
      return list;
    }

    private String string() throws Malformed {
      int from = ++at;
      while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\' && text.charAt(at) >= ' ') at++;
      if (at < text.length() && text.charAt(at) == '"') return text.substring(from, at++);
      StringBuilder out = new StringBuilder(text.substring(from, at));
      while (at < text.length() && text.charAt(at) != '"') {
        char letter = text.charAt(at++);
        if (letter < ' ') throw expected("no control character");
        out.append(letter == '\\' ? escaped() : letter);
      }
      if (at >= text.length()) throw expected("the end of the string");
      at++;
      return out.toString();
    }

    private char escaped() throws Malformed {
      if (at >= text.length()) throw expected("an escape");
      char letter = text.charAt(at++);
      int plain = "\"\\/bfnrt".indexOf(letter);
      if (plain >= 0) return "\"\\/\b\f\n\r\t".charAt(plain);
      if (letter != 'u' || at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
        throw expected("an escape");
      }
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private Object word(String word, Object value) throws Malformed {
      if (!text.startsWith(word, at)) throw expected(word);
      at += word.length();
      return value;
    }

    private Object number() throws Malformed {
      int from = at;
      while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
      String found = text.substring(from, at);
      if (!NUMBER.matcher(found).matches()) throw expected("a value");
      boolean whole = found.length() < 19 && found.chars().allMatch(letter -> letter == '-' || Character.isDigit(letter));
      return whole ? (Object) Long.valueOf(found) : (Object) Double.valueOf(found);
    }

    private boolean next(char wanted) {
      skipSpace();
      if (at >= text.length() || text.charAt(at) != wanted) return false;
      at++;
      return true;
    }

    private void skipSpace() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private Malformed expected(String what) {
      return new Malformed("expected " + what + " at character " + at);
    }
  }
}
