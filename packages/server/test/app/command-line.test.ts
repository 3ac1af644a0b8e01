// Runs the built command line in separate processes against a server that it started.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTelegram } from '../channels/telegram-stand-in.ts'
import { toUrl } from '../support/database.ts'
import { commandLine, type RunningServer, runServer } from '../support/running-server.ts'
import { openVersionDatabase } from '../support/versions.ts'

const echoBot = fileURLToPath(
  new URL('../../../../examples/echo-bot/dist/bot.cjs', import.meta.url),
)
let server: RunningServer
let folder: string
/** Each test starts several processes, and the machine may be busy. */
vi.setConfig({ testTimeout: 240_000 })
/** Hosted code has the lowest priority: other work of the machine delays its first answer. */
const patiently = ['--wait', '200']
/** Long commands print progress lines. */
const nothingButProgress = expect.stringMatching(/^([^\n]+ …\n)*$/)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-cli-'))
  server = await runServer({}, { embedded: true })
}, 200_000)

afterAll(async () => {
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

async function run(
  args: string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: {
      ...process.env,
      BOTSTEAD_DATA: server.dataFolder,
      BOTSTEAD_LOG_LEVEL: 'silent',
      XDG_CONFIG_HOME: join(folder, 'config'),
      ...env,
    },
  })
  const ended = once(child, 'close')
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  child.stdin.end(input)
  const [code] = await ended
  return { code, stdout, stderr }
}

/** Runs the command on a terminal of util-linux, and types the line after its question. */
async function onTerminal(args: string[], line: string) {
  const command = [process.execPath, commandLine, ...args].join(' ')
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', command, '/dev/null'],
    {
      env: {
        ...process.env,
        BOTSTEAD_DATA: server.dataFolder,
        BOTSTEAD_LOG_LEVEL: 'silent',
      },
    },
  )
  const ended = once(child, 'close')
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (String(chunk).includes('to continue: ')) child.stdin.write(`${line}\n`)
  })
  const [code] = await ended
  return { code, output }
}

