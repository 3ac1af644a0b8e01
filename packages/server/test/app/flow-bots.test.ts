// Bots made of flows, from end to end: the command line deploys a document to a real server, and
// users talk to the bot with the official chat client.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@botpress/chat'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { killHostedCode } from '../support/processes.ts'
import { commandLine, type RunningServer, runServer } from '../support/running-server.ts'

let server: RunningServer
let folder: string
const running: ReturnType<typeof spawn>[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-flows-'))
  mkdirSync(join(folder, 'code'))
  server = await runServer({ BOTSTEAD_RETRY_SECONDS: Array(20).fill('0.2').join() })
}, 90_000)

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

function start(...args: string[]) {
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: { ...process.env, BOTSTEAD_DATA: server.dataFolder },
  })
  running.push(child)
  const ran = {
    child,
    stdout: '',
    stderr: '',
    code: once(child, 'close').then(([code]) => code as number),
  }
  child.stdout.on('data', (chunk) => (ran.stdout += chunk))
  child.stderr.on('data', (chunk) => (ran.stderr += chunk))
  return ran
}

async function run(...args: string[]) {
  const ran = start(...args)
  return { ...ran, code: await ran.code, stdout: ran.stdout, stderr: ran.stderr }
}

async function admin(method: string, path: string, body?: unknown) {
  const { url, token, workspaceId } = server.credentials
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-multiple-integrations': 'true',
    'content-type': 'application/json',
  }
  const reply = await fetch(`${url}/v1/admin/bots${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(reply.status, `${method} ${path}`).toBeLessThan(300)
  return reply.json()
}

const write = (name: string, content: unknown) => {
  writeFileSync(
    join(folder, name),
    typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  )
  return join(folder, name)
}

const pollOptions = { timeout: 30_000, interval: 50 }
const long = { timeout: 90_000 }
const chatUrlIn = (stdout: string) => /Chat API {3}(\S+)/.exec(stdout)![1]!

/** Opens a conversation with the official client. */
async function converse(apiUrl: string) {
  const client = await Client.connect({ apiUrl })
  const { conversation } = await client.createConversation({})
  const listener = await client.listenConversation({ id: conversation.id })
  const heard: string[] = []
  const waiting = new Map<string, () => void>()
  listener.on('message_created', ({ payload, isBot }) => {
    if (!isBot) return
    const { text } = payload as { text: string }
    heard.push(text)
    waiting.get(text)?.()
  })
  return {
    heard,
    say: (text: string) =>
      client.createMessage({
        conversationId: conversation.id,
        payload: { type: 'text', text },
      }),
    hears: (...texts: string[]) =>
      vi.waitFor(() => expect(heard).toEqual(texts), pollOptions),
    /** Calls `callback` as soon as `text` is received. */
    when: (text: string, callback: () => void) => waiting.set(text, callback),
    /** Returns all texts of the bot, also those that no listener received. */
    async texts() {
      const { messages } = await client.listMessages({ conversationId: conversation.id })
      return messages
        .filter(({ userId }) => userId !== client.user.id)
        .map(({ payload }) => (payload as { text: string }).text)
        .reverse()
    },
    end: () => listener.disconnect(),
  }
}

const text = (message: string) => ({ type: 'send', message })
const ask = (name: string, kind: string, question: string) => ({
  type: 'capture',
  kind,
  into: `workflow.${name}`,
  question,
})
const twoQuestions = (greeting: string) => ({
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      variables: {
        name: { type: 'string' },
        age: { type: 'number' },
        greeting: { type: 'string' },
      },
      nodes: {
        start: {
          type: 'start',
          cards: [
            ask('name', 'text', 'What is your name?'),
            ask('age', 'number', `${greeting} {{ workflow.name }}, how old are you?`),
            { type: 'code', code: { file: './code/greet.ts' } },
            text('{{ workflow.greeting }}'),
          ],
        },
      },
    },
  },
})
const greet = (end: string) =>
  `const years: number = workflow.age ?? 0\nworkflow.greeting = \`\${workflow.name} is \${years}${end}\`\n`

test(
  'deploys a document, answers users, returns the document unchanged, and deploys it again',
  long,
  async () => {
    const path = write('bot.json', twoQuestions('Hi'))
    write('code/greet.ts', greet('.'))
    const deployed = await run('deploy', path, '--name', 'two questions')
    expect(deployed, deployed.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Deployed two questions (bot_'),
    })
    expect(readFileSync(join(folder, 'botstead-env.d.ts'), 'utf8')).toContain(
      'const event: BotEvent',
    )
    const ana = await converse(chatUrlIn(deployed.stdout))
    await ana.say('hello')
    await ana.hears('What is your name?')
    await ana.say('Ana')
    await ana.hears('What is your name?', 'Hi Ana, how old are you?')
    await ana.say('33')
    await ana.hears('What is your name?', 'Hi Ana, how old are you?', 'Ana is 33.')
    await ana.end()

    const id = /\((bot_\w+)\)/.exec(deployed.stdout)![1]!
    const document = await admin('GET', `/${id}/bot-json`)
    expect(document).toMatchObject({
      ...twoQuestions('Hi'),
      files: { 'code/greet.ts': greet('.') },
    })
    expect(document).not.toHaveProperty('code')
    expect(document.states).toEqual({})
    expect((await admin('GET', `/${id}/versions`)).versions).toHaveLength(1)
    await admin('POST', `/${id}/publish-from-bot-json`, { botJson: document })
    expect(await admin('GET', `/${id}/bot-json`)).toEqual(document)
  },
)

test(
  'runs test scripts without a server, and traces the turns of the deployed bot',
  long,
  async () => {
    mkdirSync(join(folder, 'tests'), { recursive: true })
    const path = write('bot.json', twoQuestions('Hi'))
    write('code/greet.ts', greet('.'))
    const steps = '  - user: hello\n  - bot: What is your name?\n  - user: Ana\n'
    write(
      'tests/names.yaml',
      [
        `name: asks\nsteps:\n${steps}  - bot: Hi Ana, how old are you?\n`,
        `---\nname: fails\nsteps:\n${steps}  - bot: Who?\n`,
      ].join(''),
    )
    const tested = await run('test', path, '--junit', join(folder, 'results.xml'))
    expect(tested, tested.stderr).toMatchObject({ code: 1 })
    expect(tested.stdout).toMatch(
      new RegExp(
        [
          '^ok {4}asks .*',
          'FAIL {2}fails {2}\\S+names\\.yaml:13',
          ' {6}Expected message:',
          ' {8}Who\\?',
          ' {6}Actual message:',
          ' {8}Hi Ana, how old are you\\?\n',
        ].join('\n'),
      ),
    )
    expect(readFileSync(join(folder, 'results.xml'), 'utf8')).toContain(
      'tests="2" failures="1"',
    )

    const deployed = await run('deploy', path, '--name', 'traced')
    const id = /\((bot_\w+)\)/.exec(deployed.stdout)![1]!
    const chat = start('chat', id, '--trace')
    chat.child.stdin.end('hello\nDi\n')
    expect(await chat.code, chat.stderr).toBe(0)
    expect(chat.stdout).toMatch(
      new RegExp(
        [
          '^What is your name\\?',
          '\\S+ \\S+ {2}text {2}"hello" {2}evt_\\w+',
          ' {2}main / start',
          ' {4}1\\. capture.*',
          ' {6}sends "What is your name\\?"\n',
        ].join('\n'),
      ),
    )
    const headers = {
      authorization: `Bearer ${server.credentials.token}`,
      'x-bot-id': id,
    }
    const { observations } = await (
      await fetch(`${server.credentials.url}/v1/platform/observations?name=flows.turn`, {
        headers,
      })
    ).json()
    const traced = await run('trace', observations[0].conversationId, '--bot', id)
    expect(traced, traced.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /"hello"[\s\S]+"Di"[\s\S]+workflow\.name: null → "Di"[\s\S]+how old/,
      ),
    })
    const newest = await run(
      'trace',
      observations[0].conversationId,
      '--bot',
      id,
      '--limit',
      '1',
    )
    expect(newest.stdout).toContain('"Di"')
    expect(newest.stdout).not.toContain('"hello"')
  },
)

