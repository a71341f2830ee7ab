package dev.cairn.app;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Dependencies point down only, and packages are small.
///
/// `djl` and `jmh` are not on the program's class path, so their classes are not checked here. The module `djl` has
/// its own test.
@AnalyzeClasses(
        packages = "dev.cairn",
        importOptions = {ImportOption.DoNotIncludeTests.class, WithoutTestJars.class})
class ArchitectureTest {
    /// Each module, and the modules that it may use.
    private static final Map<String, List<String>> MODULES = Map.ofEntries(
            Map.entry("testkit", List.of()),
            Map.entry("codec", List.of()),
            Map.entry("disk", List.of()),
            Map.entry("plan", List.of()),
            Map.entry("store", List.of("codec", "disk")),
            Map.entry("formats", List.of("codec", "disk")),
            Map.entry("transfer", List.of("store", "formats", "codec")),
            Map.entry("checkpoint", List.of("store", "plan", "codec")),
            Map.entry("sidecar", List.of("checkpoint", "store", "codec")),
            Map.entry("s3", List.of("store", "codec")),
            Map.entry("observe", List.of("checkpoint", "store", "plan", "codec")),
            Map.entry("engine", List.of("checkpoint", "store", "codec")),
            Map.entry("torch", List.of("engine", "checkpoint", "store", "codec")),
            Map.entry("tensorflow", List.of("engine", "checkpoint", "store", "codec")),
            Map.entry("djl", List.of("checkpoint", "store", "codec")),
            Map.entry("train", List.of("engine", "observe", "checkpoint", "store", "plan", "codec")),
            Map.entry("dashboard", List.of("observe", "checkpoint", "store", "codec")),
            Map.entry("cluster", List.of("train", "engine", "checkpoint", "store", "codec")),
            Map.entry(
                    "app",
                    List.of(
                            "bench",
                            "cluster",
                            "dashboard",
                            "transfer",
                            "train",
                            "engine",
                            "observe",
                            "checkpoint",
                            "store",
                            "plan",
                            "formats",
                            "codec",
                            "disk")),
            Map.entry(
                    "bench",
                    List.of(
                            "cluster",
                            "train",
                            "engine",
                            "observe",
                            "checkpoint",
                            "store",
                            "formats",
                            "codec",
                            "disk")),
            Map.entry("jmh", List.of("codec")));

    private static final String[] INPUT_AND_OUTPUT = {
        "java.io..", "java.nio.file..", "java.nio.channels..", "java.net.."
    };

    private static final int MOST_CLASSES = 20;

    /// Packages that have more, and why.
    private static final Map<String, String> LARGE =
            Map.of("dev.cairn.checkpoint", "the types of the API, which a training loop imports from one package");

    /// The package-private classes that [Checkpoints] consists of, with their nested ones.
    private static final DescribedPredicate<JavaClass> PARTS_OF_CHECKPOINTS = DescribedPredicate.describe(
            "parts of Checkpoints",
            each -> each.getName().matches("dev\\.cairn\\.checkpoint\\.(Loop|Run)\\w+(\\$\\w+)*")
                    && !each.getModifiers().contains(JavaModifier.PUBLIC));

    @ArchTest
    static final ArchRule arrowsPointDown = arrows();

    private static LayeredArchitecture arrows() {
        LayeredArchitecture house =
                layeredArchitecture().consideringOnlyDependenciesInLayers().withOptionalLayers(true);
        for (String module : MODULES.keySet()) {
            house = house.layer(module).definedBy("dev.cairn." + module + "..");
        }
        for (var module : MODULES.entrySet()) {
            var layer = house.whereLayer(module.getKey());
            house = module.getValue().isEmpty()
                    ? layer.mayNotAccessAnyLayer()
                    : layer.mayOnlyAccessLayers(module.getValue().toArray(String[]::new));
        }
        return house;
    }

    @ArchTest
    static final ArchRule everyClassIsOfAModuleThatIsKnownHere = classes()
            .should()
            .resideInAnyPackage(MODULES.keySet().stream()
                    .map(module -> "dev.cairn." + module + "..")
                    .toArray(String[]::new));

