// `botstead hub` against real servers: builds an integration from sources in the layout of the official
// ones, moves it in a signed bundle to a second server, and rejects every change of the bundle.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@botpress/client'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandLine, type RunningServer, runServer } from '../support/running-server.ts'

/** Each test starts several processes, and the machine may be busy. */
vi.setConfig({ testTimeout: 240_000 })
const sources = fileURLToPath(new URL('../support/hub-sources', import.meta.url))
/** The libraries of this repository, in place of npm. */
const nodeModules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const libraries = ['--node-modules', nodeModules]

let first: RunningServer
let second: RunningServer
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-hub-test-'))
  const servers = await Promise.all([runServer(), runServer()])
  first = servers[0]
  second = servers[1]
}, 200_000)
afterAll(async () => {
  await first?.remove()
  await second?.remove()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

async function hub(
  server: RunningServer,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(process.execPath, [commandLine, 'hub', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      BOTSTEAD_DATA: server.dataFolder,
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

/** Copies the sources, so that a test can change them. Returns the folder of the integration. */
function copySources(name: string): string {
  cpSync(sources, join(folder, name), { recursive: true })
  return join(folder, name, 'integrations/courier')
}

/** Of the names and contents of all files. */
const digest = (path: string) =>
  execFileSync('sh', [
    '-c',
    'find "$0" -type f | sort | xargs sha256sum',
    path,
  ]).toString()

const replaceIn = (file: string, from: string, to: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))

const toClient = ({ credentials: { url, token, workspaceId } }: RunningServer) =>
  new Client({
    apiUrl: url,
    token,
    workspaceId,
    headers: { 'x-multiple-integrations': 'true' },
  })

const listed = async (server: RunningServer) =>
  (await toClient(server).listIntegrations({})).integrations.map(
    ({ name, version }) => `${name}@${version}`,
  )

test('builds and publishes an integration with its interface, once', async () => {
  const source = copySources('mono')
  const before = digest(join(folder, 'mono'))
  const lacking = await hub(first, ['add', source, ...libraries])
  expect(lacking).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs the secret COURIER_KEY'),
  })
  expect(await listed(first)).toEqual([])

  const added = await hub(
    first,
    ['add', source, ...libraries, '--secret', 'COURIER_KEY=-'],
    {
      input: 'brass\n',
    },
  )
  expect(added).toMatchObject({ code: 0 })
  expect(added.stdout).toMatch(
    /^Published interface ledger@0\.2\.0 \(\w+\)\nPublished integration courier@1\.2\.0 \(\w+\)\n$/,
  )
  const again = await hub(first, ['add', source, ...libraries])
  expect(again.stdout).toMatch(
    /^Unchanged: interface ledger.*\nUnchanged: integration courier.*\n$/,
  )
  expect(digest(join(folder, 'mono'))).toBe(before)

  const { integration } = await toClient(first).getIntegrationByName({
    name: 'courier',
    version: '1.2.0',
  })
  expect(integration).toMatchObject({
    visibility: 'public',
    secrets: ['COURIER_KEY'],
    identifier: { extractScript: 'to_string!(parse_json!(.body).depot)\n' },
    configuration: {
      schema: { properties: { depot: { title: 'Depot', type: 'string' } } },
    },
    interfaces: {
      'ledger<parcel>': {
        name: 'ledger',
        version: '0.2.0',
        entities: { line: { name: 'parcel' } },
        actions: { record: { name: 'recordParcel' } },
      },
    },
    actions: {
      track: { title: 'Track' },
      recordParcel: {
        input: { schema: { properties: { line: { properties: { weight: {} } } } } },
      },
    },
  })
  const asset = await fetch(integration.readmeUrl)
  expect(await asset.text()).toBe('# Courier\n')
  expect(await callTrack(first)).toBe('p1: shelf 3 of north by brass')
})

/** Installs the integration in the server's bot, and calls its action as the bot. */
async function callTrack(server: RunningServer): Promise<string> {
  const { url, token, botId } = server.credentials
  const { integration } = await toClient(server).getPublicIntegration({
    name: 'courier',
    version: 'latest',
  })
  const { bot } = await toClient(server).updateBot({
    id: botId,
    integrations: {
      courier: {
        integrationId: integration.id,
        enabled: true,
        configuration: { depot: 'north' },
      },
    } as never,
  })
  expect(bot.integrations.courier).toMatchObject({ status: 'registered' })
  const asBot = new Client({ apiUrl: url, token, botId })
  const { output } = await asBot.callAction({
    type: 'courier:track',
    input: { id: 'p1' },
  })
  return output.place as string
}

test('updates a version, and removes what the sources no longer have', async () => {
  const source = copySources('changed')
  replaceIn(
    join(source, 'integration.definition.ts'),
    "title: 'Track',",
    "title: 'Locate',",
  )
  replaceIn(
    join(source, 'integration.definition.ts'),
    "  identifier: { extractScript: 'extract.vrl' },\n",
    '',
  )
  const updated = await hub(first, ['add', source, ...libraries])
  expect(updated.stdout).toMatch(
    /^Unchanged: interface ledger.*\nUpdated integration courier.*\n$/,
  )
  const { integration } = await toClient(first).getIntegrationByName({
    name: 'courier',
    version: '1.2.0',
  })
  expect(integration.identifier).toEqual({})
  expect(integration.actions.track!.title).toBe('Locate')
  expect(integration.secrets).toEqual(['COURIER_KEY'])
})

test('builds from archives, and rejects paths that leave them', async () => {
  const parent = join(folder, 'packed')
  cpSync(sources, join(parent, 'repository-main'), { recursive: true })
  replaceIn(
    join(parent, 'repository-main/integrations/courier/integration.definition.ts'),
    "version: '1.2.0'",
    "version: '1.3.0'",
  )
  symlinkSync('/etc/passwd', join(parent, 'repository-main/integrations/courier/linked'))
  execFileSync('tar', [
    '-C',
    parent,
    '-czf',
    join(folder, 'sources.tgz'),
    'repository-main',
  ])
  const added = await hub(first, ['add', 'sources.tgz', ...libraries])
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Published integration courier@1.3.0'),
  })

  const files = readdirSync(parent, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
  const zipped = Object.fromEntries(
    files.map((file) => [relative(parent, file), readFileSync(file)]),
  )
  writeFileSync(join(folder, 'sources.zip'), zipSync(zipped))
  const fromZip = ['add', 'sources.zip', '--folder', 'integrations/courier', ...libraries]
  expect(await hub(first, fromZip)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Unchanged: integration courier@1.3.0'),
  })
  writeFileSync(
    join(folder, 'bad.zip'),
    zipSync({ ...zipped, '../outside': Buffer.from('x') }),
  )
  expect(await hub(first, ['add', 'bad.zip', ...libraries])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('leaves its folder: "../outside"'),
  })
})

