// The end-to-end tests of the official chat client's package, against a real server process. They
// run ten times to find races; BOTSTEAD_CHAT_SUITE_RUNS sets another number.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, runServer } from '../support/running-server.ts'

const runs = Number(process.env.BOTSTEAD_CHAT_SUITE_RUNS ?? 10)
const testsPerRun = 23
const require = createRequire(import.meta.url)
// Inside the checkout, so that imports of the tests resolve.
const folder = fileURLToPath(
  new URL(`../../../../test-results/official-chat-${process.pid}`, import.meta.url),
)
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')

let server: RunningServer
let suite: Suite

beforeAll(
  async () => {
    const official = join(dirname(require.resolve('@botpress/chat')), '..')
    for (let run = 1; run <= runs; run++)
      cpSync(join(official, 'e2e'), join(folder, `e2e/run-${run}`), { recursive: true })
    cpSync(join(official, 'vitest.config.ts'), join(folder, 'vitest.config.ts'))
    mkdirSync(join(folder, 'e2e/src'))
    writeFileSync(join(folder, 'e2e/src/index.ts'), "export * from '@botpress/chat'\n")
    server = await runServer()
    suite = await runSuite()
  },
  90_000 + runs * 30_000,
)

afterAll(async () => {
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

test.each(Array.from({ length: runs }, (_, index) => index + 1))('run %i', (run) => {
  const { report, output } = suite
  const results =
    report?.testResults.filter(({ name }) => name.includes(`/e2e/run-${run}/`)) ?? []
  const failures = results.flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.length === 0 ? [`${name}: ${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(
        ({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`,
      ),
  ])
  expect(failures, output).toEqual([])
  const passed = results.flatMap(({ assertionResults }) => assertionResults)
  expect(passed, output).toHaveLength(testsPerRun)
})

test('all runs together exit with 0', () => {
  expect(suite.report?.numPassedTests, suite.output).toBe(runs * testsPerRun)
  expect(suite.exitCode, suite.output).toBe(0)
})

interface Report {
  numPassedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

interface Suite {
  report: Report | null
  output: string
  exitCode: number | null
}

/** Runs all copies in one process, because starting it takes longer than the tests. */
async function runSuite(): Promise<Suite> {
  const { chatUrl, chatEncryptionKey } = server.credentials
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VITEST') && name !== 'NODE_OPTIONS',
  )
  const env = {
    ...Object.fromEntries(inherited),
    API_URL: chatUrl,
    ENCRYPTION_KEY: chatEncryptionKey,
  }
  // The test files do not need separate processes.
  const ways = [
    '--config',
    'vitest.config.ts',
    '--pool=threads',
    '--no-isolate',
    '--reporter=json',
  ]
  const child = spawn(process.execPath, [vitest, 'run', ...ways], { cwd: folder, env })
  let printed = ''
  let output = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const exitCode = await new Promise<number | null>((resolve) =>
    child.once('close', resolve),
  )
  const json = printed.slice(printed.indexOf('{"num'))
  try {
    return { report: JSON.parse(json), output, exitCode }
  } catch {
    return { report: null, output: printed + output, exitCode }
  }
}
