// `npm run conformance -- --software`: installs versions of the official software from npm in a
// temporary folder, without install scripts, and runs each against its own server process. Writes
// the results to software.json, which the report prints. Needs the network for npm; the server is
// on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SoftwareResult, SoftwareRun, Step } from './software-report.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const scenarios = join(root, 'conformance/software')
export const resultsFile = join(root, 'conformance/software.json')

/** For scenarios that call models. */
const modelsClient = '@botpress/client@1.45.0'

/**
 * Versions of the last years that npm has, and the scenario of each package; `others` are installed
 * with it.
 */
const tried: Record<string, { scenario: string; versions: string[]; others?: string[] }> =
  {
    '@botpress/client': {
      scenario: 'client.mjs',
      versions: ['0.47.0', '1.16.1', '1.35.0', '1.45.0'],
    },
    '@botpress/chat': { scenario: 'chat.mjs', versions: ['0.2.1', '0.4.7', '0.5.5'] },
    '@botpress/sdk': {
      scenario: 'sdk.mjs',
      versions: ['1.6.3', '3.1.0', '5.4.3', '7.2.4'],
    },
    '@botpress/runtime': { scenario: 'runtime.mjs', versions: ['1.14.0'] },
    '@botpress/cli': { scenario: 'official-cli.test.ts', versions: ['0.8.40', '0.8.59'] },
    '@botpress/webchat-client': { scenario: 'webchat-client.mjs', versions: ['0.7.3'] },
    '@botpress/webchat': { scenario: 'official-webchat.test.ts', versions: ['4.5.2'] },
    '@botpress/cognitive': {
      scenario: 'models.mjs',
      versions: ['0.3.14', '0.5.4'],
      others: [modelsClient],
    },
    '@botpress/zai': {
      scenario: 'models.mjs',
      versions: ['2.6.21'],
      others: [modelsClient],
    },
    llmz: {
      scenario: 'models.mjs',
      versions: ['0.0.37', '1.0.1'],
      others: [modelsClient],
    },
  }

/** Packages with their own test, for any version, and the variable that names their folder. */
const tested: Record<string, string> = {
  '@botpress/cli': 'BOTSTEAD_OFFICIAL_CLI',
  '@botpress/webchat': 'BOTSTEAD_OFFICIAL_WEBCHAT',
}

/**
 * Dependencies that are missing in npm or do not work together in their newest versions, and the
 * versions that are installed instead.
 */
const overrides: Record<string, Record<string, string>> = {
  '@botpress/runtime@1.14.0': {
    '@botpress/cognitive': '0.3.14',
    '@botpress/zai': '2.5.17',
    '@bpinternal/zui': '1.3.3',
  },
  'llmz@0.0.37': {
    '@botpress/client': '1.45.0',
    '@botpress/cognitive': '0.3.14',
    '@bpinternal/zui': '1.3.3',
  },
  'llmz@1.0.1': {
    '@botpress/client': '1.45.0',
    '@botpress/cognitive': '0.5.4',
    '@bpinternal/zui': '2.1.1',
    '@bpinternal/thicktoken': '1.2.1',
  },
  '@botpress/sdk@7.2.4': { '@botpress/client': '1.45.0', '@bpinternal/zui': '2.1.1' },
}

/** Explanations of results. */
const notes: Record<string, string> = {
  '@botpress/runtime@1.14.0':
    'Its build tool (`adk`) is not on npm: the bot is wired and declared as that tool would do it. ' +
    'Its dependencies are those of its time (`@botpress/zai` 2.5.17, `@botpress/cognitive` 0.3.14, ' +
    '`@bpinternal/zui` 1.3.3), since newer ones do not work with it.',
  '@botpress/chat@0.2.1':
    'This version speaks an earlier Chat API, with paths under `/v1` and the header `x-chat-key`, ' +
    'which the contract does not have.',
  'llmz@0.0.37':
    'npm lacks some of its dependencies; the versions next to them are installed.',
  'llmz@1.0.1':
    'npm lacks its dependencies `@botpress/cognitive` 1.2.2, `@botpress/client` 2.5.0 and ' +
    '`@bpinternal/zui` 2.4.1; 0.5.4 with the marks of 1.x, 1.45.0 and 2.1.1 are installed instead.',
  '@botpress/sdk@7.2.4':
    'npm lacks its dependencies `@botpress/client` 2.5.0 and `@bpinternal/zui` 2.4.1; 1.45.0 and ' +
    '2.1.1 are installed instead.',
}

interface Credentials {
  url: string
  token: string
  workspaceId: string
  botId: string
  webhookId: string
  chatUrl: string
  chatEncryptionKey: string
}

/**
 * Runs the versions that match `only` (`package` or `package@version`) and keeps the results of
 * others. Returns true if all work.
 */
export async function runSoftware(only: string[] = []): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-software-'))
  const results: SoftwareResult[] = []
  try {
    for (const [name, { scenario, versions, others = [] }] of Object.entries(tried))
      for (const version of versions) {
        if (
          only.length > 0 &&
          !only.some((one) => one === name || one === `${name}@${version}`)
        )
          continue
        const result = await runVersion(folder, { name, version, scenario, others })
        const note = notes[`${name}@${version}`]
        results.push({ ...result, ...(note !== undefined && { note }) })
        const failed = result.steps.filter(({ failure }) => failure !== null)
        console.log(
          `${name} ${version}: ${failed.length === 0 ? 'works' : `${failed.length} steps failed`}`,
        )
        for (const { step, failure } of failed) console.log(`  ${step}: ${failure}`)
      }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  keep(results)
  return results.every(({ steps }) => steps.every(({ failure }) => failure === null))
}