test.each<[string, (source: string) => void, RegExp]>([
  [
    'an error of syntax',
    (source) =>
      replaceIn(join(source, 'integration.definition.ts'), 'secrets: {', 'secrets: {{'),
    /integrations\/courier\/integration\.definition\.ts:17:13: Expected identifier but found "\{"/,
  ],
  [
    'an error when it is evaluated',
    (source) =>
      replaceIn(
        join(source, 'integration.definition.ts'),
        'z.string() }),\n    ui',
        'z.string().never() }),\n    ui',
      ),
    /integrations\/courier\/integration\.definition\.ts:\d+:\d+: .*never is not a function/,
  ],
  [
    'a missing interface',
    (source) => rmSync(join(source, '../../interfaces/ledger'), { recursive: true }),
    /`bpDependencies\.ledger` in .*package\.json names \.\.\/\.\.\/interfaces\/ledger, but .* does not exist: get the folder/,
  ],
  [
    'a package of the workspace without the workspace',
    (source) => rmSync(join(source, '../../pnpm-workspace.yaml')),
    /@mini\/depot is a package of the same sources \("workspace:\*"\).*get the whole sources, with pnpm-workspace\.yaml/s,
  ],
  [
    'a file that the definition names',
    (source) => rmSync(join(source, 'icon.svg')),
    /courier\/icon\.svg: the definition names this file, which cannot be read \(ENOENT\)/,
  ],
  [
    'a newer Node',
    (source) =>
      replaceIn(
        join(source, 'package.json'),
        '"private": true,',
        '"private": true, "engines": { "node": ">=99" },',
      ),
    /needs Node >=99; this is Node \d+/,
  ],
])('names %s, and publishes nothing', async (name, change, message) => {
  const source = copySources(name.replaceAll(' ', '-'))
  change(source)
  replaceIn(
    join(source, 'integration.definition.ts'),
    "version: '1.2.0'",
    "version: '1.9.0'",
  )
  const failed = await hub(first, ['add', source, ...libraries])
  expect(failed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(message),
  })
  expect(await listed(first)).not.toContain('courier@1.9.0')
})

