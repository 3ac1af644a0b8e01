// How documents-run.test.ts runs the code blocks of each page. Without an entry here, commands run, a `text`
// block after them is their output, and files are saved. Other blocks need an entry: its key is a part of one
// block of the page, its value says what a reader does with the block, which other test runs it, or why none
// does. Commands run in the shell of page-shell.sh.
import {
  allShortened,
  asConversation,
  bucket,
  card,
  deployed,
  docker,
  documentWithMistake,
  fields,
  machines,
  newest,
  nodes,
  notRun,
  otherPostgres,
  type Page,
  printed,
  reminding,
  script,
  services,
  shortened,
  widget,
} from './page-handling.ts'

export const pages: Record<string, Page> = {
  'README.md': {
    blocks: {
      'npm run botstead -- chat': '. "$BLOCK" | grep \'You said: "hello"\'',
      'npm test': { runBy: '.ci/run' },
      '@botpress/chat': `save hello.mjs; until_prints 'You said: "Hello!"' 'node hello.mjs'`,
      '"flows"': 'save bot.json',
    },
  },
  'docs/agents.md': {
    values: { '<bot id>': newest },
    blocks: {
      'main / start': {
        prints: `TYPED='100 g of Assam, please\\n' botstead chat "${newest}" --trace`,
      },
      'name: Orders tea': 'save tests/order.yaml',
      'botstead -- chat <bot id>': `
TYPED='How long does delivery take?\\nWhere is my order A-1001?\\nMy teapot arrived broken!\\n'
. "$BLOCK"
TYPED='hello\\n'`,
      '"refund"': deployed((part) => ({
        flows: {
          main: {
            variables: {
              amount: { type: 'number' },
              attempts: { type: 'number', default: 0 },
              paid: { type: 'number', default: 0 },
            },
            nodes: {
              start: { type: 'start', next: 'agent' },
              agent: { type: 'agent', instructions: 'Help.', ...part },
              ...nodes('human'),
            },
          },
          refund: { nodes: { begin: { type: 'entry' } } },
        },
      })),
    },
  },
  'docs/ai-cards.md': {
    blocks: {
      '@botpress/client': `save upload.mjs; node upload.mjs "${newest}"`,
      'When is breakfast served?': {
        prints: `FILES="botstead files --bot ${newest}"
eventually "$FILES | grep 'completed[^/]*rules.md'"
echo '> When is breakfast served?'
TYPED='When is breakfast served?\\n' botstead chat "${newest}"`,
      },
      '"aiTask"': card({ booking: { type: 'object' } }, ['sorry']),
      '"aiTransition"': card({}, ['book', 'ask', 'chat']),
      '"aiText"': card(),
      '"answer"': card({}, [], { knowledgeBases: { hotel: {} } }),
      '"capture"': card({ nights: { type: 'number' } }),
    },
  },
  'docs/broadcasts.md': {
    values: { 'broadcast_01K…': '$(botstead broadcasts --json | head -1 | jq -r .id)' },
    blocks: { 'name: Spring': 'save spring.yaml' },
  },
  'docs/cells.md': {
    before: 'cp examples/greeting-bot/bot.json .',
    other: true,
    values: {
      '5f0c1a9e-…': '$(botstead workspaces | grep Shop | cut -f 1)',
      'https://cell-2.example.org': '$OTHER_URL',
      '/etc/ssl/botstead.pem': 'cells.pem',
    },
    blocks: {
      'frontend cells': `
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=cells -keyout key.pem -out cert.pem
cat cert.pem key.pem > cells.pem; check_haproxy`,
      'read -rs': '. "$BLOCK" <<< "$OTHER_TOKEN"',
    },
  },
  'docs/authoring.md': {
    before: `list_tools() {
  curl -sf "$1" -H "$2" -H 'content-type: application/json' \\
    -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' | grep -q edit_draft
}
claude() { list_tools "$6" "$8"; }`,
    values: { 'bp_pat_…': '$TOKEN' },
    blocks: {
      '"mcpServers"':
        'list_tools "$(jq -r .mcpServers.botstead.url "$BLOCK")" "Authorization: Bearer $TOKEN"',
      '"servers"':
        'list_tools "$(jq -r .servers.botstead.url "$BLOCK")" "Authorization: Bearer $TOKEN"',
      'mcp_servers.botstead':
        'list_tools "$(sed -n \'s/^url = "\\(.*\\)"/\\1/p\' "$BLOCK")" "Authorization: Bearer $TOKEN"',
    },
  },
  'docs/channels.md': {
    values: { '<secret>': '$SECRET', '<webhook address>': '$WEBHOOK' },
    blocks: {
      // No provider can be reached, which the commands report.
      getPublicIntegration: {
        run: 'node --input-type=module < "$BLOCK" | grep registration_failed',
        text: (text) =>
          text
            .replace(/'bp_pat_…'/, 'process.env.TOKEN')
            .replace(/'11111111.*?'/, 'process.env.SERVER_WORKSPACE')
            .replace(/'bot_…'/, 'process.env.BOT'),
      },
      'channels add telegram': `
sed '1s/^npm/! npm/' "$BLOCK" > ../block; echo 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5 | . ../block 2>&1 |
  tee /dev/stderr | grep -A 9 'is installed, but not connected' | grep registration_failed`,
      webhookAddress: `
save app.mjs
SECRET=$(openssl rand -base64 32)
node app.mjs "$SECRET" & APP=$!
add() { botstead channels add api --set appUrl=http://127.0.0.1:8090 --set signingSecret="$SECRET"; }
eventually 'add > ../added'
kill "$APP"
WEBHOOK=$(grep -o 'http[^ ]*' ../added)
until_prints 'You said' "node app.mjs '$SECRET' '$WEBHOOK'"`,
    },
  },
  'docs/chat.md': {
    blocks: {
      '/listen': `
PAYLOAD='{"type": "text", "text": "hi"}'
JSON="{\\"conversationId\\": \\"$CONVERSATION\\", \\"payload\\": $PAYLOAD}"
until_prints message_created '. "$BLOCK"' '
  curl "$CHAT/messages" -H "x-user-key: $KEY" -H "content-type: application/json" -d "$JSON"
'`,
      'cognitive.generateText': script(`
import { CognitiveBeta } from '@botpress/cognitive'
const { SERVER_URL: apiUrl, TOKEN: token, BOT: botId, CONVERSATION: conversationId } = process.env
const cognitive = new CognitiveBeta({ apiUrl, token, botId })
const messages = [{ role: 'user', content: 'Hi' }]`),
      '"stopped"': printed,
    },
  },
  'docs/command-line.md': {
    before: `converse; mkdir -p ~/.zfunc ~/.config/fish/completions; echo "$TOKEN" > token.txt
send POST /v1/tables <(echo '{"name": "OrdersTable", "schema": {"total": {"type": "number"}}}')
join_ana 'correct horse battery'`,
    values: {
      "'https://bots.example.org/sign-in#link=…'":
        '"$(botstead login-link --account owner@localhost)"',
      'bot_01K…': '$BOT',
    },
    blocks: {
      'botstead login': 'PASSWORD=\'correct horse battery\' . "$BLOCK"',
    },
  },
  'docs/compatibility.md': {
    blocks: {
      'openapi-generator-cli': {
        runBy: 'packages/server/test/official/generated-clients.test.ts',
      },
      '"ResourceNotFound"': {
        prints: `curl --no-fail-with-body "$SERVER_URL/v1/chat/users/user_x" \\
          -H "authorization: Bearer $TOKEN" -H "x-bot-id: $BOT"`,
      },
    },
  },
  'docs/configuration.md': {},
  'docs/dashboard.md': {},
  'docs/delivery.md': {},
  'docs/deployment.md': {
    blocks: {
      'apt-get install': machines,
      'useradd --system': machines,
      'cp nginx/': machines,
      'runuser -u botstead': machines,
      BOTSTEAD_BACKUP_SCHEDULE: machines,
      'internet.conf': machines,
      'docker build': docker,
      'docker compose up': docker,
      'docker compose exec caddy': docker,
      'compose.scale.yaml': docker,
      kubectl: notRun('needs a cluster', 'scripts/deploy.test.ts'),
    },
  },
  'docs/files-and-knowledge.md': {
    before: 'cp examples/echo-bot/samples/paper.pdf manual.pdf',
    values: { ...bucket, 'http://127.0.0.1:9000': '$BUCKET_URL' },
    blocks: {
      'client.uploadFile': script(),
      S3_BUCKET: 'S3_REGION=$BUCKET_REGION . "$BLOCK"; check_bucket',
      'client.searchFiles': script(),
    },
  },
  'docs/flows.md': {
    before: "converse; sed -n '/^```json/,/^```/p' README.md | sed '1d;$d' > bot.json",
    values: {
      'bot_…': newest,
      'conv_…': `$(botstead conversations --bot "${newest}" --limit 1 | cut -f 1)`,
    },
    blocks: {
      'name: Asks two questions': 'save tests/names.yaml',
      'knowledgeChecks:': { runBy: 'examples/test/knowledge-checks.test.ts' },
      QUESTION: { runBy: 'examples/test/knowledge-checks.test.ts' },
      'user.name.lenght': {
        prints: `mkdir mistake
cat > mistake/bot.json <<'END'
${documentWithMistake}
END
(cd mistake; BOTSTEAD_DATA=../data node ../packages/cli/bin/botstead.js deploy bot.json --dry-run 2>&1) |
  fold -s -w 120 | sed 's/ $//'`,
      },
      '"knowledgeBases"': fields,
      '"workflow.written"': card(
        { time: { type: 'string' }, written: { type: 'array' } },
        [],
        {
          tables: {
            BookingsTable: { keyColumn: 'slot', schema: { slot: { type: 'string' } } },
          },
        },
      ),
      'yaml-language-server': 'botstead deploy "$BLOCK" --name Yaml',
      '"message_created"': deployed((part) => ({
        triggers: { booking: part },
        flows: {
          main: { nodes: { start: { type: 'start' } } },
          booking: { nodes: { start: { type: 'entry' } } },
        },
      })),
      '"locale"': fields,
      '"variables"': fields,
      '"capture"': card({ age: { type: 'number' } }),
      '"handoff"': card({ summary: { type: 'string' } }),
      './code/greet.ts': card(
        {},
        [],
        {},
        'mkdir .blocks/code; echo "const a: number = 1" > .blocks/code/greet.ts',
      ),
      '"beforeIncoming"': fields,
      '"Greets by name"': fields,
      'name: Reminds': `mkdir -p reminding/tests; cp "$BLOCK" reminding/tests/reminds.yaml
cat > reminding/bot.json <<'END'
${JSON.stringify(reminding)}
END
botstead test reminding/bot.json`,
      'trace conv_…': `botstead deploy bot.json; botstead chat "${newest}"; . "$BLOCK"`,
    },
  },
  'docs/getting-started.md': {
    values: { '<id>': '$MEMBER' },
    blocks: {
      '/srv/botstead': '. "$BLOCK"; npm start',
      '--global': `if has_registry; then
  node scripts/pack.js
  mkdir ../installed
  cp "$(dirname "$(realpath package.json)")"/botstead-*.tgz ../installed
  # The user of the database reaches its folder.
  chmod 711 ..
  until_prints 'Botstead is running' '
    unset -f npm botstead
    unset DATABASE_URL
    cd ../installed
    export npm_config_prefix=$PWD/prefix PATH=$PWD/prefix/bin:$PATH BOTSTEAD_PORT=0
    . "$BLOCK"'
fi`,
      'client.listBots': script(),
      '/token': `
BEN='{"email": "ben@example.org", "role": "viewer"}'
MEMBER=$(send POST /v1/admin/workspace-members <(echo "$BEN") | jq -r .id)
. "$BLOCK"`,
    },
  },
  'docs/handoffs.md': {
    before: 'converse',
    values: { 'conv_…': '$TALK' },
    blocks: {
      '"requestedAt"': printed,
      'bot.on.message': {
        run: `esbuild --bundle --platform=node --loader=ts --outfile=refunds.cjs < "$BLOCK"
botstead deploy refunds.cjs
TYPED='refund\\n' botstead chat "${newest}" | grep 'A colleague will write to you here.'
botstead handoffs --bot "${newest}" | grep refund`,
        text: (text) => `import { Bot } from '@botpress/sdk'
const bot = new Bot({ actions: {}, plugins: {} })
export const handler = bot.handler
${text}`,
      },
      '"hours"': 'send PUT /v1/platform/handoff-rules',
      'handoff-times': `{
  node examples/support-bot/answer.mjs "$BOT"
  converse
  JSON="{\\"conversationId\\": \\"$TALK\\", \\"assign\\": true}"
  HANDOFF=$(send POST /v1/platform/handoffs <(echo "$JSON") | jq -r .handoff.id)
  send POST "/v1/platform/handoffs/$HANDOFF/messages" <(echo '{"type": "text", "payload": {"text": "Hi"}}')
  send POST "/v1/platform/handoffs/$HANDOFF/close" <(echo '{"outcome": "solved"}')
} > /dev/null
. "$BLOCK"`,
      '"firstAnswer"': printed,
    },
  },
  'docs/hosting.md': {
    before: 'bp_login; bp_project echo-bot path/to/my-bot',
    values: { 'index.cjs': 'index.js' },
    blocks: {
      'client.createBot': script(),
      'bp dev': `bp_project echo-bot my-bot; (cd my-bot && . "$BLOCK")`,
      telegram: script(`
const id = process.env.BOT
const { bot } = await client.getBot({ id })
const { id: integrationId } = Object.values(bot.integrations)[0]
const configuration = {}`),
    },
  },
  'docs/idempotency.md': {},
  'docs/mcp.md': {
    values: { '<bot id>': newest, 'bp_bak_…': '$TOKEN' },
    blocks: {
      '"shop"': `
KEY=$(jq -r .mcpServers.shop.headers.Authorization "$BLOCK" | sed "s/\\$TOKEN/$TOKEN/")
curl "$(jq -r .mcpServers.shop.url "$BLOCK")" -H "Authorization: $KEY" \\
  -H 'content-type: application/json' -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
      '"mcpServers": { "docs"': fields,
    },
  },
  'docs/models.md': {
    values: { '<your key>': 'key' },
    blocks: {
      BOTSTEAD_MODELS_RECORD: `. "$BLOCK"
HI='{"model": "auto", "messages": [{"role": "user", "content": "Hi"}]}'
send POST /v1/openai/chat/completions <(echo "$HI")
eventually 'ls calls/*.json'`,
      'providers:':
        'save models.yaml; OPENAI_API_KEY=x ANTHROPIC_API_KEY=y BOTSTEAD_MODELS=models.yaml npm start',
      'models/\n': `node bench/dist/local-models.js --write ../written
# These files suffice.
sed -n 's/^    \\([^ ]*\\).*/\\1/p' "$BLOCK" |
  (cd ../written/sentences && xargs cp --parents --target-directory ..)
rm -r ../written/sentences ../written/reranker; mkdir ../listed; mv ../written ../listed/all-MiniLM-L6-v2
BOTSTEAD_LOCAL_MODELS=$(realpath ../listed) npm start
embed local:all-MiniLM-L6-v2`,
      'onnxruntime-node': 'install_apart',
      CognitiveBeta: script(
        '',
        '',
        `cat > best.yaml <<END
providers: { own: { type: openai-compatible, url: $MODEL_URL } }
models: { 'own:llama3.2': {} }
aliases: { best: own:llama3.2, auto: own:llama3.2 }
END
BOTSTEAD_MODELS=best.yaml npm start`,
      ),
    },
  },
  'docs/official-integrations.md': {
    before: `cp -r "$SUPPORT/hub-sources" ../botpress
tar -czf botpress-master.tar.gz -C .. botpress`,
    values: {
      'integrations/notion': 'integrations/courier',
      'notion zendesk': 'courier',
      '<fingerprint>': '$(botstead hub key --json | jq -r .fingerprint)',
    },
  },
  'docs/moving-in.md': {
    before: `echo '{"kind":"app","app":{"name":"Help","mode":"chat"},"model_config":{}}' > support.json`,
  },
  'docs/moving-from-the-cloud.md': {
    before: `bp_project empty-integration my-integration
cd my-integration
sed -i 's/"empty-integration"/"my-integration"/' package.json
sed -i "s/^  version:.*/&\\n  secrets: { API_KEY: {} },/" integration.definition.ts
cd ..
bp_project echo-bot my-bot`,
    other: true,
    values: {
      'BOTSTEAD_SOURCE_TOKEN=bp_pat_…': 'BOTSTEAD_SOURCE_TOKEN=$OTHER_TOKEN',
      'https://bots.example.org': '$OTHER_URL',
      'bot_01K…': '$OTHER_BOT',
      'migrate cloud --dry-run': 'migrate cloud --from $OTHER_URL --dry-run',
      'migrate cloud\n': 'migrate cloud --from $OTHER_URL\n',
    },
    blocks: {
      'bp deploy --secrets': '(. "$BLOCK")',
      'bp add chat': '(cd my-integration && . "$BLOCK")',
      'defaultModels:': `
PINNED=$(node --print "Object.values(({$(cat "$BLOCK")}).defaultModels).join(' ')")
for MODEL in $PINNED; do
  (generate "$MODEL" || true) | grep "There is no model .*$MODEL.* for text"
done`,
      'cerebras:gpt-oss-120b: ollama:gpt-oss:20b': `
save models.yaml; BOTSTEAD_MODELS=models.yaml npm start
for MODEL in $PINNED; do generate "$MODEL" | grep '"model":"ollama:gpt-oss:20b"'; done`,
    },
  },
  'docs/operations.md': {
    before: 'converse',
    values: {
      'BOTSTEAD_DATA=/srv/new npm run botstead -- restore':
        'DATABASE_URL=$OTHER_DATABASE BOTSTEAD_DATA=/srv/new npm run botstead -- restore',
      'BOTSTEAD_DATA=/srv/new npm run botstead -- import':
        'DATABASE_URL=$MIGRATED_DATABASE BOTSTEAD_DATA=/srv/new npm run botstead -- import',
      '/mnt/': '../srv/',
      ...bucket,
      'postgres://botstead:…@db.internal/botstead': '$DATABASE_URL',
      'BOTSTEAD_MASTER_KEY=… BOTSTEAD_CHAT_KEY=…':
        'BOTSTEAD_MASTER_KEY=$(cat data/keys/master.key) BOTSTEAD_CHAT_KEY=$(cat data/keys/chat.key)',
      'tls://botstead:password@nats.internal:4222':
        'tls://botstead:password@localhost:$NATS_PORT',
      // The database of the tests has no fsync, which is a finding.
      '-- doctor': '-- doctor || [ $? = 1 ]',
      'postgres://botstead@127.0.0.1:6432/botstead': '"$DATABASE_URL"',
      'postgres://botstead@db.internal/botstead': '"$DATABASE_URL"',
      'postgres://botstead@replica.internal/botstead': '"$DATABASE_URL"',
    },
    blocks: {
      scrape_configs: services,
      promtool: services,
      '/v1/platform/live': `until_prints 'data: {"topic":"messages"' '. "$BLOCK"' say`,
      'event: message': printed,
      OTEL_EXPORTER: `if has_registry; then
  mkdir ../traced; ln -s "$PWD/packages" "$(realpath data)" ../traced
  mv ../traced/botstead-* ../traced/data
  stop_server ../server.pid; stop_server "$SERVER_PID_FILE"
  COLLECTOR=$(free_port)
  node "$SUPPORT/collector.mjs" "$COLLECTOR" > ../spans &
  COLLECTOR_PID=$!
  sed "s/:4318/:$COLLECTOR/" "$BLOCK" > ../traced/block.sh
  BOTSTEAD_PORT=0 until_prints 'Botstead is running' 'unset -f npm; cd ../traced; . ./block.sh'
  eventually 'grep botstead ../spans'
  kill "$COLLECTOR_PID"
  npm start
fi`,
      // The server's own file has the old key again afterwards.
      'keys finish': `OLD_KEY=$(cat data/keys/master.key)
(export BOTSTEAD_MASTER_KEY=$OLD_KEY; . "$BLOCK")
NEW_KEY=$(cat new-master.key)
BOTSTEAD_MASTER_KEY=$NEW_KEY BOTSTEAD_NEW_MASTER_KEY=$OLD_KEY botstead keys rotate
BOTSTEAD_MASTER_KEY=$OLD_KEY botstead keys finish`,
      'create role': {
        run: 'node --input-type=module < "$BLOCK"',
        text: (sql) => `import pg from 'pg'
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
const sql = ${JSON.stringify(sql.trim().replaceAll('botstead', 'botstead_page'))}
const undo = ['drop database botstead_page', 'drop role botstead_page']
for (const statement of [...sql.split('\\n'), ...undo]) await client.query(statement)
await client.end()`,
      },
      'S3_BUCKET=':
        'S3_REGION=$BUCKET_REGION S3_ENDPOINT=$BUCKET_URL . "$BLOCK"; check_bucket',
      '[pgbouncer]': 'check_pgbouncer',
      NATS_URL: `if PATH=$PATH:/usr/sbin command -v nats-server; then
  (umask 077; openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=nats -addext subjectAltName=DNS:localhost \\
    -keyout ../nats.key -out ../nats.pem)
  NATS_PORT=$(free_port) NATS_MONITOR=$(free_port)
  PATH=$PATH:/usr/sbin nats-server -a 127.0.0.1 -p "$NATS_PORT" -m "$NATS_MONITOR" \\
    --user botstead --pass password --tls --tlscert ../nats.pem --tlskey ../nats.key > ../nats.log 2>&1 &
  NATS_PID=$!
  NODE_EXTRA_CA_CERTS=../nats.pem . "$BLOCK"
  CONNECTIONS="http://127.0.0.1:$NATS_MONITOR/connz"
  eventually 'curl "$CONNECTIONS" | jq --exit-status ".num_connections > 0"'
  kill "$NATS_PID"
fi`,
      'frontend botstead': 'check_haproxy',
    },
  },
  'docs/performance.md': {
    blocks: {
      '--quick': allShortened(
        'getOrCreateConversation',
        'Turns, 10 ',
        'CPU time of the server by function',
      ),
    },
  },
  'docs/personal-data.md': {
    before: 'converse',
    values: { 'user_01K…': '$GUEST' },
    blocks: {
      '"userId": true': {
        run: 'send POST /v1/tables',
        text: (text) => JSON.stringify({ name: 'SalesTable', schema: JSON.parse(text) }),
      },
      '"rules"': 'send PUT /v1/platform/redaction',
    },
  },
  'docs/persons.md': { before: 'converse', values: { 'user_01K…': '$GUEST' } },
  'docs/reliability-lab.md': {
    values: { '--minutes 2': '--minutes 0.1' },
    blocks: {
      'lab -- rolling': {
        runBy: 'packages/server/src/features/operator/documented-upgrade.test.ts',
      },
      'listen database': 'check_haproxy',
    },
  },
  'docs/reverse-proxy.md': {
    blocks: {
      'deploy/nginx': services,
      'deploy/caddy': services,
      'deploy/haproxy': services,
      'deploy/traefik': notRun(
        'needs programs that Debian and npm lack',
        'scripts/deploy.test.ts',
      ),
    },
  },
  'docs/scaling.md': {
    blocks: {
      '--only turns': shortened,
      PATRONI_NAME: notRun('needs a cluster', 'bench/src/lab/patroni-settings.test.ts'),
      'docker compose': notRun('needs a cluster', 'scripts/deploy.test.ts'),
      'kubectl apply': notRun('needs a cluster', 'scripts/deploy.test.ts'),
    },
  },
  'docs/search.md': { blocks: { '--only search': shortened } },
  'docs/security.md': {},
  'docs/signing-in.md': { blocks: { BOTSTEAD_OIDC_ROLES: '. "$BLOCK"; npm start' } },
  'docs/tables.md': {
    before:
      'botstead api tables.deleteTable --table OrdersTable || true # of other pages',
    blocks: {
      '"offset"': 'send POST /v1/platform/tables/OrdersTable/rows/find',
      '"group"': 'send POST /v1/tables/OrdersTable/rows/find',
      '"computed"': {
        run: 'send PUT /v1/tables/OrdersTable',
        text: (text) => JSON.stringify({ schema: JSON.parse(text) }),
      },
    },
  },
  'docs/upgrading.md': {
    blocks: {
      'pending migrations': {
        prints: 'DATABASE_URL=$OLD_DATABASE botstead migrate --plan',
      },
      '--prefix ../postgresql-17': otherPostgres,
      'upgrade-database': otherPostgres,
    },
  },
  'docs/webchat.md': {
    blocks: {
      'webchat.js': widget,
      '#chat': widget,
      createHmac: script(
        'process.env.CHAT_ENCRYPTION_KEY = process.env.SERVER_CHAT_KEY',
        `const { SERVER_CHAT: chat } = process.env
const reply = await fetch(chat + '/users/get-or-create', {
  method: 'POST', body: '{}',
  headers: { 'x-user-key': userKeyOf('ann'), 'content-type': 'application/json' },
})
if (!reply.ok) throw new Error(await reply.text())`,
      ),
      '/chat-key': widget,
      appearance: script(
        `const { TOKEN: token, SERVER_WORKSPACE: workspaceId } = process.env`,
      ),
      'window.botpress.init': printed,
      'npm install react': 'install_apart',
      '<Webchat ': { runBy: 'packages/server/test/official/official-webchat.test.ts' },
      allowedOrigins: script(),
    },
  },
  'docs/workflows-and-schedules.md': {
    before: 'converse',
    blocks: {
      'schedule: { delay': script(asConversation),
      recurringEvents: script(asConversation),
      createWorkflow: script(asConversation),
    },
  },
}