/** Passes requests on, and closes the connection instead of the first response to an answer. */
async function openLossyProxy(target: string) {
  let isLost = false
  const proxy = createHttpServer(async (request, response) => {
    const { method, url, headers } = request
    const body = method === 'GET' ? undefined : Buffer.concat(await request.toArray())
    const { 'transfer-encoding': _, connection: __, ...rest } = headers
    const reply = await fetch(`${target}${url}`, {
      method: method!,
      headers: rest as Record<string, string>,
      ...(body && { body }),
    })
    const text = await reply.text()
    if (url!.endsWith('/messages') && !isLost) {
      isLost = true
      response.destroy()
    } else
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void proxy.close() }
}

const oneSentence = /^botstead: [^\n]{10,300}\n$/

describe('with a running server', () => {
  test('chat answers piped lines in order', async () => {
    const { code, stdout } = await run(['chat', ...patiently], {
      input: 'hello\n\nchoice\n',
    })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'Hi! You said: "hello"\nWhich one?\n  - Option 1\n  - Option 2\n  - Option 3\n',
    })
  })

  test("users counts, exports and erases a user's data; receipts verifies the receipt", async () => {
    await run(['chat', ...patiently], { input: 'remember me\n' })
    const { url, token, botId } = server.credentials
    const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId }
    const reply = await fetch(`${url}/v1/chat/users`, { headers })
    const { users } = (await reply.json()) as { users: { id: string }[] }
    const { id } = users.find((user) => user.id !== botId)!
    const dry = await run(['users', 'erase', id, '--dry-run', '--json'])
    expect(JSON.parse(dry.stdout).counts).toMatchObject({ users: 1, conversations: 1 })
    const archive = join(folder, 'user.tar.gz')
    const exportDry = await run(['users', 'export', id, '--dry-run', '-o', archive])
    expect(exportDry.stdout).toMatch(/^Would export: .*1 users/)
    expect(existsSync(archive)).toBe(false)
    expect(await run(['users', 'export', id, '-o', archive])).toMatchObject({ code: 0 })
    expect(readFileSync(archive).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
    const file = join(folder, 'user.receipt.json')
    const erased = await run(['users', 'erase', id, '--yes', '-o', file])
    expect(erased).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Erased ${id}: `),
    })
    expect(await run(['receipts', 'verify', file])).toMatchObject({ code: 0 })
    expect((await run(['receipts', 'list'])).stdout).toContain(`done\t${id}`)
    const repeat = [
      'users',
      'erase',
      '--yes',
      '--receipt',
      file,
      '-o',
      join(folder, 'again.json'),
    ]
    const again = await run(repeat)
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(': nothing\n'),
    })
    writeFileSync(file, readFileSync(file, 'utf8').replace('"users": 1', '"users": 2'))
    expect(await run(['receipts', 'verify', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('MODIFIED'),
    })
    expect(await run(['users', 'erase'])).toMatchObject({ code: 2 })
  })

  test('retention counts in a dry run, sets days and removes them', async () => {
    const rules = async () =>
      JSON.parse((await run(['retention', '--json'])).stdout).rules
    const dry = await run(['retention', 'set', 'conversations=90', '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stdout: 'Would delete now: nothing\n' })
    expect(await rules()).toEqual({})
    const set = await run(['retention', 'set', 'conversations=90', 'logs=14'])
    expect(set.stdout).toMatch(/^conversations +90 days/)
    await run(['retention', 'set', 'logs=none'])
    expect(await rules()).toEqual({ conversations: 90 })
    const wrong = await run(['retention', 'set', 'letters=1'])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(oneSentence) })
    await run(['retention', 'set', 'conversations=none'])
  })

  test('deploy creates a bot that answers, and updates it', async () => {
    const made = await run(['deploy', echoBot, '--name', 'Another'])
    const id = /\((bot_\w+)\)/.exec(made.stdout)?.[1]
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Deployed Another'),
    })
    expect((await run(['chat', id!, ...patiently], { input: 'you?\n' })).stdout).toBe(
      'Hi! You said: "you?"\n',
    )
    const silent = join(folder, 'silent.cjs')
    writeFileSync(silent, 'exports.handler = async () => ({ status: 200 })')
    expect((await run(['deploy', silent, '--bot', id!])).stdout).toContain(
      `Updated Another (${id})`,
    )
    expect(await run(['chat', id!, '--wait', '1'], { input: 'you?\n' })).toMatchObject({
      code: 1,
      stderr:
        `botstead: the bot did not answer within 1 s; see "npm run botstead -- logs ${id}", or ` +
        'pass a larger --wait\n',
    })
    const failing = join(folder, 'failing.cjs')
    writeFileSync(failing, 'exports.handler = async () => { throw new Error("No oven") }')
    await run(['deploy', failing, '--bot', id!])
    expect(await run(['chat', id!, '--wait', '5'], { input: 'you?\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^botstead: the bot failed: .*No oven.*; the server tries again; see/,
      ),
    })
    expect((await run(['bots'])).stdout).toMatch(new RegExp(`${id}\t.*\tAnother\n`))
  })

  test('says in which bot it searched, if the command names none', async () => {
    const missing = ['failures', 'show', 'evt_01KAJ0ZP5S8V3N7Q4XW2R9TDHM']
    const { code, stderr } = await run(missing)
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(/; searched in the bot bot_\w+, see --bot\n$/),
    })
    const [, botId] = /in the bot (bot_\w+)/.exec(stderr)!
    expect((await run([...missing, '--bot', botId!])).stderr).not.toContain('searched in')
  })

  test('each deployment of a bundle makes a version; versions takes the listed number', async () => {
    const write = (word: string) => {
      const bundle = join(folder, 'versioned.cjs')
      writeFileSync(bundle, `exports.handler = () => ({ status: 200 }) // ${word}`)
      return bundle
    }
    const { id } = JSON.parse((await run(['deploy', write('first'), '--json'])).stdout)
    expect(await run(['deploy', write('second'), '--bot', id])).toMatchObject({ code: 0 })
    const numbers = async () =>
      (await run(['versions', '--bot', id])).stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[1])
    expect(await numbers()).toEqual(['2*', '1'])
    expect(await run(['versions', 'deploy', '1', '--bot', id])).toMatchObject({ code: 0 })
    expect(await numbers()).toEqual(['2', '1*'])
    expect(await run(['versions', 'delete', '#2', '--bot', id, '--yes'])).toMatchObject({
      code: 0,
    })
    expect(await numbers()).toEqual(['1*'])
    expect(await run(['versions', 'deploy', '7', '--bot', id])).toMatchObject({
      code: 1,
      stderr: 'botstead: the bot has no version 7: "versions" lists them\n',
    })
  })

  test('deploy into another workspace prints commands that reach the bot', async () => {
    const workspace = (await run(['workspaces', 'create', 'Shop'])).stdout.trim()
    expect((await run(['workspaces'])).stdout).toMatch(
      new RegExp(`^${workspace}\t.*\tShop\n`, 'm'),
    )
    const { url, token } = server.credentials
    const connecting = ['--server', url, '--token', token, '--workspace', workspace]
    const { stdout } = await run(['deploy', echoBot, ...connecting])
    expect(stdout).not.toContain(token)
    const commands = [...stdout.matchAll(/ npm run botstead -- (.*)/g)].map(
      ([, printed]) => printed!.replace('<token>', token).split(' '),
    )
    expect(commands.map(([name]) => name)).toEqual(['chat', 'webchat'])
    const [chat, webchat] = commands as [string[], string[]]
    const [chatted, shown] = await Promise.all([
      run([...chat, ...patiently], { input: 'hi\n' }),
      run(webchat),
    ])
    expect(chatted).toMatchObject({ code: 0, stdout: 'Hi! You said: "hi"\n' })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('<script') })
  })

  test.each([
    ['does not load', `throw new Error('no such luck')`, /no such luck/],
    ['has no handler', 'exports.other = 1', /no function named "handler"/],
  ])('deploy reports a bundle that %s on standard error', async (why, code, reason) => {
    const bundle = join(folder, `${why.replaceAll(' ', '-')}.cjs`)
    writeFileSync(bundle, code)
    const { stdout, stderr, ...ended } = await run(['deploy', bundle, '--json'])
    expect({ ...ended, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(reason),
    })
    expect(JSON.parse(stdout)).toMatchObject({
      isNew: true,
      loadError: expect.stringMatching(reason),
    })
  })

  test('audit verify reports an intact log, and rejects a checkpoint that does not match', {
    timeout: 60_000,
  }, async () => {
    const first = await run(['audit', 'verify'])
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[1-9]\d* audit entries verified, all intact\n/),
    })
    const noted = /--noted (\S+)\n$/.exec(first.stdout)![1]!
    expect((await run(['audit', 'verify', '--noted', noted])).code).toBe(0)
    const other = noted.replace(/:.*/, `:${'0'.repeat(64)}`)
    expect(await run(['audit', 'verify', '--noted', other])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not match the anchor'),
    })
  })

  test('options replace the data folder', async () => {
    const { url, token, workspaceId, chatUrl } = server.credentials
    const env = { BOTSTEAD_DATA: join(folder, 'none') }
    expect(
      (
        await run(['bots', '--url', url, '--token', token, '--workspace', workspaceId], {
          env,
        })
      ).stdout,
    ).toContain('Echo bot')
    expect(
      (await run(['chat', '--chat-url', chatUrl, ...patiently], { env, input: 'hi\n' }))
        .stdout,
    ).toBe('Hi! You said: "hi"\n')
    expect(await run(['health', '--url', url], { env })).toMatchObject({
      code: 0,
      stdout: `${url} is ready\n`,
    })
  })

  test('tokens are created, listed and revoked; standard output has only the value', async () => {
    const made = await run(['tokens', 'create', 'for a script'])
    expect(made.stdout).toMatch(/^bp_pat_\w{38}\n$/)
    const id = /(\w+)\. Its/.exec(made.stderr)?.[1]
    expect(await run(['tokens'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`${id}\t.*\tfor a script\n`)),
    })
    expect(
      (await run(['bots', '--json', '--token', made.stdout.trim()])).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toContain('Echo bot')
    expect(await run(['tokens', 'delete', id!, '--yes'])).toMatchObject({ code: 0 })
    expect(await run(['bots', '--token', made.stdout.trim()])).toMatchObject({ code: 3 })
  })

  test('creates a token for an account directly in the database', async () => {
    const env = { DATABASE_URL: server.database.connectionString ?? '' }
    const unknown = await run(['tokens', 'create', '--account', 'nobody@example.org'], {
      env,
    })
    expect(unknown).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('owner@localhost'),
    })
    const made = await run(['tokens', 'create', '--account', 'Owner@localhost'], { env })
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^bp_pat_\w{38}\n$/),
    })
    const reply = await fetch(`${server.credentials.url}/v1/admin/account/me`, {
      headers: { authorization: `Bearer ${made.stdout.trim()}` },
    })
    expect(await reply.json()).toMatchObject({ account: { email: 'owner@localhost' } })
    expect((await run(['tokens', 'create'])).code).toBe(2)
  })

  test('prints a link that signs in once', async () => {
    const env = { DATABASE_URL: server.database.connectionString ?? '' }
    const unknown = await run(['login-link', '--account', 'nobody@example.org'], { env })
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    const made = await run(['login-link', '--account', 'Owner@localhost'], { env })
    const url = new URL(made.stdout.trim())
    expect(url.href).toMatch(`${server.credentials.url}/sign-in#link=`)
    const signIn = () =>
      fetch(`${server.credentials.url}/v1/platform/sign-in/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-botstead-session': '1' },
        body: JSON.stringify({ code: url.hash.replace('#link=', '') }),
      })
    expect((await signIn()).headers.get('set-cookie')).toMatch(/^botstead-session-\d+=/)
    expect((await signIn()).status).toBe(401)
    expect((await run(['login-link'])).code).toBe(2)
  })

  test('creates no database in a folder without an installation', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'botstead-elsewhere-'))
    const env = { BOTSTEAD_DATA: join(folder, 'data'), DATABASE_URL: '' }
    const made = await run(['login-link', '--account', 'owner@localhost'], { env })
    expect(made).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No installation found'),
    })
    expect(existsSync(env.BOTSTEAD_DATA)).toBe(false)
    rmSync(folder, { recursive: true })
  })

  test('deploy reports an MCP server that rejects the bot, because its key is missing', async () => {
    const url = `${server.credentials.url}/mcp/${server.credentials.botId}`
    const path = join(folder, 'mcp.json')
    const flows = { main: { nodes: { start: { type: 'start' } } } }
    const mcpServers = { echo: { url }, off: { url, enabled: false } }
    writeFileSync(path, JSON.stringify({ kind: 'bot', version: 2, mcpServers, flows }))
    const { code, stdout, stderr } = await run(['deploy', path])
    expect(code).toBe(0)
    const [, id] = /\((bot_\w+)\)/.exec(stdout)!
    expect(stderr).toContain('The MCP server "echo" does not list its tools: ')
    expect(stderr).toContain(`PUT /v1/platform/bots/${id}/mcp-servers/echo`)
    expect(stderr).not.toContain('"off"')
  })

  test('deploy warns of a bot that needs a language model, on a server without one', async () => {
    const path = join(folder, 'agent.json')
    const write = (node: object) => {
      const flows = {
        main: { nodes: { start: { type: 'start', next: 'help' }, help: node } },
      }
      writeFileSync(path, JSON.stringify({ kind: 'bot', version: 2, flows }))
    }
    write({ type: 'agent', instructions: 'Help' })
    const { code, stdout, stderr } = await run(['deploy', path])
    expect(code).toBe(0)
    expect(stdout).toContain('Deployed agent')
    expect(stderr).toBe(
      'The server has no language model. One step or card of this bot need one, and fail until then. Add ' +
        'one in the dashboard (Server settings, Language model), or set BOTSTEAD_MODEL: ' +
        `${server.credentials.url}/docs/models\n`,
    )
    write({ type: 'standard' })
    expect((await run(['deploy', path])).stderr).toBe('')
  })

  test('logs filters lines, removes control characters, and follows new lines', async () => {
    const noisy = join(folder, 'noisy.cjs')
    writeFileSync(
      noisy,
      `exports.handler = async (req) => {
        if (req.headers['x-bp-operation'] === 'event_received') {
          console.log('first')
          console.log('\\u001b[31mred\\u001b[0m \\u0007bell')
          console.error('wrong')
        }
        return { status: 200 }
      }`,
    )
    const id = /\((bot_\w+)\)/.exec((await run(['deploy', noisy])).stdout)![1]!
    const messages = (text: string) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => line.slice(28))
    await run(['chat', id, '--wait', '1'], { input: 'go\n' })
    await expect
      .poll(async () => messages((await run(['logs', id])).stdout), { timeout: 100_000 })
      .toEqual(['first', 'red \\u0007bell', 'wrong'])
    expect(messages((await run(['logs', id, '--grep', 'FIRST'])).stdout)).toEqual([
      'first',
    ])
    expect(messages((await run(['logs', id, '--limit', '1'])).stdout)).toEqual(['wrong'])
    expect(
      JSON.parse((await run(['logs', id, '--grep', 'bell', '--json'])).stdout).message,
    ).toContain('bell')

    const following = spawn(
      process.execPath,
      [commandLine, 'logs', id, '-f', '--since', '1h'],
      {
        env: { ...process.env, BOTSTEAD_DATA: server.dataFolder },
      },
    )
    let followed = ''
    following.stdout.on('data', (chunk) => (followed += chunk))
    await expect.poll(() => messages(followed), { timeout: 100_000 }).toHaveLength(3)
    await run(['chat', id, '--wait', '1'], { input: 'go\n' })
    await expect
      .poll(() => messages(followed).filter((line) => line === 'first'), {
        timeout: 100_000,
      })
      .toHaveLength(2)
    // Lines of the standard error arrive later, because the server first collects the lines of one
    // error.
    await expect.poll(() => messages(followed), { timeout: 100_000 }).toHaveLength(6)
    following.kill()
    await once(following, 'close')
  })

  test('api calls any operation, follows pages, and reports type and id of an error', async () => {
    const made = await run(
      ['api', 'chat.createUser', '--input', '-', '--name', 'Ana', '--json'],
      {
        input: JSON.stringify({ name: 'Bo', profile: 'p' }),
      },
    )
    const { user, key } = JSON.parse(made.stdout)
    expect(user).toMatchObject({ name: 'Ana', profile: 'p' })
    const asUser = ['--user-key', key]
    for (const _ of [1, 2]) await run(['api', 'chat.createConversation', ...asUser])
    const paged = ['--pageSize', '1', '--paginate', '--json', ...asUser]
    const { stdout } = await run(['api', 'chat.listConversations', ...paged])
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    expect(new Set(ids).size).toBe(2)
    const joined = await run(['api', 'chat.listConversations', '--paginate', ...asUser])
    expect(JSON.parse(joined.stdout).conversations).toHaveLength(2)
    expect(await run(['api', 'runtime.getUser', '--id', 'nobody'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/\(ResourceNotFound, err_\w+\)\n$/),
    })
    const exported = await run(['api', 'platform.exportConversation', '--id', ids[0]])
    expect(JSON.parse(exported.stdout).conversation.id).toBe(ids[0])
    expect((await run(['api', 'runtime.getUser', '--help'])).stdout).toContain(
      '--id <value>',
    )
    expect((await run(['api', '--list', 'dead letters'])).stdout).toContain(
      'listDeadLetters\tbot\t',
    )
  })

  test('conversations, users and events are listed, shown and exported', async () => {
    await run(['chat', ...patiently], { input: 'find me\n' })
    const readColumns = async (...args: string[]) =>
      (await run(args)).stdout.split('\n')[0]!.split('\t')
    const [id] = await readColumns('conversations', '--since', '1h')
    expect((await run(['conversations', 'show', id!])).stdout).toMatch(
      /find me\n.*\tbot\t.*find me/,
    )
    const transcript = [
      'api',
      'platform.getConversationTranscript',
      '--id',
      id!,
      '--paginate',
    ]
    const paged = await run([...transcript, '--pageSize', '1'])
    const texts = JSON.parse(paged.stdout).messages.map(
      ({ message }: { message: { payload: { text: string } } }) => message.payload.text,
    )
    expect(texts).toEqual(['find me', expect.stringContaining('find me')])
    expect(await run([...transcript, '--from', 'end'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('leave out --from end'),
    })
    const { stdout } = await run(['conversations', 'export', id!, '--format', 'text'])
    expect(stdout).toContain('find me')
    expect(await readColumns('events', '--conversation', id!)).toContain('processed')
    const [userId] = await readColumns('users')
    expect((await run(['users', 'show', userId!])).stdout).toContain(userId)
    expect(await run(['conversations', 'nonsense'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('verbs: list, show, watch, export'),
    })
  })

  test('conversations watch prints new messages as the live stream announces them', async () => {
    await run(['chat', ...patiently], { input: 'the first\n' })
    const [id] = (await run(['conversations', '--limit', '1'])).stdout.split('\t')
    const child = spawn(process.execPath, [commandLine, 'conversations', 'watch', id!], {
      env: { ...process.env, BOTSTEAD_DATA: server.dataFolder },
    })
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += chunk))
    const { url, token, botId } = server.credentials
    const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId }
    const send = async (text: string) => {
      const body = {
        conversationId: id,
        userId: botId,
        type: 'text',
        payload: { text },
        tags: {},
      }
      const reply = await fetch(`${url}/v1/chat/messages`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(reply.status).toBe(201)
    }
    /** Of all requests that read a transcript. */
    const reads = async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      const counts = metrics.matchAll(
        /requests_total\{[^}]*getConversationTranscript[^}]*\} (\d+)/g,
      )
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }
    try {
      await vi.waitFor(() => expect(printed).toContain('the first'), 100_000)
      expect(await reads()).toBeGreaterThan(0)
      const readsOf3s = async () => {
        const before = await reads()
        await pause(3_000)
        return (await reads()) - before
      }
      // It reads once more when the live stream begins.
      await expect.poll(readsOf3s, { interval: 0, timeout: 100_000 }).toBe(0)
      await send('the second')
      await vi.waitFor(() => expect(printed).toMatch(/bot: the second\n$/), 100_000)
      await send('the third')
      await vi.waitFor(() => expect(printed).toMatch(/bot: the third\n$/), 100_000)
      expect(printed.match(/the first/g)).toHaveLength(2) // the echo repeats it
    } finally {
      child.kill()
    }
  })

  test('handoffs answer sends an answer again after a lost response, and it is stored once', async () => {
    await run(['chat', ...patiently], { input: 'a human please\n' })
    const conversationId = (await run(['conversations', '--limit', '1'])).stdout.split(
      '\t',
    )[0]!
    const body = JSON.stringify({ conversationId, assign: true })
    const request = ['api', 'platform.requestHandoff', '--input', '-', '--json']
    const { handoff } = JSON.parse((await run(request, { input: body })).stdout)
    const proxy = await openLossyProxy(server.credentials.url)
    const { token, workspaceId, botId } = server.credentials
    const to = [
      '--server',
      proxy.url,
      '--token',
      token,
      '--workspace',
      workspaceId,
      '--bot',
      botId,
    ]
    const answer = ['handoffs', 'answer', handoff.id, ...to]
    const texts = async () => {
      const { stdout } = await run(['conversations', 'show', conversationId])
      return [...stdout.matchAll(/\t(Hello|Again)\n/g)].map(([, text]) => text)
    }
    expect(await run([...answer, 'Hello'])).toMatchObject({ code: 0, stderr: '' })
    expect(await texts()).toEqual(['Hello'])
    const keyed = [...answer, 'Again', '--idempotency-key', 'one']
    for (const attempt of ['first', 'second'])
      expect(await run(keyed), attempt).toMatchObject({ code: 0 })
    expect(await texts()).toEqual(['Hello', 'Again'])
    proxy.close()
  })

  test('broadcasts create reads YAML, counts in a dry run, and creates one for each key', async () => {
    await run(['chat', ...patiently], { input: 'hello\n' })
    const file = join(folder, 'news.yaml')
    writeFileSync(
      file,
      `name: News
audience: { integration: chat, channel: channel }
message: { type: text, payload: { text: "Hi {{ user.id }}" } }
startAt: 2100-01-01T00:00:00Z
`,
    )
    const preview = await run(['broadcasts', 'create', file, '--dry-run'])
    expect(preview).toMatchObject({ code: 0, stderr: '' })
    expect(preview.stdout).toMatch(/recipients:?\s+\d+[\s\S]*\{"text":"Hi user_/)
    const create = ['broadcasts', 'create', file, '--idempotency-key', 'news', '--json']
    const [first, second] = [await run(create), await run(create)]
    expect(JSON.parse(second.stdout).id).toBe(JSON.parse(first.stdout).id)
    const { id } = JSON.parse(first.stdout)
    expect((await run(['broadcasts'])).stdout).toContain(`${id}\t`)
    expect((await run(['broadcasts', 'stop', id])).stdout).toBe(`Stopped ${id}\n`)
    expect((await run(['broadcasts', 'show', id])).stdout).toMatch(/state:?\s+stopped/)
    expect((await run(['broadcasts', 'resume', id])).stdout).toBe(`Resumed ${id}\n`)
    writeFileSync(file, 'name: [')
    expect(await run(['broadcasts', 'create', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('news.yaml cannot be read'),
    })
  })

  test('deletions need a confirmation, or --yes', async () => {
    const make = async (name: string) =>
      JSON.parse((await run(['deploy', echoBot, '--name', name, '--json'])).stdout)
        .id as string
    const id = await make('Short-lived')
    for (const args of [
      ['bots', 'delete', id],
      ['versions', 'delete', 'v'],
      ['files', 'delete', 'f'],
      ['knowledge', 'delete', 'k'],
      ['tables', 'delete', 'ATable'],
      ['members', 'remove', 'm'],
      ['integrations', 'delete', 'i'],
      ['tokens', 'delete', 't'],
      ['failures', 'discard', '--all'],
      ['users', 'erase', 'u'],
      ['move', 'w', '--end-forwarding'],
    ])
      expect(await run(args), args.join(' ')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(oneSentence),
        stdout: '',
      })
    expect((await run(['bots'])).stdout).toContain(id)
    expect(await onTerminal(['bots', 'delete', id], 'yes')).toMatchObject({
      code: 1,
      output: expect.stringContaining(`Type "${id}" to continue: `),
    })
    expect((await run(['bots'])).stdout).toContain(id)
    expect(await onTerminal(['bots', 'delete', id], id)).toMatchObject({ code: 0 })
    expect((await run(['bots'])).stdout).not.toContain(id)
    const other = await make('Other')
    expect(await run(['bots', 'delete', other, '--yes'])).toMatchObject({ code: 0 })
    expect((await run(['failures', 'discard', '--all', '--yes'])).stdout).toBe(
      'Discarded 0\n',
    )
  })

  test('files uploads folders once; tables imports, queries and exports rows', async () => {
    const documents = join(folder, 'documents')
    mkdirSync(join(documents, 'more'), { recursive: true })
    writeFileSync(join(documents, 'more/hours.md'), 'We open at nine.')
    writeFileSync(join(documents, 'rows.csv'), 'name,age\nAna,30\nBo,41\n')
    const upload = ['files', 'upload', documents, '--prefix', 'docs/', '--json']
    expect(JSON.parse((await run(upload)).stdout)).toEqual({ uploaded: 2, skipped: 0 })
    expect(JSON.parse((await run(upload)).stdout)).toEqual({ uploaded: 0, skipped: 2 })
    const [line] = (await run(['files', '--name', 'hours'])).stdout.split('\n')
    const [id, , , , key] = line!.split('\t')
    expect(key).toBe('docs/more/hours.md')
    expect((await run(['files', 'download', id!])).stdout).toBe('We open at nine.')
    const csv = join(documents, 'rows.csv')
    expect(await run(['tables', 'import', 'PeopleTable', csv])).toMatchObject({ code: 4 })
    expect(await run(['tables', 'import', 'PeopleTable', csv, '--create'])).toMatchObject(
      {
        stdout: 'PeopleTable has 2 rows\n',
      },
    )
    const query = [
      'tables',
      'query',
      'PeopleTable',
      '--order',
      'age:desc',
      '--columns',
      'name,age',
    ]
    expect((await run(query)).stdout).toBe('Bo\t41\nAna\t30\n')
    const filtered = await run([...query, '--filter', '{"age":{"$lt":40}}', '--json'])
    expect(JSON.parse(filtered.stdout)).toMatchObject({ name: 'Ana', age: 30 })
    const exported = await run(['tables', 'export', 'PeopleTable', '--format', 'json'])
    expect(JSON.parse(exported.stdout)).toHaveLength(2)
  })

  test('login stores a profile from a link or a token, and logout revokes its token', async () => {
    const env = {
      BOTSTEAD_DATA: '',
      XDG_CONFIG_HOME: join(folder, 'elsewhere'),
      DATABASE_URL: server.database.connectionString ?? '',
    }
    const { url, token } = server.credentials
    const made = await run(['login-link', '--account', 'owner@localhost'], {
      env: { DATABASE_URL: env.DATABASE_URL },
    })
    const link = made.stdout.trim()
    // Another test has created a newer workspace, which would be the usual one.
    const inFirst = ['--workspace', server.credentials.workspaceId]
    const signedIn = await run(
      ['login', link, '--profile', 'one', '--json', ...inFirst],
      { env },
    )
    expect(signedIn).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^(\d+ workspaces; .*\n)?$/),
    })
    const { file } = JSON.parse(signedIn.stdout)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const created = JSON.parse(readFileSync(file, 'utf8')).profiles.one.token
    expect(
      await run(['login', url, '--profile', 'two', ...inFirst], {
        env,
        input: `${token}\n`,
      }),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('owner@localhost'),
    })
    const [bots, used, invalid, unknown] = await Promise.all([
      run(['bots', '--server', 'one'], { env }),
      run(['profiles', 'use', 'two'], { env }),
      run(['login', url], { env, input: 'bp_pat_wrong\n' }),
      run(['bots', '--server', 'three'], { env }),
    ])
    expect(bots.stdout).toContain('Echo bot')
    expect([used.code, invalid.code]).toEqual([0, 3])
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('profiles: one, two'),
    })
    const [profiles, usual, workspaces] = await Promise.all([
      run(['profiles'], { env }),
      run(['bots'], { env }),
      // The ids of workspaces are needed to name one.
      run(['workspaces', '--server', `${url}/`, '--token', token], { env }),
    ])
    expect(profiles.stdout).toMatch(/^one\t.*\ntwo\*\t/)
    expect(usual.stdout).toContain('Echo bot')
    expect(workspaces.stdout).toContain(server.credentials.workspaceId)
    expect((await run(['logout', 'one'], { env })).code).toBe(0)
    const [left, revoked] = await Promise.all([
      run(['profiles'], { env }),
      run(['workspaces', '--token', created]),
    ])
    expect(left.stdout).not.toContain('one')
    expect(revoked.code).toBe(3)
  })

  describe('the script of completion', () => {
    /** A command that runs completions, and only notes its arguments otherwise. */
    const bin = () => join(folder, 'bin')
    const called = () => join(folder, 'called')

    beforeAll(() => {
      mkdirSync(bin())
      const lines = [
        '#!/bin/sh',
        `if [ "$1" = completion ]; then exec "${process.execPath}" "${commandLine}" "$@"; fi`,
        `echo "$@" >"${called()}"`,
        'echo noted',
      ]
      writeFileSync(join(bin(), 'botstead'), lines.join('\n'), { mode: 0o755 })
    })

    const readScript = async (shell: string) => (await run(['completion', shell])).stdout

    /** Returns the output of a program of a shell, or skips the test without this shell. */
    function output(shell: string, args: string[], skip: (reason: string) => void) {
      const env = { ...process.env, PATH: `${bin()}:${process.env.PATH}` }
      const { error, stdout } = spawnSync(shell, args, {
        env,
        encoding: 'utf8',
        timeout: 60_000,
      })
      if (error && 'code' in error && error.code === 'ENOENT') skip(`needs ${shell}`)
      return stdout
    }

    test('works in bash', async ({ skip }) => {
      const line = 'COMP_WORDS=(botstead api tables.getT); COMP_CWORD=2; _botstead'
      const program = `${await readScript('bash')}\n${line}; echo "\${COMPREPLY[@]}"`
      expect(output('bash', ['-c', program], skip)).toBe(
        'tables.getTable tables.getTableJobs tables.getTableRow\n',
      )
    })

    test('works in zsh', async ({ skip }) => {
      writeFileSync(join(bin(), '_botstead'), await readScript('zsh'))
      // Types into an interactive shell: Tab completes the only candidate, and Enter runs the line.
      const program = `
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'fpath=("${bin()}" $fpath); autoload -Uz compinit; compinit -u -D'
        zpty -w shell $'botstead api tables.getTableJ\\t'
        while [[ ! -e "${called()}" ]] && zpty -r shell line; do :; done`
      output('zsh', ['-f', '-c', program], skip)
      expect(readFileSync(called(), 'utf8')).toBe('api tables.getTableJobs\n')
    })

    test('works in fish', async ({ skip }) => {
      const program = `${await readScript('fish')}\ncomplete -C "botstead api tables.getT"`
      expect(output('fish', ['--no-config', '-c', program], skip)).toBe(
        'tables.getTable\ntables.getTableJobs\ntables.getTableRow\n',
      )
    })
  })

  test('the other nouns list what they name', async () => {
    const nouns =
      'versions deliveries failures issues analytics integrations knowledge members audit usage'
    const lists = nouns
      .split(' ')
      .map(async (noun) => [noun, await run([noun, '--json'])] as const)
    for (const [noun, { code, stdout, stderr }] of await Promise.all(lists)) {
      expect({ noun, code, stderr }).toEqual({ noun, code: 0, stderr: '' })
      for (const line of stdout.split('\n').filter(Boolean)) JSON.parse(line)
    }
    const role = await run(['members', 'invite', 'ana@example.org', '--role', 'viewer'])
    expect(role.stdout).toMatch(/^http:\S+#\S+\n$/)
    expect((await run(['members', 'invitations'])).stdout).toContain(
      'viewer\tana@example.org\n',
    )
    expect((await run(['integrations', 'installed'])).stdout).toMatch(/^chat\tenabled\t/)
  })

  test('integrations show prints the warnings of the latest deployment', async () => {
    const { url, token, workspaceId } = server.credentials
    const identifier = { extractScript: '.id ?? "x"' }
    const body = {
      name: 'warned',
      version: '1.0.0',
      url: 'http://127.0.0.1:9/',
      identifier,
    }
    const made = await fetch(`${url}/v1/admin/integrations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    const { integration } = await made.json()
    const { code, stdout, stderr } = await run([
      'integrations',
      'show',
      integration.id,
      '--json',
    ])
    expect([code, JSON.parse(stdout).name]).toEqual([0, 'warned'])
    expect(stderr).toMatch(
      /^`identifier\.extractScript`, line 1, column \d+: unnecessary error coalescing operation .+\n$/,
    )
  })

  test('channels adds a messenger with a token from standard input, lists and removes it', async () => {
    const telegram = await openTelegram()
    try {
      const { botToken, apiUrl } = telegram.configuration
      const add = [
        'channels',
        'add',
        'telegram',
        '--set',
        `apiUrl=${apiUrl}`,
        '--set',
        'botToken=-',
      ]
      const wrong = await run(add, { input: '1:wrong' })
      expect(wrong).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('@BotFather'),
      })
      const added = await run(add, { input: `${botToken}\n` })
      expect(added).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Telegram is connected\. Webhook address: http/),
      })
      const listed = await run(['channels', '--json'])
      const telegramRow = listed.stdout
        .split('\n')
        .find((line) => line.includes('telegram'))
      expect(JSON.parse(telegramRow!)).toMatchObject({
        alias: 'telegram',
        status: 'registered',
      })
      expect(listed.stdout).not.toContain(botToken)
      const early = await run(['channels', 'test', 'telegram'])
      expect(early).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('write to the bot'),
      })
      await telegram.say('hello')
      await expect
        .poll(
          async () => (await run(['channels', 'status', 'telegram', '--check'])).stdout,
        )
        .toMatch(/^telegram\tregistered\t20\S+ \S+\tconnection\t20\S+ \S+\t/)
      expect(
        (await run(['channels', 'test', 'telegram', '--text', 'by command'])).code,
      ).toBe(0)
      expect(telegram.shown().map(({ text }) => text)).toContain('by command')
      const failed = await run(['channels', 'test', 'telegram', '--to', '99'])
      expect(failed).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('must write'),
      })
      const unknownAlias = await run(['channels', 'status', 'pigeon'])
      expect(unknownAlias).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('It has:'),
      })
      const steps = await run(['channels', 'steps', 'telegram'])
      expect(steps.stdout).toMatch(/^step\tCreate the bot\t.*\/newbot/)
      const settings = await run(['channels', 'settings', 'Telegram'])
      expect(settings.stdout).toMatch(/^botToken\s+required/)
      const misspelt = await run(['channels', 'add', 'telegram', '--set', 'bottoken=1'])
      expect(misspelt).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('botToken (required)'),
      })
      const missing = await run(['channels', 'add', 'api'])
      expect(missing.stderr).toMatch(/appUrl=….*signingSecret=…/)
      const removed = await run(['channels', 'remove', 'telegram', '--yes'])
      expect(removed).toMatchObject({ code: 0, stdout: 'telegram is disconnected\n' })
      const again = await run(['channels', 'remove', 'telegram', '--yes'])
      expect(again).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('has no channel'),
      })
      const unknown = await run(['channels', 'add', 'pigeon'])
      expect(unknown).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/It has: .*telegram/),
      })
    } finally {
      await telegram.close()
    }
  })

  test('doctor finds nothing bad here, and reports careless settings', async () => {
    const { code, stdout } = await run(['doctor', '--json'])
    const { findings } = JSON.parse(stdout) as {
      findings: { about: string; what: string; state: string; advice?: string }[]
    }
    expect(findings.filter(({ state }) => state === 'bad')).toEqual([])
    expect(code).toBe(0)
    expect(findings.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('is ready'),
        expect.stringContaining('tier'),
      ]),
    )
    const [chosen, elsewhere] = [
      join(folder, 'chosen'),
      {
        BOTSTEAD_HOST: '0.0.0.0',
        BOTSTEAD_PUBLIC_URL: 'http://bots.example.org',
        NODE_OPTIONS: '--inspect=127.0.0.1:0',
      },
    ]
    const careless = await run(['doctor'], {
      env: {
        ...elsewhere,
        BOTSTEAD_DATA: chosen,
        DATABASE_URL: 'postgres://someone:secret@127.0.0.1:9/none',
      },
    })
    expect(careless.code).toBe(1)
    const bad = careless.stdout.split('\n').filter((line) => line.startsWith('✗'))
    for (const what of ['inspector', 'bots.example.org', 'DATABASE_URL'])
      expect(bad.filter((line) => line.includes(what))).toHaveLength(1)
    expect(careless.stdout).not.toContain('secret')
  })

  test('keys rotate replaces the master key; a running server needs it only at its next start', async () => {
    const file = join(server.dataFolder, 'keys', 'master.key')
    const env = { DATABASE_URL: server.database.connectionString ?? '' }
    const before = readFileSync(file, 'utf8')
    expect(await run(['keys', 'finish'], { env })).toMatchObject({
      code: 0,
      stdout: 'There is no other master key\n',
    })
    const { code, stdout } = await run(['keys', 'rotate'], { env })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^The new master key is in .*\nThe previous master key is no longer valid\n$/,
      ),
    })
    expect(readFileSync(file, 'utf8')).not.toBe(before)
    expect((await run(['chat', ...patiently], { input: 'hello\n' })).stdout).toContain(
      'hello',
    )
    await server.stop()
    await server.start()
    expect((await run(['chat', ...patiently], { input: 'again\n' })).stdout).toContain(
      'again',
    )
    const old = {
      ...env,
      BOTSTEAD_MASTER_KEY: before.trim(),
      BOTSTEAD_NEW_MASTER_KEY: 'ab'.repeat(32),
    }
    expect(await run(['keys', 'rotate'], { env: old })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not belong to this database'),
    })
  })

  test('migrate exits when the database is up to date', async () => {
    expect(
      await run(['migrate'], {
        env: { BOTSTEAD_DATA: join(folder, 'migrated'), DATABASE_URL: '' },
      }),
    ).toMatchObject({
      code: 0,
      stdout: 'The database is up to date\n',
    })
  })

  test('migrate --plan prints the pending migrations, and changes nothing', async () => {
    const database = await openVersionDatabase('0.1.0')
    const env = {
      BOTSTEAD_DATA: join(folder, 'planned'),
      DATABASE_URL: toUrl(database.settings),
    }
    const plan = () => run(['migrate', '--plan'], { env })
    const pending = await plan()
    expect(pending).toMatchObject({ code: 0 })
    expect(pending.stdout).toContain('\n0044_fencing, in one transaction\n')
    expect(pending.stdout).toMatch(
      / {4}conversation \(\d.*B\): delays readers and writers for a moment\n/,
    )
    expect(await plan()).toEqual(pending)
    expect(await run(['migrate'], { env })).toMatchObject({ code: 0 })
    expect(await plan()).toMatchObject({
      code: 0,
      stdout: 'The database is up to date\n',
    })
    await database.drop()
  })

  const withTitles = (commands: string[][]) =>
    commands.map((args): [string, string[]] => [args.join(' '), args])

  test.each(
    [
      { code: 4, args: ['logs', 'bot_nowhere'] },
      { code: 4, args: ['tokens', 'delete', 'patoken_none', '--yes'] },
      { code: 3, args: ['bots', '--token', 'bp_pat_wrong'] },
      // The token of the data folder is not sent to another server.
      { code: 1, args: ['bots', '--server', 'http://127.0.0.1:9'] },
      {
        code: 5,
        args: [
          'bots',
          '--server',
          'http://127.0.0.1:9',
          '--token',
          't',
          '--workspace',
          'w',
        ],
      },
      { code: 1, args: ['health', '--url', 'http://127.0.0.1:9'] },
      { code: 4, args: ['chat', 'bot_nowhere'] },
      { code: 5, args: ['chat', '--chat-url', 'http://127.0.0.1:9/chat/x'] },
      { code: 1, args: ['deploy', '/no/such/file.cjs'] },
      { code: 1, args: ['deploy', fileURLToPath(import.meta.url)] },
      { code: 4, args: ['deploy', echoBot, '--bot', 'bot_nowhere'] },
    ].map(({ code, args }): [string, string[], number] => [args.join(' '), args, code]),
  )('%s fails in one sentence', async (_, args, expected) => {
    const { code, stderr, stdout } = await run(args, { input: 'hi\n' })
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toMatch(oneSentence)
  })

  test.each(
    withTitles([
      ['logs', '--since', 'yesterday'],
      ['bots', '--url', 'nowhere'],
      ['chat', '--wait', 'long'],
      ['bots', '--limit', 'few'],
      ['failures', 'discard'],
      ['api', 'admin.getBot'],
      ['api', 'admin.getTheBot'],
      ['export', 'some-workspace', '--json'],
      // The bot of an unset variable is no new bot.
      ['deploy', 'examples/greeting-bot/bot.json', '--bot', ''],
      ['dev', 'examples/greeting-bot/bot.json', '--bot', ''],
    ]),
  )('%s is wrong usage', async (_, args) => {
    const { code, stderr, stdout } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(oneSentence)
  })

  test('help exits with 0; unknown commands, options and missing arguments exit with 2', async () => {
    expect(await run(['help', 'export'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Examples:'),
    })
    for (const args of [
      ['nonsense'],
      ['bots', '--nonsense'],
      ['deploy'],
      ['tokens', 'nonsense', 'more'],
    ])
      expect((await run(args)).code, args.join(' ')).toBe(2)
    expect(await run(['logs', '--level', 'loud'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('choices are debug, info, warn, error'),
    })
  })

  test('export and backup work while the server runs, and restore recovers both', async () => {
    const env = {
      DATABASE_URL: server.database.connectionString ?? '',
      BOTSTEAD_PASSPHRASE: 'correct horse battery staple',
    }
    const [workspace, backup, data] = [
      'workspace.botstead',
      'all.backup',
      'restored',
    ].map((name) => join(folder, name)) as [string, string, string]
    const exported = await run(
      ['export', server.credentials.workspaceId, '-o', workspace, '--json'],
      { env },
    )
    expect(exported).toMatchObject({ code: 0, stderr: nothingButProgress })
    expect(JSON.parse(exported.stdout)).toMatchObject({
      file: workspace,
      secrets: true,
      workspace: { id: server.credentials.workspaceId },
    })
    expect(await run(['import', workspace], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists'),
    })
    expect(await run(['backup', backup, '--with-key'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('THE FILE CONTAINS THE KEYS'),
    })
    for (const file of [workspace, backup])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await run(['restore', backup], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The database is not empty'),
    })
    const there = { DATABASE_URL: '', BOTSTEAD_DATA: data }
    expect(await run(['restore', backup], { env: there })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The master key here decrypts its secrets'),
    })
    // Without the first token: restore prints the command that creates one, and it works.
    const [bare, keyed] = [join(folder, 'bare.backup'), join(folder, 'bare')]
    expect(await run(['backup', bare], { env })).toMatchObject({ code: 0 })
    const withKey = {
      DATABASE_URL: '',
      BOTSTEAD_DATA: keyed,
      BOTSTEAD_MASTER_KEY: readFileSync(
        join(server.dataFolder, 'keys', 'master.key'),
        'utf8',
      ).trim(),
    }
    const { stdout } = await run(['restore', bare], { env: withKey })
    expect(stdout).toContain('There is no chat key here')
    const [, command = ''] =
      /: npm run botstead -- (tokens create --account \S+)\n/.exec(stdout) ?? []
    expect(command).toBe('tokens create --account owner@localhost')
    expect(await run(command.split(' '), { env: withKey })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^bp_pat_\w{38}\n$/),
    })
    expect(readFileSync(join(data, 'keys', 'master.key'), 'utf8')).toBe(
      readFileSync(join(server.dataFolder, 'keys', 'master.key'), 'utf8'),
    )
    expect(
      await run(
        ['export', server.credentials.workspaceId, '-o', join(folder, 'again.botstead')],
        {
          env: { ...env, ...there },
        },
      ),
    ).toMatchObject({
      code: 0,
    })
  }, 240_000)
})

