// Sends the example requests of the API reference to a server: with curl, in JavaScript and in Python.
// Their placeholders become the ids of one conversation, where it has them; with others, the server must
// answer that it has no such object.
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Client as ChatClient } from '@botpress/chat'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toExamples } from '../../../../scripts/documents/api/examples.js'
import { listOperations } from '../../../../scripts/documents/api/pages.js'
import { type RunningServer, runServer } from '../support/running-server.ts'

interface Example {
  name: string
  method: string
  path: string
  /** The code blocks, by title. */
  blocks: Record<string, string>
}
interface Operation {
  method: string
  path: string
  operation: { operationId: string }
}

const folder = new URL('../../../contract/openapi/', import.meta.url)
const last = [
  'tables.deleteTable',
  'admin.deleteAccount',
  'chat.deleteUser',
  'webchat.deleteUser',
]
/** The others need what these delete. */
const isLast = ({ name }: Example) => last.includes(name)
const examples = readdirSync(folder)
  .flatMap((file): Example[] => {
    const document = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    const family = file.replace('.json', '')
    return listOperations(document).map((one: Operation) => {
      const code = toExamples(family, document, one)
      const blocks = [...code.matchAll(/```\w+ \[([^\]]+)\]\n([\s\S]*?)\n```/g)]
      return {
        name: `${family}.${one.operation.operationId}`,
        method: one.method.toUpperCase(),
        path: one.path,
        blocks: Object.fromEntries(blocks.map(([, title, code]) => [title, code])),
      }
    })
  })
  .sort((a, b) => Number(isLast(a)) - Number(isLast(b)))

/** Examples that this server rejects although they name no object. */
const rejected: Record<string, number | number[]> = {
  'admin.changeAISpendQuota': 404, // no billing
  'admin.deleteAccount': 409, // the only owner
  'admin.createWorkspaceMember': 409, // a member after the first language
  'admin.getPublicWorkspace': 404, // not public
  'admin.publishFromBotJson': 400, // an empty document
  'admin.transferBot': 400, // into its own workspace
  'cognitive.generateText': 400, // no models
  'cognitive.generateTextStream': 400,
  'cognitive.transcribeAudio': 400, // no internet
  'newer.getIntegrationInstanceIdentifiers': 403, // for integrations
  'platform.createInvitation': 409, // a member by now
  'platform.importHistory': 400, // the user exists
  'platform.keepUsersApart': 409, // only one user
  'platform.publishBotDraft': 409, // the bot has no document
  'platform.testBotDraft': 409,
  'platform.tryBotDraft': 409,
  'platform.setPassword': [403, 429], // needs the password of the first language
  'platform.endSession': 400, // a token, not a session
  'platform.signInWithPassword': 401,
  'platform.startOpenId': 404, // not configured
  'runtime.callAction': 400, // the bot has no action
  'tables.createTable': 409, // exists for the others
  'tables.getTableRow': 404, // not yet
  'webchat.deleteUser': 401, // deleted before by that of the Chat API
}
const hasNoBilling = ({ name }: Example) =>
  /^newer\.(set(Addons|Cancel|AutoRecharge)|removeTrial|create(CreditGrant|PaymentMethodIntent))/.test(
    name,
  )

let server: RunningServer
let variables: Record<'TOKEN' | 'BOT' | 'USER_KEY', string>
/** By the name of a placeholder, or the part of the path before it. */
let ids: Record<string, string>
let clients: Record<string, unknown>

beforeAll(async () => {
  server = await runServer({})
}, 60_000)
beforeEach(async () => {
  const { url, token, botId, workspaceId, webhookId } = server.credentials
  const client = new Client({ apiUrl: url, token, botId, workspaceId })
  const chat = await ChatClient.connect({ apiUrl: `${url}/chat/${webhookId}` })
  const { conversation } = await chat.createConversation({})
  const payload = { type: 'text', text: 'Hello' } as const
  await chat.createMessage({ conversationId: conversation.id, payload })
  const { messages } = await client.listMessages({})
  const message = messages.find(({ direction }) => direction === 'incoming')
  const { id, conversationId, userId } = message!
  await client.getOrCreateTable({ table: 'OrderTable', schema: {} })
  ids = {
    webhookId,
    botId,
    bots: botId,
    workspaces: workspaceId,
    conversationId,
    conversations: conversationId,
    conv: conversationId,
    userId,
    users: userId,
    user: userId,
    messageId: id,
    messages: id,
    msg: id,
  }
  variables = { TOKEN: token, BOT: botId, USER_KEY: chat.user.key }
  clients = { '@botpress/client': client, '@botpress/chat': chat }
})
afterAll(() => server?.remove())