test('chat --trace ends with the trace of a failed turn', long, async () => {
  const cards = [{ type: 'code', code: `throw new Error('no stock')` }]
  const path = write('failing.json', {
    kind: 'bot',
    version: 2,
    flows: { main: { nodes: { start: { type: 'start', cards } } } },
  })
  const id = /\((bot_\w+)\)/.exec((await run('deploy', path)).stdout)![1]!
  const chat = start('chat', id, '--trace', '--wait', '600')
  chat.child.stdin.end('hello\n')
  expect(await chat.code).toBe(1)
  expect(chat.stdout).toContain('card 1: no stock')
  expect(chat.stderr).toBe(
    `botstead: the turn failed without an answer; see "npm run botstead -- logs ${id}"\n`,
  )
})

test('trace explains why a conversation has no trace', long, async () => {
  const cards = [
    { type: 'code', code: 'await new Promise((done) => setTimeout(done, 30_000))' },
  ]
  const path = write('slow.json', {
    kind: 'bot',
    version: 2,
    flows: { main: { nodes: { start: { type: 'start', cards } } } },
  })
  const { id, chatUrl } = JSON.parse((await run('deploy', path, '--json')).stdout)
  const post = async (url: string, path: string, body: object, key?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(key && { 'x-user-key': key }),
    }
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return response.json()
  }
  const converse = async (url: string) => {
    const { key } = await post(url, '/users', {})
    const { conversation } = await post(url, '/conversations', {}, key)
    const payload = { type: 'text', text: 'hi' }
    const say = () =>
      post(url, '/messages', { conversationId: conversation.id, payload }, key)
    return { conversationId: conversation.id as string, say }
  }
  const reason = async (conversationId: string, bot = id) => {
    const { code, stderr } = await run('trace', conversationId, '--bot', bot)
    expect(code).toBeGreaterThan(0)
    return stderr
  }
  const { conversationId, say } = await converse(chatUrl)
  expect(await reason(conversationId)).toContain('has handled no message in it yet')
  await say()
  expect(await reason(conversationId)).toContain('its first turn still runs')
  expect(await reason('conv_unknown')).toContain('"conv_unknown" was not found')
  const { botId, chatUrl: ofEcho } = server.credentials
  const echo = await converse(ofEcho)
  expect(await reason(echo.conversationId, botId)).toContain('only flow bots have traces')
})

