package io.tidemill;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.tidemill.api.wrong.ShowsTheInside;
import io.tidemill.content.wrong.ReadsSettings;
import io.tidemill.contract.job.wrong.KnowsItsSibling;
import io.tidemill.cycle.one.One;
import io.tidemill.cycle.two.Two;
import io.tidemill.gateway.wrong.AnswersWithAResponse;
import io.tidemill.gateway.wrong.KnowsAnotherRole;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.wrong.TalksToServers;
import io.tidemill.job.wrong.KnowsAnotherDomain;
import io.tidemill.kafka.wrong.ReadsAContract;
import io.tidemill.service.Service;
import io.tidemill.work.wrong.ImportsUpwards;
import io.tidemill.worker.wrong.ActsLikeAMain;
import io.tidemill.worker.wrong.LooksAtTheClock;
import io.tidemill.worker.wrong.Wish;
import io.tidemill.worker.wrong.WritesShortTimes;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Who may import whom, over all modules; ARCHITECTURE.md has the picture. Beside each rule stands
/// a class that breaks it, so that no rule can pass by seeing nothing.
class ArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/io/tidemill/testing/"))
          .importPackages("io.tidemill");

  private static final List<String> CONTRACTS = List.of("contract", "json");
  private static final List<String> BASE = List.of("work", "config", "observe", "service");
  private static final List<String> TRANSPORTS =
      List.of("redis", "kafka", "amqp", "s3", "lucene", "sql", "http", "fetch", "llm", "embedding");
  private static final List<String> DOMAINS =
      List.of(
          "job",
          "crawl",
          "workflow",
          "search",
          "recordsearch",
          "analytics",
          "deadletter",
          "trace",
          "audit",
          "presence",
          "provision",
          "schema");
  private static final List<String> ROLES =
      List.of("gateway", "crawler", "indexer", "collector", "processor", "worker", "dashboard");
  private static final List<String> TOP = List.of("cli", "bench", "app", "servers");

  /// Which domains know others; ARCHITECTURE.md says why.
  private static final Map<String, List<String>> DOMAINS_THAT_MEET =
      Map.of("deadletter", List.of("job", "crawl", "workflow", "schema"));

  /// Which transports know others: a refused call of a model says when to come back as any answer
  /// to a fetch does.
  private static final Map<String, List<String>> TRANSPORTS_THAT_MEET =
      Map.of("llm", List.of("fetch"));

  private static final int MOST_CLASSES = 25;

  private static final String PRIVATE_TYPES =
      "Letters?|WayBack|Wish|DeadBoth|\\w*Desk|RunningFlow|Stay|Kit|Things?|Things?[A-Z]\\w*|Lanes?"
          + "|Gather|Glance|Looks?|\\w+Looks|Manners|Lookback|Scratches|Feelings?|Feeling[A-Z]\\w*"
          + "|Utterance|Fluency|Announced|Verdict|Handled|InTurn|Flows?|Flow[A-Z]\\w*";
  private static final String PRIVATE_METHODS =
      "told|knew|isDear|goesOn|letGo|callOff|awaitBetterTimes|isShort|isDeaf|manners";

  private static String[] in(List<String> names) {
    return names.stream().map(name -> "io.tidemill." + name + "..").toArray(String[]::new);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static String[] in(List<String>... names) {
    var all = new ArrayList<String>();
    for (var some : names) all.addAll(some);
    return in(all);
  }

  @Test
  void everyPackageHasALayer() {
    var known = in(CONTRACTS, BASE, List.of("api", "content"), TRANSPORTS, DOMAINS, ROLES, TOP);

    check(classes().should().resideInAnyPackage(known), One.class);
  }

  @Test
  void importsPointDown() {
    var aboveBase = never(BASE, List.of("api", "content"), TRANSPORTS, DOMAINS, ROLES, TOP);
    var aboveTransports = never(TRANSPORTS, List.of("api"), DOMAINS, ROLES, TOP);
    var aboveDomains = never(DOMAINS, ROLES, TOP);
    for (var rule : List.of(aboveBase, aboveTransports, aboveDomains, never(ROLES, TOP))) {
      rule.check(ALL);
    }

    assertBroken(aboveBase, ImportsUpwards.class);
    assertBroken(aboveTransports, TalksToServers.class);
    assertBroken(aboveDomains, KnowsAnotherDomain.class);
    assertBroken(never(ROLES, TOP), ActsLikeAMain.class);
  }

  @Test
  void commandsAndBenchmarksNeverKnowTheApp() {
    never(List.of("cli"), List.of("app", "bench", "servers"), ROLES, DOMAINS, TRANSPORTS)
        .check(ALL);
    never(List.of("bench"), List.of("app", "cli")).check(ALL);
    never(List.of("servers"), CONTRACTS, BASE, TRANSPORTS, DOMAINS, ROLES).check(ALL);

    assertBroken(never(List.of("worker"), List.of("servers")), ActsLikeAMain.class);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static ArchRule never(List<String> below, List<String>... above) {
    return noClasses()
        .that()
        .resideInAnyPackage(in(below))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(in(above));
  }

  @Test
  void rolesNeverImportEachOther() {
    for (var role : ROLES) apart(role, ROLES, List.of()).check(ALL);

    assertBroken(apart("gateway", ROLES, List.of()), KnowsAnotherRole.class);
  }

  @Test
  void transportsMeetOnlyAsWrittenDown() {
    for (var name : TRANSPORTS) {
      apart(name, TRANSPORTS, TRANSPORTS_THAT_MEET.getOrDefault(name, List.of())).check(ALL);
    }

    assertBroken(apart("http", TRANSPORTS, List.of()), TalksToServers.class);
  }

  @Test
  void domainsMeetOnlyAsWrittenDown() {
    for (var name : DOMAINS) {
      apart(name, DOMAINS, DOMAINS_THAT_MEET.getOrDefault(name, List.of())).check(ALL);
    }

    assertBroken(apart("job", DOMAINS, List.of()), KnowsAnotherDomain.class);
  }

  private static ArchRule apart(String one, List<String> all, List<String> allowed) {
    var others = new ArrayList<>(all);
    others.remove(one);
    others.removeAll(allowed);
    return never(List.of(one), others);
  }

  @Test
  void domainsKnowNoHttp() {
    var rule = never(DOMAINS, List.of("http"));

    check(rule, KnowsAnotherDomain.class);
  }

  /// A use case answers with a result of its own, so that more than HTTP can call it.
  @Test
  void onlyRoutesSeeRequestsAndResponses() {
    var rule =
        noClasses()
            .that()
            .resideOutsideOfPackages(in(List.of("http", "gateway.mcp")))
            .and(not(isRoutes()))
            .should()
            .dependOnClassesThat(assignableTo(Response.class).or(assignableTo(Request.class)));

    check(rule, AnswersWithAResponse.class);
  }

  // What is nested in routes is part of them.
  private static DescribedPredicate<JavaClass> isRoutes() {
    return describe("routes", type -> outermost(type).getSimpleName().endsWith("Routes"));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
  }

  @Test
  void transportsKnowNoContract() {
    var rule = never(TRANSPORTS, List.of("contract"));

    check(rule, ReadsAContract.class);
  }

  @Test
  void contractsImportNothingButTheirTools() {
    var rule =
        classes()
            .that()
            .resideInAnyPackage(in(CONTRACTS))
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                    "java..",
                    "tools.jackson..",
                    "com.fasterxml.jackson..",
                    "org.jspecify..",
                    "io.tidemill.contract..",
                    "io.tidemill.json.."));

    check(rule, KnowsItsSibling.class);
  }

  @Test
  void contractsNeverImportASibling() {
    for (var contract : List.of("crawl", "workflow", "job", "page", "collected")) {
      siblings(contract).check(ALL);
    }

    assertBroken(siblings("job"), KnowsItsSibling.class);
  }

  private static ArchRule siblings(String contract) {
    var own = "io.tidemill.contract." + contract + "..";
    return noClasses()
        .that()
        .resideInAPackage(own)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.tidemill.contract..")
                .and(resideOutsideOfPackages(own, "io.tidemill.contract")));
  }

  @Test
  void plugInsSeeContractsOnly() {
    var rule = onlyOf(List.of("api"), CONTRACTS);

    check(rule, ShowsTheInside.class);
  }

  @Test
  void contentKnowsNoPlatform() {
    var rule = onlyOf(List.of("content"), CONTRACTS);

    check(rule, ReadsSettings.class);
  }

  /// Of ours, these import nothing but themselves and those.
  private static ArchRule onlyOf(List<String> these, List<String> those) {
    return noClasses()
        .that()
        .resideInAnyPackage(in(these))
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.tidemill..").and(resideOutsideOfPackages(in(these, those))));
  }

  @Test
  void everyClientLibraryHasOneHome() {
    var homes =
        Map.ofEntries(
            Map.entry("org.apache.kafka..", List.of("kafka")),
            Map.entry("com.rabbitmq..", List.of("amqp")),
            Map.entry("redis.clients..", List.of("redis")),
            Map.entry("ai.onnxruntime..", List.of("embedding")),
            Map.entry("org.apache.lucene..", List.of("lucene", "search", "recordsearch")),
            Map.entry("software.amazon..", List.of("s3")),
            Map.entry("io.helidon..", List.of("http")),
            Map.entry("org.apache.hc..", List.of("fetch")),
            Map.entry("org.jsoup..", List.of("content.html", "content.charset")),
            Map.entry("org.apache.tika..", List.of("crawler.document")),
            Map.entry("org.duckdb..", List.of("sql")),
            Map.entry(
                "com.networknt..",
                List.of("schema", "processor.step", "processor.expression", "worker")),
            Map.entry("org.dhatim..", List.of("processor.export")),
            Map.entry("com.dashjoin..", List.of("processor.expression")),
            Map.entry("org.simplejavamail..", List.of("processor.mail")),
            Map.entry("jakarta.mail..", List.of("processor.mail")),
            Map.entry("org.eclipse.angus..", List.of("processor.mail")),
            Map.entry("com.openhtmltopdf..", List.of("processor.report")),
            Map.entry("org.apache.pdfbox..", List.of("processor.report")),
            Map.entry("org.apache.fontbox..", List.of("processor.report")),
            Map.entry("org.apache.batik..", List.of("processor.report")));
    homes.forEach((library, home) -> home(library, home).check(ALL));

    for (var library : List.of("org.apache.kafka..", "com.rabbitmq..", "redis.clients..")) {
      assertBroken(home(library, homes.get(library)), TalksToServers.class);
    }
  }

  /// The benchmarks hold ours against the libraries themselves, the servers are made of them.
  private static ArchRule home(String library, List<String> homes) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(in(homes, List.of("bench", "servers")))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library);
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("io.tidemill.(**)").should().beFreeOfCycles(), One.class, Two.class);
  }

  @Test
  void noPackageIsTooLarge() {
    assertThat(packagesAbove(MOST_CLASSES, ALL)).isEmpty();

    assertThat(packagesAbove(1, imported(ActsLikeAMain.class, LooksAtTheClock.class)))
        .containsOnlyKeys(ActsLikeAMain.class.getPackageName());
  }

  private static Map<String, Integer> packagesAbove(int most, JavaClasses classes) {
    var sizes = new TreeMap<String, Integer>();
    topLevel(classes).forEach(type -> sizes.merge(type.getPackageName(), 1, Integer::sum));
    sizes.values().removeIf(size -> size <= most);
    return sizes;
  }

  @Test
  void noClassNameIsUsedTwice() {
    assertThat(usedTwice(ALL)).isEmpty();

    assertThat(usedTwice(imported(Service.class, io.tidemill.worker.wrong.Service.class)))
        .containsOnlyKeys("Service");
  }

  private static Map<String, List<JavaClass>> usedTwice(JavaClasses classes) {
    var twice = new TreeMap<>(topLevel(classes).collect(groupingBy(JavaClass::getSimpleName)));
    twice.values().removeIf(types -> types.size() == 1);
    return twice;
  }

  private static Stream<JavaClass> topLevel(JavaClasses classes) {
    return classes.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"));
  }

  /// The words of the field only; docs/glossary.md has the rest.
  @Test
  void namesAreThoseOfTheField() {
    check(noClasses().should().haveNameMatching(".*[.$](" + PRIVATE_TYPES + ")"), Wish.class);
    check(noMethods().should().haveNameMatching(PRIVATE_METHODS), Wish.class);
  }

  @Test
  void onlyMainsSeeTheLocalServers() {
    var rule =
        noClasses()
            .that()
            .resideOutsideOfPackages(in(List.of("app", "bench", "servers")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.tidemill.servers..");

    check(rule, ActsLikeAMain.class);
  }

  @Test
  void onlyMainsReadTheEnvironmentPrintOrExit() {
    var others =
        noClasses().that().resideOutsideOfPackages(in(List.of("app", "cli", "bench", "servers")));
    for (var rule :
        List.of(
            others.should().callMethod(System.class, "getenv"),
            others.should().callMethod(System.class, "getenv", String.class),
            others.should().accessField(System.class, "out"),
            others.should().accessField(System.class, "err"),
            others.should().callMethod(System.class, "exit", int.class),
            others.should().callMethod(Runtime.class, "halt", int.class))) {
      check(rule, ActsLikeAMain.class);
    }
  }

  @Test
  void nobodyLooksAtTheClock() {
    var others =
        noClasses().that().resideOutsideOfPackages(in(List.of("app", "cli", "bench", "servers")));
    for (var rule :
        List.of(
            others.should().callMethod(Instant.class, "now"),
            others.should().callMethod(System.class, "currentTimeMillis"),
            others.should().callMethod(LocalDateTime.class, "now"),
            others.should().callMethod(LocalDate.class, "now"),
            others.should().callMethod(ZonedDateTime.class, "now"),
            others.should().callMethod(OffsetDateTime.class, "now"),
            others.should().callMethod(Clock.class, "systemUTC"),
            others.should().callConstructor(Date.class))) {
      check(rule, LooksAtTheClock.class);
    }
  }

  @Test
  void timesHaveMilliseconds() { // G2: Instant drops them when they are zero, IsoTime does not
    var others = noClasses().that().resideOutsideOfPackages(in(List.of("cli", "bench")));

    check(others.should().callMethod(Instant.class, "toString"), WritesShortTimes.class);
  }

  private static void check(ArchRule rule, Class<?>... offenders) {
    rule.check(ALL);
    assertBroken(rule, offenders);
  }

  private static JavaClasses imported(Class<?>... classes) {
    return new ClassFileImporter().importClasses(Set.of(classes));
  }

  private static void assertBroken(ArchRule rule, Class<?>... offenders) {
    var found = rule.evaluate(imported(offenders));
    assertThat(found.hasViolation()).as("%s can fail", rule.getDescription()).isTrue();
  }
}