describe('start fails in one sentence', () => {
  const starting = async (env: NodeJS.ProcessEnv) => {
    const { code, stderr } = await run(['start'], {
      env: {
        BOTSTEAD_PORT: '0',
        BOTSTEAD_DATA: join(folder, 'data'),
        DATABASE_URL: '',
        ...env,
      },
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(oneSentence)
    return stderr
  }

  test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const data = join(folder, 'not-made')
    expect(
      await starting({ BOTSTEAD_PORT: String(port), BOTSTEAD_DATA: data }),
    ).toContain(`Port ${port} is in use`)
    expect(existsSync(data)).toBe(false)
    taken.close()
  })

  test('a data folder in use by another server', async () => {
    expect(await starting({ BOTSTEAD_DATA: server.dataFolder })).toContain(
      server.dataFolder,
    )
  })

  test('a data folder below a file', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(await starting({ BOTSTEAD_DATA: join(folder, 'file', 'data') })).toContain(
      join(folder, 'file'),
    )
  })

  test('a system limit that is too low', async () => {
    const start = `ulimit -n 64 && exec "${process.execPath}" "${commandLine}" start`
    const env = {
      BOTSTEAD_PORT: '0',
      BOTSTEAD_DATA: join(folder, 'limited'),
      DATABASE_URL: '',
    }
    const child = spawn('sh', ['-c', start], { env: { ...process.env, ...env } })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1)
    expect(stderr).toContain('The limit on open files is 64 (ulimit -n)')
    expect(stderr).toContain('need at least 512')
  })

  test.each([
    ['BOTSTEAD_PORT', 'http'],
    ['BOTSTEAD_MODELS', '/not/there.json'],
    ['BOTSTEAD_MODELS_REPLAY', '/not/there'],
    ['BOTSTEAD_LOCAL_MODELS', '/not/there'],
  ])('an invalid setting %s, before it creates a data folder', async (name, value) => {
    const data = join(folder, `not-made-${name}`)
    expect(await starting({ [name]: value, BOTSTEAD_DATA: data })).toContain(name)
    expect(existsSync(data)).toBe(false)
  })
})

