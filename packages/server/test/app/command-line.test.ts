// Runs the built command line in separate processes against a server that it started.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commandLine, type RunningServer, runServer } from '../support/running-server.ts'

const echoBot = fileURLToPath(
  new URL('../../../../examples/echo-bot/dist/bot.cjs', import.meta.url),
)
let server: RunningServer
let folder: string
/** Each test starts several processes, and the machine may be busy. */
vi.setConfig({ testTimeout: 60_000 })
/** Long commands print progress lines. */
const nothingButProgress = expect.stringMatching(/^([^\n]+ …\n)*$/)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-cli-'))
  server = await runServer({}, { embedded: true })
}, 90_000)

afterAll(async () => {
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

async function run(
  args: string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: { ...process.env, BOTSTEAD_DATA: server.dataFolder, BOTSTEAD_LOG_LEVEL: 'silent', ...env },
  })
  const ended = once(child, 'close')
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  child.stdin.end(input)
  const [code] = await ended
  return { code, stdout, stderr }
}

const oneSentence = /^botstead: [^\n]{10,300}\n$/

describe('with a running server', () => {
  test('chat answers piped lines in order', async () => {
    const { code, stdout } = await run(['chat'], { input: 'hello\n\nchoice\n' })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Hi! You said: "hello"\nWhich one?\n  - Option 1\n  - Option 2\n  - Option 3\n',
    })
  })

  test("users counts, exports and erases a user's data; receipts verifies the receipt", async () => {
    await run(['chat'], { input: 'remember me\n' })
    const { url, token, botId } = server.credentials
    const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId }
    const reply = await fetch(`${url}/v1/chat/users`, { headers })
    const { users } = (await reply.json()) as { users: { id: string }[] }
    const { id } = users.find((user) => user.id !== botId)!
    const dry = await run(['users', 'erase', id, '--dry-run', '--json'])
    expect(JSON.parse(dry.stdout).counts).toMatchObject({ users: 1, conversations: 1 })
    const archive = join(folder, 'user.tar.gz')
    expect(await run(['users', 'export', id, '-o', archive])).toMatchObject({ code: 0 })
    expect(readFileSync(archive).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
    const file = join(folder, 'user.receipt.json')
    const erased = await run(['users', 'erase', id, '-o', file])
    expect(erased).toMatchObject({ code: 0, stdout: expect.stringContaining(`Erased ${id}: `) })
    expect(await run(['receipts', 'verify', file])).toMatchObject({ code: 0 })
    expect((await run(['receipts', 'list'])).stdout).toContain(`done  ${id}`)
    const again = await run(['users', 'erase', '--receipt', file, '-o', join(folder, 'again.json')])
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(': nothing\n') })
    writeFileSync(file, readFileSync(file, 'utf8').replace('"users": 1', '"users": 2'))
    expect(await run(['receipts', 'verify', file])).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('MODIFIED') },
    })
    expect(await run(['users', 'erase'])).toMatchObject({ code: 2 })
  })

  test('retention counts in a dry run, sets days and removes them', async () => {
    const rules = async () => JSON.parse((await run(['retention', '--json'])).stdout).rules
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
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('Deployed Another') })
    expect((await run(['chat', id!], { input: 'you?\n' })).stdout).toBe('Hi! You said: "you?"\n')
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
    expect((await run(['bots'])).stdout).toMatch(new RegExp(`${id} .*Another\n`))
  })

  test('deploy into another workspace prints commands that reach the bot', async () => {
    const workspace = (await run(['workspaces', 'create', 'Shop'])).stdout.trim()
    expect((await run(['workspaces'])).stdout).toContain(`${workspace}  Shop\n`)
    const { url, token } = server.credentials
    const connecting = ['--url', url, '--token', token, '--workspace', workspace]
    const { stdout } = await run(['deploy', echoBot, ...connecting])
    expect(stdout).not.toContain(token)
    const commands = [...stdout.matchAll(/ npm run botstead -- (.*)/g)].map(([, printed]) =>
      printed!.replace('<token>', token).split(' '),
    )
    expect(commands.map(([name]) => name)).toEqual(['chat', 'webchat'])
    const [chatted, shown] = await Promise.all(commands.map((args) => run(args, { input: 'hi\n' })))
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
    expect({ ...ended, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(reason) })
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
      (await run(['bots', '--url', url, '--token', token, '--workspace', workspaceId], { env }))
        .stdout,
    ).toContain('Echo bot')
    expect((await run(['chat', '--chat-url', chatUrl], { env, input: 'hi\n' })).stdout).toBe(
      'Hi! You said: "hi"\n',
    )
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
      stdout: expect.stringMatching(new RegExp(`${id} .*for a script\n`)),
    })
    expect(
      (await run(['bots', '--json', '--token', made.stdout.trim()])).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toContain('Echo bot')
    expect(await run(['tokens', 'delete', id!])).toMatchObject({ code: 0 })
    expect(await run(['bots', '--token', made.stdout.trim()])).toMatchObject({ code: 1 })
  })

  test('creates a token for an account directly in the database', async () => {
    const env = { DATABASE_URL: server.database.connectionString ?? '' }
    const unknown = await run(['tokens', 'create', '--account', 'nobody@example.org'], { env })
    expect(unknown).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('owner@localhost'),
    })
    const made = await run(['tokens', 'create', '--account', 'Owner@localhost'], { env })
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^bp_pat_\w{38}\n$/) })
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
  }, 60_000)

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
      .poll(async () => messages((await run(['logs', id])).stdout), { timeout: 20_000 })
      .toEqual(['first', 'red \\u0007bell', 'wrong'])
    expect(messages((await run(['logs', id, '--grep', 'FIRST'])).stdout)).toEqual(['first'])
    expect(
      JSON.parse((await run(['logs', id, '--grep', 'bell', '--json'])).stdout).message,
    ).toContain('bell')

    const following = spawn(process.execPath, [commandLine, 'logs', id, '-f', '--since', '1h'], {
      env: { ...process.env, BOTSTEAD_DATA: server.dataFolder },
    })
    let followed = ''
    following.stdout.on('data', (chunk) => (followed += chunk))
    await expect.poll(() => messages(followed), { timeout: 20_000 }).toHaveLength(3)
    await run(['chat', id, '--wait', '1'], { input: 'go\n' })
    await expect
      .poll(() => messages(followed).filter((line) => line === 'first'), { timeout: 20_000 })
      .toHaveLength(2)
    // Lines of the standard error arrive later, because the server first collects the lines of one
    // error.
    await expect.poll(() => messages(followed), { timeout: 20_000 }).toHaveLength(6)
    following.kill()
    await once(following, 'close')
  }, 60_000)

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
  }, 60_000)

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
    expect((await run(['chat'], { input: 'hello\n' })).stdout).toContain('hello')
    await server.stop()
    await server.start()
    expect((await run(['chat'], { input: 'again\n' })).stdout).toContain('again')
    const old = {
      ...env,
      BOTSTEAD_MASTER_KEY: before.trim(),
      BOTSTEAD_NEW_MASTER_KEY: 'ab'.repeat(32),
    }
    expect(await run(['keys', 'rotate'], { env: old })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not belong to this database'),
    })
  }, 60_000)

  test('migrate exits when the database is up to date', async () => {
    expect(
      await run(['migrate'], {
        env: { BOTSTEAD_DATA: join(folder, 'migrated'), DATABASE_URL: '' },
      }),
    ).toMatchObject({
      code: 0,
      stdout: 'The database is up to date\n',
    })
  }, 60_000)

  const withTitles = (commands: string[][]) =>
    commands.map((args): [string, string[]] => [args.join(' '), args])

  test.each(
    withTitles([
      ['logs', 'bot_nowhere'],
      ['tokens', 'delete', 'patoken_none'],
      ['bots', '--token', 'bp_pat_wrong'],
      ['bots', '--url', 'http://127.0.0.1:9'],
      ['health', '--url', 'http://127.0.0.1:9'],
      ['chat', 'bot_nowhere'],
      ['chat', '--chat-url', 'http://127.0.0.1:9/chat/x'],
      ['deploy', '/no/such/file.cjs'],
      ['deploy', fileURLToPath(import.meta.url)],
      ['deploy', echoBot, '--bot', 'bot_nowhere'],
    ]),
  )('%s fails in one sentence', async (_, args) => {
    const { code, stderr, stdout } = await run(args, { input: 'hi\n' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(oneSentence)
  })

  test.each(
    withTitles([
      ['logs', '--since', 'yesterday'],
      ['bots', '--url', 'nowhere'],
      ['chat', '--wait', 'long'],
      ['export', 'some-workspace', '--json'],
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
  }, 30_000)

  test('export and backup work while the server runs, and restore recovers both', async () => {
    const env = {
      DATABASE_URL: server.database.connectionString ?? '',
      BOTSTEAD_PASSPHRASE: 'correct horse battery staple',
    }
    const [workspace, backup, data] = ['workspace.botstead', 'all.backup', 'restored'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
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
    for (const file of [workspace, backup]) expect(statSync(file).mode & 0o777).toBe(0o600)
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
      ...{ DATABASE_URL: '', BOTSTEAD_DATA: keyed },
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
      await run(['export', server.credentials.workspaceId, '-o', join(folder, 'again.botstead')], {
        env: { ...env, ...there },
      }),
    ).toMatchObject({
      code: 0,
    })
  }, 240_000)
})

describe('start fails in one sentence', () => {
  const starting = async (env: NodeJS.ProcessEnv) => {
    const { code, stderr } = await run(['start'], {
      env: { BOTSTEAD_PORT: '0', BOTSTEAD_DATA: join(folder, 'data'), DATABASE_URL: '', ...env },
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
    expect(await starting({ BOTSTEAD_PORT: String(port), BOTSTEAD_DATA: data })).toContain(
      `Port ${port} is in use`,
    )
    expect(existsSync(data)).toBe(false)
    taken.close()
  })

  test('a data folder in use by another server', async () => {
    expect(await starting({ BOTSTEAD_DATA: server.dataFolder })).toContain(server.dataFolder)
  })

  test('a data folder below a file', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(await starting({ BOTSTEAD_DATA: join(folder, 'file', 'data') })).toContain(
      join(folder, 'file'),
    )
  })

  test('a system limit that is too low', async () => {
    const start = `ulimit -n 64 && exec "${process.execPath}" "${commandLine}" start`
    const env = { BOTSTEAD_PORT: '0', BOTSTEAD_DATA: join(folder, 'limited'), DATABASE_URL: '' }
    const child = spawn('sh', ['-c', start], { env: { ...process.env, ...env } })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1)
    expect(stderr).toContain('The limit on open files is 64 (ulimit -n)')
    expect(stderr).toContain('need at least 512')
  })

  test('an invalid setting', async () => {
    expect(await starting({ BOTSTEAD_PORT: 'http' })).toContain('BOTSTEAD_PORT')
  })
})

test('logs the path of the token, not the token; SIGTERM and SIGINT stop the server gracefully', async () => {
  const { token, url } = server.credentials
  expect(server.output()).not.toContain(token)
  expect(server.output()).toContain(join(server.dataFolder, 'credentials.json'))
  expect(server.output()).toContain(`BOTSTEAD_DATA=${server.dataFolder} npm run botstead -- chat`)
  expect(await server.stop('SIGTERM')).toBe(0)
  await server.start()
  expect(server.output()).not.toContain(token)
  expect(server.credentials).toMatchObject({ url, token })
  expect(await server.stop('SIGINT')).toBe(0)
}, 60_000)

test('stops gracefully when npm ends its shell', async () => {
  const env = { BOTSTEAD_DATA: join(folder, 'npm'), BOTSTEAD_PORT: '0', DATABASE_URL: '' }
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${commandLine}" start; true`], {
    env: { ...process.env, ...env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  shell.stdout.on('data', (chunk) => (output += chunk))
  const ended = once(shell.stdout, 'end')
  await vi.waitUntil(() => output.includes('Botstead is running.'), 50_000)
  shell.kill('SIGTERM')
  await ended
  expect(output).toContain('Stopping …')
})
