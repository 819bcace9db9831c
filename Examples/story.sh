# What the scripts that tell a sample's story share. Sourced in the checkout's folder, with the arguments that the script got.
#
#   prepare SAMPLE PRODUCT [OPTION]...   builds the server and the app, unless SAMPLE_NEPHOS and SAMPLE_APP (in capitals) name programs
#                                        that are built already: then $nephos and $app are they
#   start_server, serve_page SAMPLE      start them; then $server and $page are where they are
#   shown, step, fail                    what the reader sees
#   nephos                               the command, about the server's store

# What the caller's shell says of other servers stays outside.
unset $(compgen -e NEPHOS_) || true
mode=${1:-}
case $mode in
'' | --story) ;;
*) echo "$0 [--story]" >&2 && exit 2 ;;
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

folder=$(mktemp -d)
touch "$folder"/{server,page,app}.log
processes=()
end() {
    # Those that this script has started, by their ids.
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
    echo "Not as it should be: $1" >&2
    exit 1
}
step() { printf '\n%s\n' "$1"; }
# What the reader could have typed: the program's name in place of where it is.
shown() {
    echo "  \$ $*"
    "$@" 2>&1 | sed 's/^/    /'
}
until_said() { # FILE PATTERN: what a process that was just started says of itself
    local deadline=$((SECONDS + 30)) found
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
# From another origin than the server's.
serve_page() { # SAMPLE
    page=file://$PWD/Examples/$1/index.html
    if command -v python3 >/dev/null; then
        python3 -u -m http.server 0 --bind 127.0.0.1 --directory "Examples/$1" >"$folder/page.log" 2>&1 &
        processes+=($!)
        page=$(until_said "$folder/page.log" '^.*\((http:\/\/[^ ]*)\/\).*$')/index.html || fail "the page is not served"
    fi
}