test('logs the path of the token, not the token; SIGTERM and SIGINT stop the server gracefully', async () => {
  const { token, url } = server.credentials
  expect(server.output()).not.toContain(token)
  expect(server.output()).toMatch(
    /^ {2}Sign in +http\S+ \(works once, within 24 hours\)$/m,
  )
  expect(server.output()).toContain(join(server.dataFolder, 'credentials.json'))
  expect(server.output()).toContain(
    `BOTSTEAD_DATA=${server.dataFolder} npm run botstead -- chat`,
  )
  expect(await server.stop('SIGTERM')).toBe(0)
  await server.start()
  expect(server.output()).not.toContain(token)
  expect(server.credentials).toMatchObject({ url, token })
  expect(await server.stop('SIGINT')).toBe(0)
})

test('stops gracefully when npm ends its shell', async () => {
  const env = { BOTSTEAD_DATA: join(folder, 'npm'), BOTSTEAD_PORT: '0', DATABASE_URL: '' }
  const shell = spawn(
    'sh',
    ['-c', `"${process.execPath}" "${commandLine}" start; true`],
    {
      env: { ...process.env, ...env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  let output = ''
  shell.stdout.on('data', (chunk) => (output += chunk))
  const ended = once(shell.stdout, 'end')
  await vi.waitUntil(() => output.includes('Botstead is running.'), 200_000)
  shell.kill('SIGTERM')
  await ended
  expect(output).toContain('Stopping …')
})