test('names the libraries that npm cannot get, and those that a folder lacks', async () => {
  const source = copySources('offline')
  const env = {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_cache: join(folder, 'empty-cache'),
  }
  const offline = await hub(first, ['add', source], { env })
  expect(offline.code).toBe(1)
  expect(offline.stderr).toMatch(
    /npm does not reach its registry .* It needs: esbuild@\S+, @botpress\/sdk@5\.4\.3, semver@\^7\.3\.8\./,
  )
  mkdirSync(join(folder, 'poor/esbuild'), { recursive: true })
  const lacking = await hub(first, ['add', source, '--node-modules', 'poor'])
  expect(lacking).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('poor lacks @botpress/sdk@5.4.3, semver@^7.3.8'),
  })
})

test('moves a built integration to another server in a signed bundle', async () => {
  const exported = await hub(first, [
    'export',
    'courier@1.2.0',
    '--to',
    'courier.bundle',
    '--json',
  ])
  expect(exported.code, exported.stderr).toBe(0)
  const { signer } = JSON.parse(exported.stdout)
  expect(JSON.parse((await hub(first, ['key', '--json'])).stdout)).toMatchObject({
    fingerprint: signer,
  })
  expect(readFileSync(join(folder, 'courier.bundle')).includes('brass')).toBe(false)
  expect((await hub(second, ['verify', 'courier.bundle'])).stdout).toContain(
    'interface ledger@0.2.0\nintegration courier@1.2.0\n',
  )

  const unknown = await hub(second, ['import', 'courier.bundle'])
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`the signer ${signer} is unknown`),
  })
  expect(await listed(second)).toEqual([])

  const trusted = ['import', 'courier.bundle', '--trust', signer]
  const imported = await hub(second, trusted)
  expect(imported).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('to set: COURIER_KEY'),
  })
  expect(imported.stdout).toMatch(
    /^Published interface ledger.*\nPublished integration courier.*\n$/,
  )
  const withSecret = await hub(second, [...trusted, '--secret', 'COURIER_KEY=-'], {
    input: 'copper\n',
  })
  expect(withSecret).toMatchObject({ code: 0, stderr: `Signer ${signer}\n` })
  expect(await callTrack(second)).toBe('p1: shelf 3 of north by copper')
  const again = await hub(second, trusted)
  expect(again.stdout).toMatch(
    /^Unchanged: interface ledger.*\nUnchanged: integration courier.*\n$/,
  )
  expect((await hub(second, ['list'])).stdout).toMatch(/courier@1\.2\.0/)
})

test('publishes nothing of a changed bundle', async () => {
  const signer = JSON.parse((await hub(first, ['key', '--json'])).stdout).publicKey
  await hub(first, ['export', 'courier@1.3.0', '--to', 'changed.bundle'])
  const file = join(folder, 'changed.bundle')
  const content = readFileSync(file)
  const at = content.indexOf('shelf ')
  content[at] = content[at]! ^ 1
  writeFileSync(file, content)
  const verified = await hub(second, ['verify', 'changed.bundle'])
  expect(verified).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'integrations/courier@1.3.0/code.cjs: its content is changed',
    ),
  })
  const imported = await hub(second, ['import', 'changed.bundle', '--trust', signer])
  expect(imported.code).toBe(1)
  expect(await listed(second)).toEqual(['courier@1.2.0'])
})
