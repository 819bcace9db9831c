# Shared code of the scripts that run a sample's scenario. Sourced in the checkout's folder, with the arguments of the script.
#
#   prepare SAMPLE PRODUCT [OPTION]...   builds the server and the app, unless PRODUCT_NEPHOS and PRODUCT_APP (in capitals) name existing
#                                        programs; $nephos and $app are their paths
#   start_server, serve_page SAMPLE      start them; $server and $page are their addresses
#   shown, step, fail                    print output for the reader
#   nephos                               runs the command on the server's store

# Variables of the caller's shell about other servers have no effect.
unset $(compgen -e NEPHOS_) || true
mode=${1:-}
case $mode in
'' | --story) ;;
*) echo "usage: $0 [--story]" >&2 && exit 2 ;;
esac

prepare() {
    local sample=$1 product=$2 program
    shift 2
    program=${product^^}
    local built=${program}_NEPHOS app_built=${program}_APP
    nephos=${!built:-} app=${!app_built:-}
    if [ -z "$nephos" ]; then
        scripts/install-libraries
        scripts/build --product nephos
        nephos=$PWD/.build/debug/nephos
    fi
    if [ -z "$app" ]; then
        scripts/build --package-path "Examples/$sample" --scratch-path .build/client "$@" --product "$product"
        app=$PWD/.build/client/debug/$product
    fi
}

# Seconds after which something that must happen has failed, even on a slow machine.
patience=180

folder=$(mktemp -d)
touch "$folder"/{server,page,app}.log
processes=()
end() {
    # Only the processes that this script has started, by their ids.
    if [ ${#processes[@]} -gt 0 ]; then
        kill "${processes[@]}" 2>/dev/null || true
        wait "${processes[@]}" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
    echo "Failed: $1" >&2
    exit 1
}
step() { printf '\n%s\n' "$1"; }
# Prints the command as the reader could type it, and runs it.
shown() {
    echo "  \$ $*"
    "$@" 2>&1 | sed 's/^/    /'
}
until_said() { # FILE PATTERN: waits until a process that was just started prints a matching line
    local deadline=$((SECONDS + patience)) found
    while ((SECONDS < deadline)); do
        found=$(sed -nE "s/$2/\\1/p" "$1" | head -n 1)
        [ -z "$found" ] || { echo "$found" && return; }
        sleep 0.05
    done
    cat "$1" >&2
    return 1
}
nephos() { "$nephos" "$@" --data "$folder/data"; }
start_server() {
    "$nephos" serve --new-store --data "$folder/data" --port 0 >"$folder/server.log" 2>&1 &
    processes+=($!)
    server=$(until_said "$folder/server.log" '^.* at (http:\/\/[^ ]+)$') || fail "the server did not start"
}
# Served from another origin than the server's.
serve_page() { # SAMPLE
    page=file://$PWD/Examples/$1/index.html
    if command -v python3 >/dev/null; then
        python3 -u -m http.server 0 --bind 127.0.0.1 --directory "Examples/$1" >"$folder/page.log" 2>&1 &
        processes+=($!)
        page=$(until_said "$folder/page.log" '^.*\((http:\/\/[^ ]*)\/\).*$')/index.html || fail "the page is not served"
    fi
}
