// `import` and `migrate cloud` print the warnings of scripts, as deployments do.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openClient, runCommand } from '../support/cloud-migration.ts'
import { commandLine, type RunningServer, runServer } from '../support/running-server.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
let source: RunningServer
let target: RunningServer
let folder: string

const warned = {
  name: 'warned',
  version: '1.0.0',
  url: 'https://example.org/warned',
  configuration: { schema: {}, identifier: { linkTemplateScript: '.a ?? "x"' } },
}
const warning =
  'warned@1.0.0: `configuration.identifier.linkTemplateScript`, line 1, column 1: ' +
  'unnecessary error coalescing'

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-warnings-'))
  ;[source, target] = await Promise.all([
    runServer({ DATABASE_URL: '' }, { embedded: true }),
    runServer(),
  ])
  for (const { credentials } of [source, target]) {
    const { admin } = openClient(credentials)
    const { integration } = await admin.createIntegration({ body: warned as never })
    if (credentials !== source.credentials) continue
    const integrations = { [integration.id]: { enabled: false } }
    await admin.updateBot({
      params: { id: credentials.botId },
      body: { integrations } as never,
    })
  }
})
afterAll(async () => {
  await Promise.all([source?.remove(), target?.remove()])
  await rm(folder, { recursive: true, force: true })
})

async function run(args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: { ...process.env, ...env },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

const migrate = (state: string, ...more: string[]) => {
  const options = {
    from: source.credentials.url,
    rate: '1000',
    'to-workspace': target.credentials.workspaceId,
    state: join(folder, state),
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  return runCommand([...args, '--json', ...more], {
    BOTSTEAD_SOURCE_TOKEN: source.credentials.token,
    BOTSTEAD_TARGET_TOKEN: target.credentials.token,
    BOTSTEAD_SERVER: target.credentials.url,
  })
}

test('migrate cloud prints the warnings of integrations that the bots use', async () => {
  const { code, stdout, stderr } = await migrate('dry.json', '--dry-run')
  expect(code).toBe(0)
  expect(stderr).toContain(warning)
  expect(JSON.parse(stdout).warnings).toEqual([expect.stringContaining(warning)])
})

test('migrate cloud moves the document of a bot whose integrations have warnings', async () => {
  const { code, stdout } = await migrate('state.json')
  const { notMoved } = JSON.parse(stdout)
  expect(notMoved.filter(({ what }: { what: string }) => what === 'code')).toEqual([])
  expect(code).toBe(0)
})

test('import prints the warnings of the imported integrations', async () => {
  const file = join(folder, 'workspace.botstead')
  const there = { DATABASE_URL: '', BOTSTEAD_DATA: join(folder, 'there') }
  const env = { DATABASE_URL: '', BOTSTEAD_DATA: source.dataFolder }
  const secret = { BOTSTEAD_PASSPHRASE: 'correct horse battery staple' }
  const { workspaceId } = source.credentials
  expect(
    await run(['export', workspaceId, '-o', file], { ...env, ...secret }),
  ).toMatchObject({
    code: 0,
  })
  const imported = await run(['import', file, '--json'], {
    ...secret,
    ...there,
  })
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) })
  expect(JSON.parse(imported.stdout).warnings).toEqual([expect.stringContaining(warning)])
})
