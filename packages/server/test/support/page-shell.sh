# The shell in which documents-run.test.ts follows a page: `npm start` starts the server of the test again with
# the settings before it, and commands that would not end do. Undefined variables fail, so that a page
# defines those that it uses. Variables and functions are exported to other processes of the page.
set -aeuo pipefail

PATH=$PWD/node_modules/.bin:$PATH
TYPED='hello\n' # what the reader types in `chat`
mkdir ../srv
printf '%s\n' silent show-error fail-with-body > "$HOME/.curlrc"
trap 'stop_server ../server.pid; kill $(jobs -p) 2> /dev/null || true' EXIT

npm() {
  case "$*" in
    install | 'run build') ;; # before the tests
    start) start_server ;;
    'run bench' | 'run bench -- '*) node bench/dist/main.js "${@:4}" ;;
    'run lab -- '*) node bench/dist/lab/main.js "${@:4}" ;;
    'run --silent botstead -- '*) botstead "${@:4}" ;;
    'run botstead -- '*) botstead "${@:3}" ;;
    *) command npm "$@" ;;
  esac
}

botstead() {
  if [ "${1:-}" = -- ]; then shift; fi
  local program=packages/cli/bin/botstead.js
  case "$*" in
    dev\ *) until_prints 'chat' "node $program $*" ;;
    logs*\ -f) timeout 8 node $program "$@" || [ $? = 124 ] ;;
    chat*) printf "$TYPED" | node $program "$@" --wait 100 ;;
    *--dry-run*) node $program "$@" ;;
    hub\ add*) node $program "$@" --without-secrets --node-modules node_modules ;;
    users\ erase*) node $program "$@" --yes ;;
    login\ http*--account*) on_terminal "$PASSWORD" node $program "$@" ;;
    login\ http*--profile* | login\ http*link=*) node $program "$@" ;;
    login\ http*) on_terminal "$TOKEN" node $program "$@" ;;
    move\ *--end-forwarding) on_terminal "$2" node $program "$@" ;;
    *) node $program "$@" ;;
  esac
}

# Types a line, after the command has asked for it.
on_terminal() { # line command...
  local line=$1
  shift
  (sleep 3; echo "$line") | script --quiet --return --command "$(printf '%q ' "$@")" /dev/null
}

# Creates the account ana@example.org with an invitation.
join_ana() { # password
  local invitation='{"email": "ana@example.org", "role": "developer"}' code
  code=$(send POST /v1/platform/invitations <(echo "$invitation") | jq -r .url | sed 's/.*=//')
  curl "$SERVER_URL/v1/platform/sign-in/invitation" -H 'content-type: application/json' \
    -H 'x-botstead-session: 1' -d "{\"code\": \"$code\", \"displayName\": \"Ana\", \"password\": \"$1\"}"
}

has_registry() { curl --output /dev/null --max-time 10 "$(command npm config get registry)"; }

# Runs the block, which installs packages, in an empty folder.
install_apart() {
  if has_registry; then (mkdir ../apart && cd ../apart && . "$BLOCK"); fi
}

free_port() {
  node -e 'const server = require("net").createServer().listen(0, "127.0.0.1", () => {
    console.log(server.address().port)
    server.close()
  })'
}

# The official command line. Its registry of packages has no newer version of it.
bp() {
  case "$*" in
    dev\ *) until_prints 'Listening on port' "bp_once $*" ;;
    *) bp_once "$@" ;;
  esac
}

bp_once() { BP_CONFIRM=true npm_config_registry=$SERVER_URL command bp "$@"; }

bp_login() { bp login --api-url "$SERVER_URL" --workspace-id "$SERVER_WORKSPACE" --token "$TOKEN"; }

# Copies a template of the official command line, which finds the packages of its own version.
bp_project() { # template folder
  local cli
  cli=$(realpath node_modules/@botpress/cli)
  mkdir -p "$2/node_modules"
  cp -r "$cli/templates/$1/." "$2"
  ln -s "$(dirname "$cli")" "$2/node_modules/@botpress"
  echo '<svg xmlns="http://www.w3.org/2000/svg"/>' > "$2/icon.svg"
  echo '# Readme' > "$2/hub.md"
}

start_server() {
  stop_server ../server.pid
  stop_server "$SERVER_PID_FILE"
  # Another data folder is another installation.
  local database=$DATABASE_URL
  if [ -n "${BOTSTEAD_DATA:-}" ]; then database=$OTHER_DATABASE; fi
  BOTSTEAD_PORT=${BOTSTEAD_PORT:-$SERVER_PORT} DATABASE_URL=$database \
    node packages/cli/bin/botstead.js start > ../server.log 2>&1 &
  local pid=$!
  echo "$pid" > ../server.pid
  until curl --output /dev/null "$SERVER_URL/readyz" 2> /dev/null; do
    kill -0 "$pid" || { cat ../server.log; return 1; }
    sleep 0.2
  done
}

