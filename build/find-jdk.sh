# shellcheck shell=bash
# Finds the JDK that ./cairn and ./mvnw run on. Sourced by both; works in bash 3.2 (macOS).
# Reads each candidate's `release` file: to start a JVM and ask would take longer than all the rest of a start.

# The file behind any number of symbolic links; `readlink -f` is not everywhere.
resolve_links() {
    local path=$1 target
    while [ -L "$path" ]; do
        target=$(readlink "$path") || break
        case $target in
        /*) path=$target ;;
        *) path=${path%/*}/$target ;;
        esac
    done
    printf '%s\n' "$path"
}

# Takes folder $1 as the JDK when it is one of 25; remembers it when it is the first newer one, or the best of the older.
offer_jdk() {
    local key value feature=0 version=
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    while IFS='=' read -r key value; do
        if [ "$key" = JAVA_VERSION ]; then
            version=${value//[\"$'\r']/}
            feature=${version%%[!0-9]*}
            break
        fi
    done <"$1/release"
    if [ "${feature:-0}" -eq 25 ]; then
        jdk=$1 jdk_version=$version
        return 0
    elif [ "${feature:-0}" -gt 25 ] && [ -z "$jdk" ]; then
        jdk=$1 jdk_version=$version
    elif [ "${feature:-0}" -gt "$best_older" ]; then
        best_older=$feature found="only $version in $1"
    fi
    return 1
}

# Sets jdk and jdk_version to the first JDK 25, else to the first newer one; else says in one line what to install, and fails.
# $1: the name of the program that speaks.
# shellcheck disable=SC2034 # jdk_version is for the caller
find_jdk() {
    local candidate javac home=${HOME:-/nonexistent} best_older=0 found=none
    jdk='' jdk_version=''
    offer_jdk "${JAVA_HOME:-/nonexistent}" && return 0
    while IFS= read -r javac; do
        javac=$(resolve_links "$javac")
        offer_jdk "${javac%/bin/*}" && return 0
    done < <(type -aP javac)
    for candidate in \
        /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/*jdk* /opt/*jdk* /opt/java/* \
        "${SDKMAN_CANDIDATES_DIR:-${SDKMAN_DIR:-$home/.sdkman}/candidates}"/java/* \
        "$home"/.jdks/* "$home"/.gradle/jdks/* "$home"/.asdf/installs/java/* "$home"/.local/share/mise/installs/java/* \
        {,"$home"}/Library/Java/JavaVirtualMachines/*/Contents/Home \
        {/opt/homebrew,/usr/local,/home/linuxbrew/.linuxbrew}/opt/openjdk*/libexec{,/openjdk.jdk/Contents/Home}; do
        offer_jdk "$candidate" && return 0
    done
    [ -n "$jdk" ] && return 0
    echo "$1: needs a JDK 25 or newer, found $found; install Temurin 25 (https://adoptium.net) or your system's openjdk-25-jdk, or set JAVA_HOME to one" >&2
    return 1
}