/** In the order of the list, so that two runs differ only in their results. */
function keep(results: SoftwareResult[]): void {
  const before = existsSync(resultsFile)
    ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as SoftwareRun).results
    : []
  const listed = Object.entries(tried).flatMap(([name, { versions }]) =>
    versions.map((version) => ({ name, version })),
  )
  const all = listed.flatMap(({ name, version }) => {
    const fits = (one: SoftwareResult) => one.name === name && one.version === version
    return results.find(fits) ?? before.find(fits) ?? []
  })
  const run: SoftwareRun = { results: all }
  writeFileSync(resultsFile, `${JSON.stringify(run, null, 2)}\n`)
}

interface Trial {
  name: string
  version: string
  scenario: string
  others: string[]
}

async function runVersion(
  folder: string,
  { name, version, scenario, others }: Trial,
): Promise<SoftwareResult> {
  const place = join(folder, `${name.replace('@botpress/', '')}-${version}`)
  const on = new Date().toISOString().slice(0, 10)
  const failed = (step: string, error: unknown): SoftwareResult => ({
    name,
    version,
    on,
    steps: [{ step, failure: toReason((error as Error).message) }],
  })
  try {
    await install(place, `${name}@${version}`, others)
  } catch (error) {
    return failed('install', error)
  }
  const variable = tested[name]
  if (variable) {
    const folder = { [variable]: join(place, 'node_modules', name) }
    return { name, version, on, steps: await runTests(place, scenario, folder) }
  }
  const server = await startServer(join(place, 'data'))
  try {
    cpSync(scenarios, place, { recursive: true })
    return {
      name,
      version,
      on,
      steps: await runScenario(place, scenario, version, server.credentials),
    }
  } catch (error) {
    return failed('run', error)
  } finally {
    await server.stop()
  }
}

async function install(place: string, spec: string, others: string[]): Promise<void> {
  mkdirSync(place, { recursive: true })
  const manifest = { private: true, overrides: overrides[spec] ?? {} }
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest))
  const words = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
  ]
  const { code, output } = await ended(
    spawn('npm', [...words, spec, ...others], { cwd: place }),
  )
  if (code !== 0) throw new Error(npmReason(output) ?? `npm ended with the code ${code}`)
}

/** Returns the line of npm's output with the error. */
const npmReason = (output: string) =>
  output.match(
    /^npm error (?:notarget |code |\d+ )?(No matching version found for .*?)\.?$/m,
  )?.[1]

/** One line for the report, without paths of this machine. */
function toReason(failure: string): string {
  const line = failure.trim().split('\n')[0] ?? ''
  return line
    .replaceAll(/(?<![\w`])\/(?:tmp|root|home|work)\/[^\s'"`:)]*/g, '…')
    .slice(0, 200)
}

async function runScenario(
  place: string,
  scenario: string,
  version: string,
  { url, token, workspaceId, botId, webhookId, chatUrl, chatEncryptionKey }: Credentials,
): Promise<Step[]> {
  const env = {
    PATH: process.env.PATH,
    API_URL: url,
    TOKEN: token,
    WORKSPACE_ID: workspaceId,
    BOT_ID: botId,
    VERSION: version,
    CHAT_URL: chatUrl,
    CHAT_KEY: chatEncryptionKey,
    FOLDER: place,
    CLIENT_ID: webhookId,
    ESBUILD: join(root, 'node_modules/esbuild/lib/main.js'),
  }
  const { output } = await ended(
    spawn(process.execPath, [join(place, scenario)], { cwd: place, env }),
    300_000,
  )
  const last = output.trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('['))
    throw new Error(`The scenario ended early: ${output.slice(-500)}`)
  return (JSON.parse(last) as Step[]).map(({ step, failure }) => ({
    step,
    failure: failure && toReason(failure),
  }))
}

/** Runs a test file of the server. Each of its tests is a step. */
async function runTests(
  place: string,
  scenario: string,
  folder: Record<string, string>,
): Promise<Step[]> {
  const report = join(place, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const file = `packages/server/test/official/${scenario}`
  const env = { ...process.env, ...folder }
  const words = ['run', file, '--reporter=json', `--outputFile=${report}`]
  const { output } = await ended(
    spawn(process.execPath, [vitest, ...words], { cwd: root, env }),
    600_000,
  )
  if (!existsSync(report)) return [{ step: 'run', failure: toReason(output.slice(-300)) }]
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      assertionResults: { title: string; status: string; failureMessages: string[] }[]
    }[]
  }
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status, failureMessages }) => ({
      step: title,
      failure: status === 'passed' ? null : toReason(failureMessages.join(' ') || status),
    })),
  )
}

async function startServer(
  data: string,
): Promise<{ credentials: Credentials; stop(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [join(root, 'packages/cli/bin/botstead.js'), 'start'],
    {
      env: {
        PATH: process.env.PATH,
        BOTSTEAD_DATA: data,
        BOTSTEAD_PORT: '0',
        BOTSTEAD_LOG_LEVEL: 'warn',
      },
    },
  )
  const over = ended(child, 600_000)
  const file = join(data, 'credentials.json')
  const stop = async () => {
    child.kill('SIGTERM')
    await over
  }
  for (const end = Date.now() + 90_000; Date.now() < end; await pause(100)) {
    if (child.exitCode !== null)
      throw new Error(`The server did not start: ${(await over).output.slice(-500)}`)
    if (!existsSync(file)) continue
    const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials
    const isReady = await fetch(`${credentials.url}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false)
    if (isReady) return { credentials, stop }
  }
  await stop()
  throw new Error('The server was not ready within 90 seconds')
}

/** Both streams, and the exit code; past the time it is killed. */
function ended(
  child: ChildProcess,
  ms = 300_000,
): Promise<{ code: number | null; output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => (output += chunk))
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output })
    })
  })
}
