// How documents-run.test.ts runs the code blocks of each page. Without an entry here, commands run, a `text`
// block after them is their output, and files are saved. Other blocks need an entry: its key is a part of one
// block of the page, its value says what a reader does with the block, or why the test does not run it.
// Commands run in the shell of page-shell.sh.

/** Reasons for not running a block here. */
type Reason =
  | 'is an example of an output or a folder'
  | 'needs a browser or a terminal'
  | 'needs a registry of packages'
  | 'needs another service or installation'
  | 'needs root, which changes the machine'
  | 'takes minutes'

export type Handling =
  /** Commands, which may use the file `$BLOCK`. */
  | string
  /** Commands with another text in the file `$BLOCK`. */
  | { run: string; text: (text: string) => string }
  /** Commands that print the block; empty for those of the block before. */
  | { prints: string }
  /** The file of the repository that runs the block, or checks the same. */
  | { notHere: Reason; by: string }

export interface Page {
  /** Commands before the first block. */
  before?: string
  /** Texts that a reader replaces. */
  values?: Record<string, string>
  blocks?: Record<string, Handling>
}

const notHere = (reason: Reason, by: string): Handling => ({ notHere: reason, by })
const machines = notHere(
  'needs root, which changes the machine',
  'scripts/machines/try-machines.js',
)
const docker = notHere('needs root, which changes the machine', 'scripts/machines/try-docker.js')
const proxies = notHere(
  'needs root, which changes the machine',
  'packages/server/test/app/reverse-proxies.test.ts',
)
const officialCli = notHere(
  'needs another service or installation',
  'packages/server/test/official/official-cli.test.ts',
)
const measurement = notHere('takes minutes', 'scripts/documents.test.ts')
const printed: Handling = { prints: '' }

/** Runs the block as a module after other commands; `given` declares what it needs beside `client`. */
const script = (given = '', after = '', before = ''): Handling => ({
  run: `${before}\nnode --input-type=module < "$BLOCK"`,
  text: (text) => {
    const client = /\bconst client\b/.test(text)
      ? ''
      : `import { Client as Official } from '@botpress/client'
const client = new Official({
  apiUrl: process.env.SERVER_URL, token: process.env.TOKEN,
  workspaceId: process.env.SERVER_WORKSPACE, botId: process.env.BOT,
})\n`
    return `${client}${given}\n${text}\n${after}`
  },
})

/** Checks a bot that contains the block; after commands that write its other files, deploys it. */
const deployed = (around: (part: Record<string, unknown>) => object, before = ''): Handling => ({
  run: before ? `${before}\nbotstead deploy "$BLOCK" --name Part` : 'check_document',
  text: (text) => {
    const part = JSON.parse(text.startsWith('"') ? `{${text}}` : text)
    return JSON.stringify({ kind: 'bot', version: 2, ...around(part) })
  },
})

const nodes = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'standard' }]))
const mainOf = (cards: object[], more: { variables?: object; nodes?: object } = {}) => ({
  flows: {
    main: { ...more, nodes: { start: { type: 'start', cards }, ...more.nodes } },
  },
})
const fields = deployed((part) => ({ ...mainOf([]), ...part }))
/** A card with the variables and nodes that it names. */
const card = (variables: object = {}, names: string[] = [], more: object = {}, before = '') =>
  deployed(
    (part) => ({ ...more, ...mainOf([part], { variables, nodes: nodes(...names) }) }),
    before,
  )

const newest = '$(newest_bot)'
const asConversation = 'const { BOT: id, BOT: userId, TALK: conversationId } = process.env'