stop_server() {
  local pid
  pid=$(cat "$1" 2> /dev/null) || return 0
  kill "$pid" 2> /dev/null || return 0
  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
}

# Runs a command that does not end until it prints a text, and meanwhile others, repeatedly.
until_prints() { # text command [commands]
  setsid bash -euc "$2" > ../printed 2>&1 &
  local pid=$! round=0
  while ! grep --quiet --fixed-strings -e "$1" ../printed; do
    kill -0 "$pid" && [ $((++round)) -lt 60 ] || { cat ../printed; return 1; }
    eval "${3:-}" > /dev/null
    sleep 1
  done
  kill -- "-$pid"
  wait "$pid" || true
  cat ../printed
}

# Repeats commands until they succeed.
eventually() { # commands
  local round=0
  until eval "$1" > ../tried 2>&1; do
    [ $((++round)) -lt 60 ] || { cat ../tried; return 1; }
    sleep 1
  done
}

newest_bot() { botstead api admin.listBots --json | jq -r '.bots[0].id'; }

# Sends the block as the body of a request.
send() { # method path [file]
  local bearer="authorization: Bearer $TOKEN"
  curl -X "$1" "$SERVER_URL$2" -H "$bearer" -H "x-bot-id: $BOT" -H "x-workspace-id: $SERVER_WORKSPACE" \
    -H 'content-type: application/json' -d "@${3:-$BLOCK}"
}

# The server finds no problem in the document of a bot.
check_document() {
  jq '{document: .}' "$BLOCK" > ../document.json
  send POST /v1/platform/documents/check ../document.json | jq --exit-status '.problems == []'
}

save() { mkdir -p "$(dirname "$1")" && cp "$BLOCK" "$1"; }

# Creates a user, a conversation and a message in the chat of the first bot.
converse() {
  local json='content-type: application/json'
  GUEST=$(curl "$SERVER_CHAT/users" -H "$json" -d '{}')
  GUEST_KEY=$(jq -r .key <<< "$GUEST")
  GUEST=$(jq -r .user.id <<< "$GUEST")
  TALK=$(curl "$SERVER_CHAT/conversations" -H "x-user-key: $GUEST_KEY" -H "$json" -d '{}' | jq -r .conversation.id)
  say
}

say() {
  curl "$SERVER_CHAT/messages" -H "x-user-key: $GUEST_KEY" -H 'content-type: application/json' \
    -d "{\"conversationId\": \"$TALK\", \"payload\": {\"type\": \"text\", \"text\": \"refund\"}}"
}

generate() { # model
  local messages='[{"role": "user", "content": "Hi"}]'
  send POST /v1/openai/chat/completions <(echo "{\"model\": \"$1\", \"messages\": $messages}")
}

embed() { # model
  send POST /v1/openai/embeddings <(echo "{\"model\": \"$1\", \"input\": \"Hello\"}")
}

# The server stores a file in the bucket, so that it creates none.
check_bucket() {
  local before
  before=$(find data/files -type f | wc -l)
  node --input-type=module <<'END'
import { Client } from '@botpress/client'
const { SERVER_URL: apiUrl, TOKEN: token, BOT: botId } = process.env
await new Client({ apiUrl, token, botId }).uploadFile({ key: 'in-bucket.txt', content: 'text' })
END
  [ "$(find data/files -type f | wc -l)" = "$before" ]
  # Later servers do not have the bucket, and a backup needs all files.
  botstead api files.deleteFile --id in-bucket.txt --bot "$BOT"
}

check_pgbouncer() {
  local program folder port
  program=$(PATH=$PATH:/usr/sbin command -v pgbouncer) || return 0 # not installed
  # It rejects root.
  folder=$(mktemp -d) port=$(free_port)
  chmod 755 "$folder"
  echo '"botstead" "secret"' > "$folder/userlist.txt"
  sed "s|/etc/pgbouncer|$folder|; s/= 6432/= $port/" "$BLOCK" > "$folder/pgbouncer.ini"
  "$program" -u nobody "$folder/pgbouncer.ini" > "$folder/log" 2>&1 &
  local pid=$!
  eventually "grep 'process up' '$folder/log' || { cat '$folder/log'; false; }"
  kill "$pid"
  if grep -E 'ERROR|FATAL|WARNING' "$folder/log"; then return 1; fi
  rm -r "$folder"
}

check_haproxy() {
  local program
  program=$(PATH=$PATH:/usr/sbin command -v haproxy) || return 0 # not installed
  "$program" -c -f "$BLOCK"
}
