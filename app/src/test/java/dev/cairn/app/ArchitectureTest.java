package dev.cairn.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/// The arrows of the house point down only.
@AnalyzeClasses(
        packages = "dev.cairn",
        importOptions = {ImportOption.DoNotIncludeTests.class, WithoutTestJars.class})
class ArchitectureTest {
    @ArchTest
    static final ArchRule arrowsPointDown = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("app")
            .definedBy("dev.cairn.app..")
            .layer("train")
            .definedBy("dev.cairn.train..")
            .layer("torch")
            .definedBy("dev.cairn.torch..")
            .layer("tensorflow")
            .definedBy("dev.cairn.tensorflow..")
            .layer("engine")
            .definedBy("dev.cairn.engine..")
            .layer("checkpoint")
            .definedBy("dev.cairn.checkpoint..")
            .layer("s3")
            .definedBy("dev.cairn.s3..")
            .layer("store")
            .definedBy("dev.cairn.store..")
            .layer("formats")
            .definedBy("dev.cairn.formats..")
            .layer("plan")
            .definedBy("dev.cairn.plan..")
            .layer("codec")
            .definedBy("dev.cairn.codec..")
            .whereLayer("app")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("train")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("torch")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("tensorflow")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("engine")
            .mayOnlyBeAccessedByLayers("app", "train", "torch", "tensorflow")
            .whereLayer("checkpoint")
            .mayOnlyBeAccessedByLayers("app", "train", "torch", "tensorflow", "engine")
            .whereLayer("s3")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("formats")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("plan")
            .mayOnlyBeAccessedByLayers("app", "train", "checkpoint")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("app", "train", "torch", "tensorflow", "engine", "checkpoint", "s3");

    @ArchTest
    static final ArchRule theCodecDoesNoInputOrOutput = noClasses()
            .that()
            .resideInAPackage("dev.cairn.codec..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..");

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
    static final ArchRule onlyOneClassReadsSpreadsheets = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.cairn.train.data.JesterSheet")
            .and()
            .resideOutsideOfPackage("org.apache.poi..")
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

    @ArchTest
    static final ArchRule onlyTheProgramHasAMain =
            methods().that().haveName("main").should().beDeclaredInClassesThat().resideInAPackage("dev.cairn.app..");
}
