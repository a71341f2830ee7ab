package dev.cairn.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/// The system's Chromium, with a fresh profile of its own.
final class Browser implements AutoCloseable {
    private static final List<Path> CHROMIUM =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final long TALLEST = 8000;

    private final ChromeDriver driver;
    private final Path screenshots;

    /// @param profile an empty folder
    Browser(Path profile, Path screenshots) throws IOException {
        this.screenshots = Files.createDirectories(screenshots);
        var options = new ChromeOptions();
        options.setBinary(binary().toFile());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + profile);
        var logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        var service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .build();
        this.driver = new ChromeDriver(service, options);
    }

    /// Whether this machine has what it takes.
    static boolean isThere() {
        return Files.isExecutable(DRIVER) && CHROMIUM.stream().anyMatch(Files::isExecutable);
    }

    private static Path binary() {
        return CHROMIUM.stream().filter(Files::isExecutable).findFirst().orElseThrow();
    }

    /// How wide the window is, and whether the system prefers dark colours.
    void show(int width, boolean dark) {
        size(width, 900);
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    private void size(int width, long height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /// Opens a page anew.
    void open(URI page) {
        driver.get("about:blank");
        driver.get(page.toString());
    }

    /// Waits until the page says so.
    void await(String text) {
        Eventually.holds("the page says: " + text, () -> text().contains(text));
    }

    /// All that the page says.
    String text() {
        return String.valueOf(driver.executeScript("return document.body ? document.body.innerText : ''"));
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    void click(String selector) {
        Eventually.holds(
                selector + " is there",
                () -> !driver.findElements(By.cssSelector(selector)).isEmpty());
        driver.executeScript("document.querySelector(arguments[0]).click()", selector);
    }

    /// Presses a key, wherever the focus is.
    void press(String key) {
        driver.executeScript(
                "(document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0],"
                        + " bubbles: true}))",
                key);
    }

    List<WebElement> find(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /// Keeps a picture of the whole page.
    void picture(String name) throws IOException {
        long height = ((Number) run("return document.documentElement.scrollHeight")).longValue();
        int width = ((Number) run("return innerWidth")).intValue();
        size(width, Math.min(TALLEST, height));
        run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        Files.write(screenshots.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    /// The page has told the console of no error since the last look, has asked nobody but its server, and is not wider
    /// than the window.
    void isSound(String what) {
        var errors = new ArrayList<String>();
        for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                errors.add(entry.getMessage());
            }
        }
        assertThat(errors).as(what).isEmpty();
        assertThat(String.valueOf(run("return performance.getEntriesByType('resource').map(each => each.name)"
                        + ".filter(each => !each.startsWith(location.origin + '/')).join(' ')")))
                .as("%s asks others", what)
                .isEmpty();
        assertThat(((Number) run("return document.documentElement.scrollWidth - innerWidth")).longValue())
                .as("%s is too wide", what)
                .isLessThanOrEqualTo(0);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
