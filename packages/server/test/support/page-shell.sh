# The shell in which documents-run.test.ts follows a page: `npm start` starts the server of the test again with
# the settings before it, and commands that would not end do. Undefined variables fail, so that a page
# defines those that it uses. Variables and functions are exported to other processes of the page.
set -aeuo pipefail

PATH=$PWD/node_modules/.bin:$PATH
TYPED='hello\n' # what the reader types in `chat`
mkdir ../srv
printf '%s\n' silent show-error fail-with-body > "$HOME/.curlrc"
trap 'stop_server ../server.pid' EXIT

npm() {
  case "$*" in
    install | 'run build') ;; # before the tests
    start) start_server ;;
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
    users\ erase*) node $program "$@" --yes ;;
    *) node $program "$@" ;;
  esac
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
  cat ../printed
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

check_haproxy() {
  local program
  program=$(PATH=$PATH:/usr/sbin command -v haproxy) || return 0 # not installed
  "$program" -c -f "$BLOCK"
}