test('creates the knowledge bases of a document', long, async () => {
  write('code/greet.ts', greet('.'))
  const knowledgeBases = { faq: { name: 'Questions' } }
  const path = write('knowing.json', { ...twoQuestions('Hi'), knowledgeBases })
  const made = await run('deploy', path, '--name', 'knowing', '--json')
  expect(made.code).toBe(0)
  const { id } = JSON.parse(made.stdout)
  expect((await run('knowledge', 'list', '--bot', id, '--json')).stdout).toContain(
    '"Questions"',
  )
})

test('the API rejects a document with a missing knowledge base', long, async () => {
  const botJson = {
    ...twoQuestions('Hi'),
    knowledgeBases: { faq: { name: 'Questions' } },
  }
  const { url, token, workspaceId, botId } = server.credentials
  const reply = await fetch(`${url}/v1/admin/bots/${botId}/publish-from-bot-json`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      botJson: { ...botJson, files: { 'code/greet.ts': greet('.') } },
    }),
  })
  const { metadata } = (await reply.json()) as { metadata: { problems: object[] } }
  expect(metadata.problems).toEqual([
    {
      pointer: '/knowledgeBases/faq',
      message: expect.stringContaining('the bot has no knowledge base "Questions"'),
    },
  ])
})

test('reports the line of a problem and deploys nothing', long, async () => {
  const wrong = {
    ...twoQuestions('Hi'),
    triggers: { t: { type: 'event', event: 'x', flow: 'none' } },
  }
  const path = write('wrong.json', wrong)
  const { code, stderr } = await run('deploy', path, '--name', 'wrong')
  const line =
    readFileSync(path, 'utf8')
      .split('\n')
      .findIndex((one) => one.includes('"none"')) + 1
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: [
      `${path}:${line}:7 /triggers/t/flow names the flow "none", which is not in \`flows\`.`,
      ` Add it, or correct the name\nbotstead: ${path} has one problem\n`,
    ].join(''),
  })
})

test('loads the libraries that code and expressions name', long, async () => {
  const code = [
    'const { user } = await client.getUser({ id: event.userId })',
    'const adapter = async () => ({ status: 204 })',
    "const { status } = await axios.get('http://127.0.0.1:1', { adapter })",
    'workflow.found = _.compact([user.id === event.userId, 0, status]).join()',
  ].join('\n')
  const cards = [{ type: 'code', code }, text('{{ workflow.found }} {{ _.sum([1, 2]) }}')]
  const flows = {
    main: {
      variables: { found: { type: 'string' } },
      nodes: { start: { type: 'start', cards } },
    },
  }
  const path = write('libraries.json', { kind: 'bot', version: 2, flows })
  const { stdout } = await run('deploy', path, '--name', 'libraries')
  const bo = await converse(chatUrlIn(stdout))
  await bo.say('hello')
  await bo.hears('true,204 3')
  bo.end()
})

