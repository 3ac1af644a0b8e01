// `botstead test` with knowledge checks: the documents of a project, in a temporary server or on another one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandLine } from '../../packages/server/test/support/running-server.ts'
import { openScene } from '../../packages/server/test/support/scene.ts'

vi.setConfig({ testTimeout: 300_000 })

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const page = readFileSync(place('docs/flows.md'), 'utf8')
const documented = /^```yaml\n(knowledgeChecks:\n[\s\S]+?)```/m.exec(page)![1]!
const documentedTable = /^```text\n(QUESTION [\s\S]+?)\n```/m.exec(page)![1]!

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-checks-'))
  cpSync(place('examples/faq-bot'), folder, { recursive: true })
  mkdirSync(join(folder, 'tmp'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => {
  writeFileSync(join(folder, 'tests', name), text)
  return join('tests', name)
}

function start(args: string[], env: NodeJS.ProcessEnv = {}, cwd = folder) {
  const child = spawn(process.execPath, [commandLine, 'test', 'bot.json', ...args], {
    cwd,
    env: {
      ...process.env,
      TMPDIR: join(folder, 'tmp'),
      BOTSTEAD_INCLUDED_MODEL: '0',
      ...env,
    },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
  return { child, ended }
}
const run = (...options: Parameters<typeof start>) => start(...options).ended

test('the documented checks pass with the scripts, and nothing is left', async () => {
  write('knowledge.yaml', documented)
  // Settings of a server of this machine do not reach the temporary one.
  const settings = {
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    BOTSTEAD_DATA: join(folder, 'data'),
  }
  const { code, stdout, stderr } = await run([], settings)
  expect([code, stderr.replaceAll(/^Knowledge checks: .* …\n/gm, '')]).toEqual([0, ''])
  expect(stdout).toMatch(/^ok {4}Answers from the knowledge base/m)
  expect(stdout).toMatch(/^ok {4}May I return what I bought\?/m)
  expect(stdout).toMatch(
    /^7 of 7 scripts passed\n(ok .+\n){3}3 of 3 knowledge checks passed\n$/m,
  )
  expect(
    readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('botstead-test')),
  ).toEqual([])
  expect(existsSync(join(folder, 'data'))).toBe(false)
})

test('a failed check ends with 1, a table and JUnit', async () => {
  const file = write(
    'wrong.yaml',
    `knowledgeChecks:
  - { question: What does delivery cost?, expectedText: 5 euros }
  - { question: What does delivery cost?, expectedFile: returns.md, expectedText: "7 \\e[31meuros" }
  - { question: Do you repair zeppelins?, expectedFile: repairs.md }
`,
  )
  const { code, stdout } = await run([file, '--junit', 'results.xml'])
  expect(code).toBe(1)
  expect(stdout).not.toContain('\x1b')
  expect(stdout).toContain('1 of 3 knowledge checks passed')
  const table = stdout.slice(stdout.indexOf('QUESTION')).split('\n')
  expect(table[0]).toMatch(/^QUESTION +EXPECTED +FOUND +SCORE$/)
  expect(table[1]).toMatch(
    /^What does delivery cost\? +returns\.md with “7 euros” +delivery\.md: “.*Delivery.* 0\.\d\d is at least 0\.35; matched .*Delivery/,
  )
  expect(table[2]).toMatch(
    /^Do you repair zeppelins\? +repairs\.md +nothing +none: no passage has a word of the question$/,
  )
  expect(stdout).toMatch(/FAIL {2}Do you repair zeppelins\? {2}tests\/wrong\.yaml:4\n/)
  const junit = readFileSync(join(folder, 'results.xml'), 'utf8')
  expect(junit).toContain('tests="3" failures="2"')
  expect(junit).toContain('Expected repairs.md')
})

test('the documented table is the one of these checks', async () => {
  const file = write(
    'table.yaml',
    `knowledgeChecks:
  - { question: How long does a refund take?, expectedText: three days }
  - { question: Do you deliver to Austria?, expectedFile: delivery.md }
`,
  )
  const { stdout } = await run([file])
  // Without the scores, which depend on the embedding model.
  const toCells = (table: string) =>
    table
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(0, 3))
  expect(toCells(stdout.slice(stdout.indexOf('QUESTION')))).toEqual(
    toCells(documentedTable),
  )
})

test('runs in a temporary bot of another server, and deletes it', async () => {
  const scene = await openScene()
  try {
    const url = await scene.listen()
    const file = write('server.yaml', documented)
    const access = { BOTSTEAD_TOKEN: scene.token, BOTSTEAD_WORKSPACE: scene.workspaceId }
    const bots = async () =>
      (await scene.call('GET', '/v1/admin/bots', { headers: scene.admin })).body.bots
        .length
    const before = await bots()
    const { code, stdout } = await run([file, '--server', url], access)
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      0,
      '3 of 3 knowledge checks passed',
    ])
    expect(await bots()).toBe(before)
    expect(
      await run([file, '--server', url], { ...access, BOTSTEAD_TOKEN: 'wrong' }),
    ).toMatchObject({
      code: 3,
    })
  } finally {
    await scene.close()
  }
})

test('names the line of an invalid check, and its missing field', async () => {
  const wrong = write(
    'invalid.yaml',
    'knowledgeChecks:\n  - question: a\n    expected: b\n',
  )
  expect(await run([wrong])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${wrong}, line 3: "expected" is not a known field`),
  })
  const bare = join(folder, 'bare')
  mkdirSync(bare)
  cpSync(join(folder, 'bot.json'), join(bare, 'bot.json'))
  const { code, stderr } = await run(
    [join('..', write('checks.yaml', documented))],
    {},
    bare,
  )
  expect(code).toBe(1)
  expect(stderr).toContain(
    'the knowledge checks need documents: put them into knowledge/<knowledge base>',
  )
})

test('cleans up when it is interrupted', async () => {
  const { child, ended } = start([write('interrupted.yaml', documented)])
  await vi.waitFor(
    () => expect(readdirSync(join(folder, 'tmp')).join()).toContain('botstead-test'),
    { timeout: 60_000 },
  )
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('interrupted'),
  })
  expect(
    readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('botstead-test')),
  ).toEqual([])
})
