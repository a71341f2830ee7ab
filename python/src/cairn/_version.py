"""The version of the package: the project's."""

VERSION = "0.1.0"