test(
  'updates the bot on save, and conversations continue at their position',
  long,
  async () => {
    const path = write('bot.json', twoQuestions('Hi'))
    write('code/greet.ts', greet('.'))
    const dev = start('dev', path, '--name', 'followed')
    await vi.waitFor(
      () => expect(dev.stdout, dev.stderr).toContain('Terminal'),
      pollOptions,
    )
    const bo = await converse(chatUrlIn(dev.stdout))
    await bo.say('hello')
    await bo.hears('What is your name?')
    write('code/greet.ts', 'workflow.age = event.preview\nworkflow.nobody = 1\n')
    await vi.waitFor(
      () => expect(dev.stderr).toContain('the bot was not updated'),
      pollOptions,
    )
    expect(dev.stderr).toMatch(/^code\/greet\.ts:1:1 error TS2322: .*string.*number/m)
    expect(dev.stderr).toMatch(/^code\/greet\.ts:2:10 error TS2339: .*nobody/m)
    write('code/greet.ts', greet('!'))
    write('bot.json', twoQuestions('Hello'))
    await vi.waitFor(() => expect(dev.stdout).toContain(' updated'), pollOptions)
    await bo.say('Bo')
    await bo.hears('What is your name?', 'Hello Bo, how old are you?')
    await bo.say('44')
    await bo.hears('What is your name?', 'Hello Bo, how old are you?', 'Bo is 44!')
    await bo.end()
  },
)

test('edits the files and the draft of the browser as one document', long, async () => {
  const yaml = `# My bot
kind: bot
version: 2
flows:
  main:
    nodes:
      start: # first
        type: start
        cards:
          - { type: code, code: { file: code/drafted.ts } }
          - type: send
            message: 'one' # said
`
  const path = write('drafted.yaml', yaml)
  const code = write('code/drafted.ts', 'const a = 1\n')
  chmodSync(path, 0o640)
  const dev = start('dev', path, '--name', 'drafted')
  await vi.waitFor(
    () => expect(dev.stdout, dev.stderr).toContain('Terminal'),
    pollOptions,
  )
  const [, id] = /\((bot_\w+)\)/.exec(dev.stdout)!
  expect(dev.stdout).toMatch(new RegExp(`Flows .*/w/.*/bots/${id}/flows$`, 'm'))
  const draft = async (method = 'GET', body?: object) => {
    const found = await admin(method, `/../../platform/bots/${id}/draft`, body)
    return found.draft as { text: string; revision: number }
  }
  const drafted = (word: string) =>
    vi.waitFor(async () => {
      const found = await draft()
      expect(found.text).toContain(word)
      // The deployed document has it, the file does not.
      expect(found.text).not.toContain('"authentication"')
      return found
    }, pollOptions)
  const inFile = (file: string, text: string) =>
    vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(text), pollOptions)

  const first = await drafted('"const a = 1\\n"')
  expect(JSON.parse(first.text).flows.main.nodes.start.cards[1].message).toBe('one')
  // A change in the browser, also of code.
  const changed = first.text
    .replace('"one"', '"two"')
    .replace('const a = 1', 'const b = 2')
  await draft('PUT', { baseRevision: first.revision, text: changed })
  await inFile(path, yaml.replace("'one'", "'two'"))
  await inFile(code, 'const b = 2\n')
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  await vi.waitFor(() => expect(dev.stdout).toContain(' updated'), pollOptions)

  // A change of the file, and one in the browser before it has come.
  write('drafted.yaml', readFileSync(path, 'utf8').replace("'two'", "'three'"))
  await draft('PUT', {
    baseRevision: first.revision,
    text: changed.replace('"version": 2', '"version": 2,\n "layers": []'),
  })
  const both = yaml.replace("'one'", "'three'")
  await vi.waitFor(
    () => expect(readFileSync(path, 'utf8')).toContain('layers'),
    pollOptions,
  )
  expect(readFileSync(path, 'utf8')).toContain("message: 'three' # said")
  expect((await drafted('"three"')).text).toContain('"layers": []')

  // Own writes do not echo, and a broken file is left alone.
  const { revision } = await draft()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect((await draft()).revision).toBe(revision)
  write('drafted.yaml', 'kind: [')
  await vi.waitFor(() => expect(dev.stderr).toContain('is not valid YAML'), pollOptions)
  const last = await draft()
  await draft('PUT', {
    baseRevision: last.revision,
    text: last.text.replace('"three"', '"four"'),
  })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(readFileSync(path, 'utf8')).toBe('kind: [')
  write('drafted.yaml', both)
  await vi.waitFor(
    () => expect(readFileSync(path, 'utf8'), dev.stderr + dev.stdout).toContain("'four'"),
    pollOptions,
  )
  // The draft may not name other files: a member could read them.
  write('secret.txt', 'not yours')
  const now = await drafted('"four"')
  const stolen = now.text.replace('"code/drafted.ts"', '"secret.txt"')
  await draft('PUT', { baseRevision: now.revision, text: stolen })
  await vi.waitFor(
    () => expect(dev.stderr).toContain('names the file "secret.txt"'),
    pollOptions,
  )
  expect((await draft()).text).not.toContain('not yours')
  expect(readFileSync(path, 'utf8')).not.toContain('secret.txt')
})

