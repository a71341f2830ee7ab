package dev.cairn.djl;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/// The listener fits into a user's process: it brings no engine, neither of Cairn nor of DJL.
@AnalyzeClasses(packages = "dev.cairn.djl", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule theListenerNeedsCheckpointsAndTheInterfaceOfDjlOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.cairn.djl..",
                    "dev.cairn.checkpoint..",
                    "dev.cairn.store..",
                    "dev.cairn.codec..",
                    "ai.djl",
                    "ai.djl.engine..",
                    "ai.djl.ndarray..",
                    "ai.djl.nn..",
                    "ai.djl.training..",
                    "ai.djl.translate..",
                    "ai.djl.util..",
                    "org.jspecify..",
                    "java..");
}
