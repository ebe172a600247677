package io.tidemill;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.tidemill.broker.wrong.ReadsAContract;
import io.tidemill.contract.Json;
import io.tidemill.contract.job.wrong.KnowsItsSibling;
import io.tidemill.cycle.one.One;
import io.tidemill.cycle.two.Two;
import io.tidemill.gateway.wrong.KnowsAnotherRole;
import io.tidemill.http.wrong.TalksToServers;
import io.tidemill.work.wrong.ImportsUpwards;
import io.tidemill.worker.wrong.ActsLikeAMain;
import io.tidemill.worker.wrong.LooksAtTheClock;
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
import org.junit.jupiter.api.Test;

/// Who may import whom: the eight rules of the style guide. Beside each stands a class that breaks
/// it, so that no rule can pass by seeing nothing.
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .importUrl(Json.class.getProtectionDomain().getCodeSource().getLocation());

  private static final String[] GROUND = {
    "io.tidemill.contract..",
    "io.tidemill.url..",
    "io.tidemill.text..",
    "io.tidemill.work..",
    "io.tidemill.service..",
    "io.tidemill.observe..",
    "io.tidemill.config.."
  };
  private static final String[] MACHINERY = {
    "io.tidemill.broker..",
    "io.tidemill.store..",
    "io.tidemill.embedding..",
    "io.tidemill.fetch..",
    "io.tidemill.http..",
    "io.tidemill.flow..",
    "io.tidemill.llm..",
    "io.tidemill.schema..",
    "io.tidemill.crawling.."
  };
  private static final List<String> ROLE_NAMES =
      List.of("gateway", "crawler", "processor", "worker", "indexer", "collector", "dashboard");
  private static final String[] ROLES =
      ROLE_NAMES.stream().map(role -> "io.tidemill." + role + "..").toArray(String[]::new);
  private static final String[] APP = {
    "io.tidemill.app..", "io.tidemill.cli..", "io.tidemill.bench.."
  };

  @Test
  void everyPackageHasALayer() {
    var known = new ArrayList<>(List.of(GROUND));
    known.addAll(List.of(MACHINERY));
    known.addAll(List.of(ROLES));

    check(classes().should().resideInAnyPackage(known.toArray(String[]::new)), One.class);
  }

  @Test
  void importsPointDown() { // rule 1
    for (var rule : List.of(above(GROUND, MACHINERY, ROLES, APP), above(MACHINERY, ROLES, APP))) {
      rule.check(MAIN);
    }
    above(ROLES, APP).allowEmptyShould(true).check(MAIN);

    assertBroken(above(GROUND, MACHINERY, ROLES, APP), ImportsUpwards.class);
    assertBroken(above(MACHINERY, ROLES, APP), TalksToServers.class);
  }

  private static ArchRule above(String[] below, String[]... higher) {
    var packages = new ArrayList<String>();
    for (var layer : higher) packages.addAll(List.of(layer));
    return noClasses()
        .that()
        .resideInAnyPackage(below)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages.toArray(String[]::new));
  }

  @Test
  void rolesNeverImportEachOther() { // rule 2
    for (var role : ROLE_NAMES) apart(role).allowEmptyShould(true).check(MAIN);

    assertBroken(apart("gateway"), KnowsAnotherRole.class);
  }

  private static ArchRule apart(String role) {
    var others =
        ROLE_NAMES.stream()
            .filter(other -> !other.equals(role))
            .map(other -> "io.tidemill." + other + "..")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage("io.tidemill." + role + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others);
  }

  @Test
  void contractsImportNothingButTheirTools() { // rule 3
    var rule =
        classes()
            .that()
            .resideInAPackage("io.tidemill.contract..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                    "java..",
                    "tools.jackson..",
                    "com.fasterxml.jackson..",
                    "org.jspecify..",
                    "io.tidemill.contract.."));

    check(rule, KnowsItsSibling.class);
  }

  @Test
  void contractsNeverImportASibling() { // rule 3
    for (var contract : List.of("crawl", "flow", "job", "page", "collected")) {
      strangers(contract).check(MAIN);
    }

    assertBroken(strangers("job"), KnowsItsSibling.class);
  }

  private static ArchRule strangers(String contract) {
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
  void brokersCarryBytes() { // rule 4
    check(
        noClasses()
            .that()
            .resideInAPackage("io.tidemill.broker..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.tidemill.contract.."),
        ReadsAContract.class);
  }

  @Test
  void everyClientLibraryHasOneHome() { // rule 5
    var homes =
        Map.ofEntries(
            Map.entry("org.apache.kafka..", List.of("io.tidemill.broker.kafka..")),
            Map.entry("com.rabbitmq..", List.of("io.tidemill.broker.amqp..")),
            Map.entry(
                "redis.clients..",
                List.of("io.tidemill.broker.streams..", "io.tidemill.store.redis..")),
            Map.entry("ai.onnxruntime..", List.of("io.tidemill.embedding..")),
            Map.entry("org.apache.lucene..", List.of("io.tidemill.store.search..")),
            Map.entry("org.opensearch..", List.of("io.tidemill.store.search..")),
            Map.entry("software.amazon..", List.of("io.tidemill.store.blob..")),
            Map.entry("org.apache.hc..", List.of("io.tidemill.fetch..")),
            Map.entry("org.jsoup..", List.of("io.tidemill.crawler.text..")),
            Map.entry("org.apache.tika..", List.of("io.tidemill.crawler.document..")),
            Map.entry("org.duckdb..", List.of("io.tidemill.store.analytics..")),
            Map.entry("org.dhatim..", List.of("io.tidemill.processor.export..")),
            Map.entry("com.dashjoin..", List.of("io.tidemill.processor.steps..")),
            Map.entry("org.simplejavamail..", List.of("io.tidemill.processor.mail..")),
            Map.entry("jakarta.mail..", List.of("io.tidemill.processor.mail..")),
            Map.entry("org.eclipse.angus..", List.of("io.tidemill.processor.mail..")),
            Map.entry("com.openhtmltopdf..", List.of("io.tidemill.processor.report..")),
            Map.entry("org.apache.pdfbox..", List.of("io.tidemill.processor.report..")),
            Map.entry("org.apache.fontbox..", List.of("io.tidemill.processor.report..")),
            Map.entry("org.apache.batik..", List.of("io.tidemill.processor.report..")));
    homes.forEach((library, home) -> home(library, home).check(MAIN));

    for (var library : List.of("org.apache.kafka..", "com.rabbitmq..", "redis.clients..")) {
      assertBroken(home(library, homes.get(library)), TalksToServers.class);
    }
  }

  private static ArchRule home(String library, List<String> homes) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(homes.toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library);
  }

  @Test
  void packagesHaveNoCycles() { // rule 6
    check(slices().matching("io.tidemill.(**)").should().beFreeOfCycles(), One.class, Two.class);
  }

  @Test
  void onlyMainsSeeTheLocalServers() { // rule 7
    check(
        noClasses().should().dependOnClassesThat().resideInAPackage("io.tidemill.servers.."),
        ActsLikeAMain.class);
  }

  @Test
  void onlyMainsReadTheEnvironmentPrintOrExit() { // rule 7
    for (var rule :
        List.of(
            noClasses().should().callMethod(System.class, "getenv"),
            noClasses().should().callMethod(System.class, "getenv", String.class),
            noClasses().should().accessField(System.class, "out"),
            noClasses().should().accessField(System.class, "err"),
            noClasses().should().callMethod(System.class, "exit", int.class),
            noClasses().should().callMethod(Runtime.class, "halt", int.class))) {
      check(rule, ActsLikeAMain.class);
    }
  }

  @Test
  void nobodyLooksAtTheClock() { // rule 8
    for (var rule :
        List.of(
            noClasses().should().callMethod(Instant.class, "now"),
            noClasses().should().callMethod(System.class, "currentTimeMillis"),
            noClasses().should().callMethod(LocalDateTime.class, "now"),
            noClasses().should().callMethod(LocalDate.class, "now"),
            noClasses().should().callMethod(ZonedDateTime.class, "now"),
            noClasses().should().callMethod(OffsetDateTime.class, "now"),
            noClasses().should().callMethod(Clock.class, "systemUTC"),
            noClasses().should().callConstructor(Date.class))) {
      check(rule, LooksAtTheClock.class);
    }
  }

  private static void check(ArchRule rule, Class<?>... offenders) {
    rule.check(MAIN);
    assertBroken(rule, offenders);
  }

  private static void assertBroken(ArchRule rule, Class<?>... offenders) {
    var found = rule.evaluate(new ClassFileImporter().importClasses(offenders));
    assertThat(found.hasViolation()).as("%s can fail", rule.getDescription()).isTrue();
  }
}
