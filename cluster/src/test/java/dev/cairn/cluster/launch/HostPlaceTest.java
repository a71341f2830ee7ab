package dev.cairn.cluster.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPlaceTest {
    @Test
    void theVariablesOfPyTorchsLaunchersSayIt() {
        var place = HostPlace.in(Map.of("MASTER_ADDR", "node1", "MASTER_PORT", "29500", "RANK", "2", "WORLD_SIZE", "3"))
                .orElseThrow();
        assertThat(place.index()).isEqualTo(2);
        assertThat(place.count()).isEqualTo(3);
        assertThat(place.address() + ":" + place.port()).isEqualTo("node1:29500");
    }

    @Test
    void oneHostOrNoVariablesMeanThisHostAlone() {
        assertThat(HostPlace.in(Map.of())).isEmpty();
        assertThat(HostPlace.in(Map.of("MASTER_ADDR", "left over", "RANK", "0")))
                .isEmpty();
        assertThat(HostPlace.in(Map.of("MASTER_ADDR", "a", "MASTER_PORT", "1", "RANK", "0", "WORLD_SIZE", "1")))
                .isEmpty();
        assertThat(HostPlace.in(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "3")))
                .as("a batch script")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 3, '', MASTER_PORT is not",
        "3, 3, 29500, 'host 3, but there are 3 hosts, from 0'",
        "-1, 3, 29500, 'host -1'",
        "x, 3, 29500, 'RANK=x is not a whole number'",
        "0, 100, 29500, 'from 1 to 64, not 100'",
        "0, 3, 70000, 70000 is not a port"
    })
    void whatCannotBeIsNamed(String rank, String size, String port, String problem) {
        Map<String, String> variables = port.isEmpty()
                ? Map.of("MASTER_ADDR", "a", "RANK", rank, "WORLD_SIZE", size)
                : Map.of("MASTER_ADDR", "a", "RANK", rank, "WORLD_SIZE", size, "MASTER_PORT", port);
        assertThatThrownBy(() -> HostPlace.in(variables))
                .isInstanceOf(BadPlaceException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void tfConfigSaysItAndIsWrittenAsItIsRead() {
        String text =
                "{\"cluster\":{\"chief\":[\"a:1\"],\"worker\":[\"b:2\",\"c:3\"],\"ps\":[\"d:4\"]},\"task\":{\"type\":\"worker\",\"index\":1}}";
        var place = HostPlace.in(Map.of("TF_CONFIG", text)).orElseThrow();
        assertThat(place.index() + " of " + place.count() + " at " + place.address() + ":" + place.port())
                .isEqualTo("2 of 3 at a:1");
        TfConfig config = TfConfig.read(text);
        assertThat(TfConfig.read(config.text())).isEqualTo(config);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | it is not JSON",
                "{} | its cluster has no worker",
                "{\"cluster\":{\"worker\":[\"a:1\"]}} | its task has no index",
                "{\"cluster\":{\"worker\":[\"a:1\"]},\"task\":{\"type\":\"worker\",\"index\":1}} | worker 1, but its cluster has 1",
                "{\"cluster\":{\"worker\":[\"a:1\"]},\"task\":{\"type\":\"boss\",\"index\":0}} | is 'boss'",
                "{\"cluster\":{\"worker\":[\"a:1\"]},\"task\":{\"type\":\"ps\",\"index\":0}} | is a parameter server",
                "{\"cluster\":{\"worker\":[\"a\",\"b\"]},\"task\":{\"type\":\"worker\",\"index\":0}} | has no port"
            })
    void aWrongTfConfigIsNamed(String text, String problem) {
        assertThatThrownBy(() -> HostPlace.in(Map.of("TF_CONFIG", text)))
                .isInstanceOf(BadPlaceException.class)
                .hasMessageContainingAll("TF_CONFIG", problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"n1 | n1", "n1,n2 | n1", "n[03-05,7],big | n03", "big,n[1-2] | big", "r1n[2]x,a | r1n2x"})
    void theFirstNodeOfSlurmHasTheFirstTask(String nodes, String first) {
        var place = HostPlace.in(Map.of(
                        "SLURM_PROCID",
                        "1",
                        "SLURM_STEP_NUM_TASKS",
                        "2",
                        "SLURM_STEP_NODELIST",
                        nodes,
                        "SLURM_JOB_ID",
                        "30007"))
                .orElseThrow();
        assertThat(place.address()).isEqualTo(first);
        assertThat(place.port()).isEqualTo(20_007);
        assertThat(place.index()).isEqualTo(1);
    }
}