    @ArchTest
    static void everyModuleIsKnownHere(JavaClasses ignored) throws IOException {
        List<String> modules = Pattern.compile("<module>(.*)</module>")
                .matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map((MatchResult found) -> Path.of("..", found.group(1)))
                .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                .map(module -> String.valueOf(module.getFileName()))
                .toList();
        assertThat(MODULES.keySet()).containsExactlyInAnyOrderElementsOf(modules);
    }

    /// A package and those that need it can be read, tested and changed one after the other.
    ///
    /// The exception is the front door. [Checkpoints], [ForkPoint] and [CheckpointOptions] are the interface, so
    /// they lie beside the types that all packages behind it use. They put these packages together, and so do the
    /// package-private classes that [Checkpoints] consists of. A training imports one package for that.
    @ArchTest
    static final ArchRule noCycleOfPackages = slices().matching("dev.cairn.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(
                    belongToAnyOf(Checkpoints.class, ForkPoint.class, CheckpointOptions.class)
                            .or(PARTS_OF_CHECKPOINTS),
                    alwaysTrue());

    @ArchTest
    static void noPackageHasMoreThanTwentyClasses(JavaClasses all) {
        Map<String, Long> large = all.stream()
                .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
        large.values().removeIf(count -> count <= MOST_CLASSES);
        assertThat(large.keySet())
                .as("packages of more than %d classes; only these may have more: %s", MOST_CLASSES, LARGE)
                .containsExactlyInAnyOrderElementsOf(LARGE.keySet());
    }

    @ArchTest
    static final ArchRule theCodecDoesNoInputOrOutput = noClasses()
            .that()
            .resideInAPackage("dev.cairn.codec..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(INPUT_AND_OUTPUT);

    @ArchTest
    static final ArchRule thePlanDoesNoInputOrOutput = noClasses()
            .that()
            .resideInAPackage("dev.cairn.plan..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(INPUT_AND_OUTPUT);

    @ArchTest
    static final ArchRule onlyTheTorchModuleKnowsLibtorch = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cairn.torch..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bytedeco.pytorch..");

    @ArchTest
    static final ArchRule onlyTheTensorflowModuleKnowsTensorflow = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cairn.tensorflow..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.tensorflow..");

    @ArchTest
    static final ArchRule onlyTheServerOfPagesKnowsJavalin = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cairn.dashboard.web..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..");

    @ArchTest
    static final ArchRule onlyOneClassReadsSpreadsheets = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.cairn.train.data.ratings.JesterSheet")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.poi..");

    @ArchTest
    static final ArchRule onlyTheS3ModuleKnowsTheSdk = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cairn.s3..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon..");

    /// Tests replace the clock. Benchmarks measure real time, and `codec` may not depend on the clock's module.
    @ArchTest
    static final ArchRule onlyTheClockReadsTheTime = noClasses()
            .that()
            .resideOutsideOfPackages("dev.cairn.bench..", "dev.cairn.codec..", "dev.cairn.jmh..", "dev.cairn.testkit..")
            .and()
            .doNotHaveFullyQualifiedName("dev.cairn.store.Clock$1")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now");

    /// Another class would lack a method that the interface gains, or would run the default one.
    @ArchTest
    static final ArchRule everyStoreBeforeAnotherForwards = classes()
            .that()
            .areAssignableTo(BlobStore.class)
            .and(holdAnotherStore())
            .should()
            .beAssignableTo(ForwardingBlobStore.class);

    private static DescribedPredicate<JavaClass> holdAnotherStore() {
        return DescribedPredicate.describe(
                "hold another store",
                each -> each.getAllFields().stream()
                        .anyMatch(field -> field.getRawType().isAssignableTo(BlobStore.class)));
    }

    /// Benchmarks of fresh processes start some of their own.
    @ArchTest
    static final ArchRule onlyTheProgramHasAMain = methods()
            .that()
            .haveName("main")
            .should()
            .beDeclaredInClassesThat()
            .resideInAnyPackage(
                    "dev.cairn.app..", "dev.cairn.bench.checkpoint", "dev.cairn.bench.observe", "dev.cairn.bench.team");
}