test(
  'sends each message once when the process is killed during a turn',
  long,
  async () => {
    const pause = { type: 'code', code: 'await new Promise((go) => setTimeout(go, 100))' }
    const flows = {
      main: {
        nodes: {
          start: {
            type: 'start',
            cards: [
              text('one'),
              pause,
              text('two'),
              pause,
              text('three {{ event.preview }}'),
              pause,
            ],
          },
        },
      },
    }
    const cy = await converse(await published({ flows }))
    let kills = 0
    const kill = () => {
      kills += killHostedCode(server.pid())
    }
    for (const [index, moment] of ['one', 'two', 'three 2'].entries()) {
      cy.heard.length = 0
      cy.when(moment, kill)
      await cy.say(String(index))
      await cy.hears('one', 'two', `three ${index}`)
      cy.when(moment, () => {})
    }
    expect(kills).toBeGreaterThanOrEqual(3)
    expect(await cy.texts()).toEqual([
      'one',
      'two',
      'three 0',
      'one',
      'two',
      'three 1',
      'one',
      'two',
      'three 2',
    ])
    await cy.end()
  },
)

test(
  'stops code that loops after an await, without ending the process',
  long,
  async () => {
    const loop = {
      type: 'code',
      code: `if (event.preview === 'loop') for (;;) await null`,
    }
    const flows = {
      main: { nodes: { start: { type: 'start', cards: [loop, text('here')] } } },
    }
    const eve = await converse(await published({ flows, settings: { codeTimeout: 500 } }))
    await eve.say('hello')
    await eve.hears('here')
    const crashes = async () =>
      /^botstead_sandbox_ends_total\{cause="crash"\} (\d+)/m.exec(
        await (await fetch(`${server.credentials.url}/metrics`)).text(),
      )![1]
    const before = await crashes()
    await eve.say('loop')
    await eve.say('again')
    await eve.hears('here', 'here')
    expect(await crashes()).toBe(before)
    await eve.end()
  },
)

test(
  'ends a question without an answer and a conversation without activity after their timeouts',
  long,
  async () => {
    const entry = (message: string) => ({
      nodes: { in: { type: 'entry', cards: [text(message)] } },
    })
    const asks = { ...ask('name', 'text', 'Who?'), timeout: 1, onTimeout: 'late' }
    const nodes = {
      start: { type: 'start', cards: [asks] },
      late: {
        type: 'standard',
        cards: [{ type: 'inactivityTimeout', seconds: 1 }, text('too late')],
      },
    }
    const flows = {
      main: { variables: { name: { type: 'string' } }, nodes },
      timeout: entry('Still there?'),
      conversationEnd: entry('Bye'),
    }
    const di = await converse(
      await published({ flows, settings: { inactivityTimeout: 0 } }),
    )
    await di.say('hello')
    await di.hears('Who?', 'too late', 'Still there?', 'Bye')
    await di.end()
  },
)

/** Publishes a document and returns the URL of its chat. */
async function published(document: object): Promise<string> {
  const { bot } = await admin('POST', '', { name: 'published' })
  await admin('POST', `/${bot.id}/publish-from-bot-json`, {
    botJson: { kind: 'bot', version: 2, ...document },
  })
  const { integrations } = (await admin('GET', `/${bot.id}`)).bot
  return `${server.credentials.url}/chat/${integrations.chat.webhookId}`
}
