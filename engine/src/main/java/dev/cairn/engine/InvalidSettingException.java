package dev.cairn.engine;

/// Thrown if a setting of a training has a value that it cannot have. The message is the setting and the problem.
public final class InvalidSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String setting;
    private final String problem;

    /// @param setting the name under which a run stores the setting, such as `weightDecay`
    /// @param problem what is wrong and what is valid; follows the setting in a sentence
    public InvalidSettingException(String setting, String problem) {
        super(setting + " " + problem);
        this.setting = setting;
        this.problem = problem;
    }

    /// The name under which a run stores the setting.
    public String setting() {
        return setting;
    }

    /// What is wrong and what is valid. It follows the setting in a sentence: `must be at least 1, not 0`.
    public String problem() {
        return problem;
    }
}