export const pages: Record<string, Page> = {
  'README.md': {
    blocks: {
      'npm run botstead -- chat': '. "$BLOCK" | grep \'You said: "hello"\'',
      'npm test': notHere('takes minutes', '.ci/run'),
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
      'When is breakfast served?': notHere(
        'is an example of an output or a folder',
        'examples/hotel-bot/tests/hotel.yaml',
      ),
      '"aiTask"': card({ booking: { type: 'object' } }, ['sorry']),
      '"aiTransition"': card({}, ['book', 'ask', 'chat']),
      '"aiText"': card(),
      '"answer"': card({}, [], { knowledgeBases: { hotel: {} } }),
      '"capture"': card({ nights: { type: 'number' } }),
    },
  },
  'docs/cells.md': {
    before: 'cp examples/greeting-bot/bot.json .',
    values: {
      '5f0c1a9e-…': '$(botstead workspaces | grep Shop | cut -f 1)',
      '/etc/ssl/botstead.pem': 'cells.pem',
    },
    blocks: {
      'frontend cells': `
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=cells -keyout key.pem -out cert.pem
cat cert.pem key.pem > cells.pem; check_haproxy`,
      'read -rs': notHere(
        'needs another service or installation',
        'packages/server/test/modules/moves/moves.test.ts',
      ),
      '--server https://cell-2': notHere(
        'needs another service or installation',
        'packages/server/test/modules/moves/moves.test.ts',
      ),
      '--end-forwarding': notHere(
        'needs another service or installation',
        'packages/server/test/modules/moves/moves.test.ts',
      ),
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
    before: `converse; mkdir -p ~/.zfunc ~/.config/fish/completions
send POST /v1/tables <(echo '{"name": "OrdersTable", "schema": {"total": {"type": "number"}}}')`,
    values: { 'bot_01K…': '$BOT' },
    blocks: {
      'botstead login': notHere(
        'needs a browser or a terminal',
        'packages/server/test/app/command-line.test.ts',
      ),
    },
  },
  'docs/compatibility.md': {
    blocks: {
      'openapi-generator-cli': notHere(
        'needs a registry of packages',
        'packages/server/test/official/generated-clients.test.ts',
      ),
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
      kubectl: notHere('needs another service or installation', 'scripts/deploy.test.ts'),
    },
  },
  'docs/files-and-knowledge.md': {
    before: 'cp examples/echo-bot/samples/paper.pdf manual.pdf',
    blocks: {
      'client.uploadFile': script(),
      S3_BUCKET: notHere(
        'needs another service or installation',
        'packages/server/test/modules/files/files-in-bucket.test.ts',
      ),
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
      'user.name.lenght': notHere(
        'is an example of an output or a folder',
        'packages/cli/src/bot-document.test.ts',
      ),
      '"knowledgeBases"': fields,
      'yaml-language-server': 'botstead deploy "$BLOCK" --name Yaml',
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
      'name: Reminds': notHere(
        'is an example of an output or a folder',
        'scripts/documents.test.ts',
      ),
      'trace conv_…': `botstead deploy bot.json; botstead chat "${newest}"; . "$BLOCK"`,
    },
  },
  'docs/getting-started.md': {
    values: { '<id>': '$MEMBER' },
    blocks: {
      'npm install && npm start': notHere('takes minutes', 'README.md'),
      '/srv/botstead': '. "$BLOCK"; npm start',
      '--global': notHere('needs a registry of packages', 'scripts/try-package.js'),
      'client.listBots': script(),
      '/token': `
ANA='{"email": "ana@example.org", "role": "viewer"}'
MEMBER=$(send POST /v1/admin/workspace-members <(echo "$ANA") | jq -r .id)
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
    blocks: {
      'bp build': officialCli,
      'client.createBot': script(),
      'bp dev': officialCli,
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
until ls calls/*.json; do sleep 1; done`,
      'providers:':
        'save models.yaml; OPENAI_API_KEY=x ANTHROPIC_API_KEY=y BOTSTEAD_MODELS=models.yaml npm start',
      'models/\n': notHere(
        'is an example of an output or a folder',
        'packages/server/test/infra/local-models.test.ts',
      ),
      'onnxruntime-node': notHere(
        'needs a registry of packages',
        'packages/server/test/modules/models/local-models.test.ts',
      ),
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
  'docs/moving-from-the-cloud.md': {
    blocks: {
      'bp login': officialCli,
      'bp deploy --secrets': officialCli,
      'bp add chat': officialCli,
      'migrate cloud --dry-run': notHere(
        'needs another service or installation',
        'docs/tutorials/moving-from-the-cloud.md',
      ),
      'migrate cloud --from': notHere(
        'needs another service or installation',
        'packages/server/test/app/migrate-cloud.test.ts',
      ),
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
      // The database of the tests has no fsync, which is a finding.
      '-- doctor': '-- doctor || [ $? = 1 ]',
      'postgres://botstead@127.0.0.1:6432/botstead': '"$DATABASE_URL"',
      'postgres://botstead@db.internal/botstead': '"$DATABASE_URL"',
      'postgres://botstead@replica.internal/botstead': '"$DATABASE_URL"',
    },
    blocks: {
      scrape_configs: notHere(
        'needs another service or installation',
        'packages/server/test/infra/telemetry/metrics.test.ts',
      ),
      promtool: notHere(
        'needs another service or installation',
        'packages/server/test/infra/telemetry/metrics.test.ts',
      ),
      '/v1/platform/live': `until_prints 'event: message' '. "$BLOCK"' say`,
      'event: message': notHere(
        'is an example of an output or a folder',
        'packages/server/test/app/live-chat-page.test.ts',
      ),
      OTEL_EXPORTER: notHere(
        'needs a registry of packages',
        'packages/server/test/infra/telemetry/trace-passed-on.test.ts',
      ),
      'keys finish': notHere(
        'needs another service or installation',
        'packages/server/test/app/command-line.test.ts',
      ),
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
      'S3_BUCKET=': notHere(
        'needs another service or installation',
        'packages/server/test/modules/files/files-in-bucket.test.ts',
      ),
      '[pgbouncer]': notHere(
        'needs another service or installation',
        'packages/server/test/infra/db/pgbouncer.test.ts',
      ),
      NATS_URL: notHere(
        'needs another service or installation',
        'packages/server/test/infra/fan-out.test.ts',
      ),
      'frontend botstead': 'check_haproxy',
    },
  },
  'docs/performance.md': { blocks: { '--quick': measurement } },
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
  'docs/reliability-lab.md': {
    blocks: {
      'lab -- kills': notHere('takes minutes', '.ci/run'),
      'lab -- rolling': notHere('takes minutes', 'bench/src/lab/other-version.ts'),
      'listen database': 'check_haproxy',
    },
  },
  'docs/reverse-proxy.md': {
    blocks: {
      'deploy/nginx': proxies,
      'deploy/caddy': proxies,
      'deploy/haproxy': proxies,
      'deploy/traefik': notHere('needs root, which changes the machine', 'scripts/deploy.test.ts'),
    },
  },
  'docs/scaling.md': { blocks: { '--only turns': measurement } },
  'docs/search.md': { blocks: { '--only search': measurement } },
  'docs/security.md': {},
  'docs/signing-in.md': { blocks: { BOTSTEAD_OIDC_ROLES: '. "$BLOCK"; npm start' } },
  'docs/tables.md': {
    before: 'botstead api tables.deleteTable --table OrdersTable || true # of other pages',
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
      '0120_receipts': notHere(
        'is an example of an output or a folder',
        'packages/server/test/infra/db/migration-statements.test.ts',
      ),
      '--prefix ../postgresql-17': notHere(
        'needs a registry of packages',
        'packages/server/test/infra/db/embedded-upgrades.test.ts',
      ),
      'upgrade-database': notHere(
        'needs another service or installation',
        'packages/server/test/infra/db/embedded-upgrades.test.ts',
      ),
    },
  },
  'docs/webchat.md': {
    blocks: {
      'webchat.js': notHere(
        'needs a browser or a terminal',
        'packages/server/test/app/chat-appearance.test.ts',
      ),
      '#chat': notHere(
        'needs a browser or a terminal',
        'packages/server/test/app/chat-appearance.test.ts',
      ),
      createHmac: script(
        'process.env.CHAT_ENCRYPTION_KEY = process.env.SERVER_CHAT_KEY',
        `const { SERVER_CHAT: chat } = process.env
const reply = await fetch(chat + '/users/get-or-create', {
  method: 'POST', body: '{}',
  headers: { 'x-user-key': userKeyOf('ann'), 'content-type': 'application/json' },
})
if (!reply.ok) throw new Error(await reply.text())`,
      ),
      '/chat-key': notHere(
        'needs a browser or a terminal',
        'packages/server/test/app/chat-appearance.test.ts',
      ),
      appearance: script(`const { TOKEN: token, SERVER_WORKSPACE: workspaceId } = process.env`),
      'window.botpress.init': printed,
      'npm install react': notHere(
        'needs a registry of packages',
        'packages/server/test/official/official-webchat.test.ts',
      ),
      '<Webchat ': notHere(
        'needs a browser or a terminal',
        'packages/server/test/official/official-webchat.test.ts',
      ),
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