/** Deletions and erasures keep their placeholders, because other examples need the objects. */
function withIds(code: string, { name, method, path }: Example): string {
  const owner = /(\w+)\/\{id\}/.exec(path)?.[1] ?? ''
  const isDeletion = method === 'DELETE' || name.includes('erase')
  return code
    .replaceAll('http://127.0.0.1:4000', server.credentials.url)
    .replaceAll(/\b(conv|user|msg)_01(?:KAJ|JV8)\w+/g, '<$1>')
    .replaceAll(/<(\w+)>/g, (placeholder, name) => {
      const id = ids[name === 'id' ? owner : name]
      return id && (name === 'webhookId' || !isDeletion) ? id : placeholder
    })
}

/** Repeated wrong codes of a second factor lead to 429. */
const statusesOfMissing = [400, 401, 403, 404, 409, 410, 429]

type Answered = { example: Example; code: string; status: unknown }

const isExpected = ({ example, code, status }: Answered) =>
  (typeof status === 'number' && status >= 200 && status < 300) ||
  (statusesOfMissing.includes(status as number) && code.includes('<')) ||
  [hasNoBilling(example) ? 404 : rejected[example.name]].flat().includes(status as number)

const expectAnswers = (answers: Answered[]) =>
  expect(answers.filter((one) => !isExpected(one))).toEqual([])

const listBlocks = (title: string) =>
  examples.flatMap((example) => {
    const block = example.blocks[title]
    return block ? [{ example, code: withIds(block, example) }] : []
  })

/** Streams, which end after two seconds, have the option -N. */
const curl = `curl() {
  local seconds=30
  case "$*" in *' -N'*) seconds=2 ;; esac
  command curl -sS -m $seconds -o body -w '%{http_code}' "$@" || [ $? = 28 ]
}`

test('the commands of curl', { timeout: 300_000 }, async () => {
  const options = { env: { ...process.env, ...variables }, cwd: server.dataFolder }
  const answers: Answered[] = []
  for (const block of listBlocks('curl')) {
    const script = `${curl}\n${block.code}`
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], options)
    answers.push({ ...block, status: Number(stdout) })
  }
  expectAnswers(answers)
})

const AsyncFunction = (async () => {}).constructor as FunctionConstructor
const silent = { log() {}, stdout: { write() {} } }

/** Runs code with the global objects that it uses; streams end after two seconds. */
async function runJavaScript(code: string, title: string): Promise<number> {
  const timeout = code.includes('for await') ? 2_000 : 30_000
  let status = 200
  const limitedFetch = async (url: string, options: RequestInit) => {
    const response = await fetch(url, {
      ...options,
      signal: AbortSignal.timeout(timeout),
    })
    status = response.status
    return response
  }
  const globals = {
    ...variables,
    client: clients[title],
    fetch: limitedFetch,
    console: silent,
    process: silent,
  }
  try {
    await new AsyncFunction(...Object.keys(globals), code)(...Object.values(globals))
  } catch (error) {
    const { code, name } = error as { code: number; name: string }
    return name === 'TimeoutError' ? status : code
  }
  return status
}

test.each(['@botpress/client', '@botpress/chat', 'JavaScript'])(
  'the JavaScript of %s',
  { timeout: 300_000 },
  async (title) => {
    const answers: Answered[] = []
    for (const block of listBlocks(title))
      answers.push({ ...block, status: await runJavaScript(block.code, title) })
    expectAnswers(answers)
  },
)

const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0

/** Runs each code with the variables, and prints its status. Streams end after two seconds. */
const python = `
import json, sys, requests
send = requests.Session.request
def request(self, method, url, **options):
    global status
    response = send(self, method, url, **options, timeout=2 if options.get('stream') else 30)
    status = response.status_code
    return response
requests.Session.request = request
given, statuses = json.load(sys.stdin), []
for code in given['codes']:
    try:
        exec(code, {**given['variables'], 'print': lambda *_: None})
    except requests.RequestException:
        pass
    statuses.append(status)
print(json.dumps(statuses))`

test('the Python', { timeout: 300_000 }, async ({ skip }) => {
  if (!hasRequests) skip('needs Python with the package requests')
  const blocks = listBlocks('Python')
  const sent = { variables, codes: blocks.map(({ code }) => code) }
  const running = promisify(execFile)('python3', ['-c', python], { timeout: 200_000 })
  running.child.stdin!.end(JSON.stringify(sent))
  const statuses = JSON.parse((await running).stdout)
  expectAnswers(blocks.map((block, i) => ({ ...block, status: statuses[i] })))
})
