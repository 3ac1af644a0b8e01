// Follows the pages of the documentation on one server: runs their commands and scripts, deploys their
// documents, sends their bodies, and compares outputs. documented-pages.ts says how, and why some blocks are
// not run.
// tutorials.test.ts follows the tutorials.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cloneDatabase,
  emptyDatabase,
  type TestDatabase,
  toUrl,
} from '../support/database.ts'
import { pages } from '../support/documented-pages.ts'
import {
  type Block,
  isOutput,
  pagesIn,
  readBlocks,
  repository,
} from '../support/documents.ts'
import { type FakeS3, openFakeS3 } from '../support/fake-s3.ts'
import {
  followPage,
  isOutputBlock,
  noTerminal,
  type Step,
  toStep,
} from '../support/followed-page.ts'
import { type ModelProvider, openModelProvider } from '../support/model-provider.ts'
import type { Handling, Page } from '../support/page-handling.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'
import { openVersionDatabase } from '../support/versions.ts'

const paths = [
  'README.md',
  ...pagesIn('docs').filter((path) => !/^docs\/\w+\//.test(path)),
]
const support = `${repository}packages/server/test/support`
const shell = `${support}/page-shell.sh`

/** Returns the handling of each block. Throws if a block has none, or an entry not exactly one block. */
function findHandlings(
  blocks: Block[],
  { blocks: entries = {} }: Page,
): Map<Block, Handling> {
  const chosen = new Map<Block, Handling>()
  for (const [part, handling] of Object.entries(entries)) {
    const found = blocks.filter(({ text }) => text.includes(part))
    if (found.length !== 1) throw new Error(`${found.length} blocks contain ${part}`)
    chosen.set(found[0]!, handling)
  }
  return new Map(
    blocks.map((block, i) => [
      block,
      chosen.get(block) ?? getUsual(block, blocks[i - 1]),
    ]),
  )
}

function getUsual(block: Block, previous?: Block): Handling {
  const step = toStep(block)
  if (step) return step.commands
  if (isOutputBlock(block, previous)) return { prints: '' }
  throw new Error(`${block.place}: documented-pages.ts does not say how to run it`)
}

function toSteps(handlings: Map<Block, Handling>): Step[] {
  return [...handlings].flatMap(([block, handling]): Step | Step[] => {
    if (typeof handling === 'string') return { block, commands: handling }
    if ('run' in handling)
      return { block, commands: handling.run, text: handling.text(block.text) }
    return 'prints' in handling && handling.prints
      ? { block, commands: handling.prints }
      : []
  })
}

/** Whether a printed part is that of the page. Numbers and times of JSON may differ, also durations. */
function isPrinted(actual: string, { language, text }: Block): boolean {
  if (language === 'json') return isLike(JSON.parse(actual), JSON.parse(text))
  const part = text
    .trimEnd()
    .replaceAll('https://bots.example.org', 'http://127.0.0.1:4000')
  return isOutput(withoutMeasured(actual), `…\n${withoutMeasured(part)}\n…`)
}

/** Without durations, as those below one millisecond are not printed, and without other measured numbers. */
const withoutMeasured = (text: string) =>
  text
    .replaceAll(/ +\d+ ms/g, '')
    .replaceAll(/[\d.]+ (?:bytes|[kMG]B)/g, 'size')
    .replaceAll(/\d+ pending/g, 'n pending')

function isLike(actual: unknown, expected: unknown): boolean {
  if (typeof expected === 'number') return typeof actual === 'number'
  if (typeof expected === 'string')
    return (
      typeof actual === 'string' &&
      (isOutput(actual, expected) ||
        !(Number.isNaN(Date.parse(expected)) || Number.isNaN(Date.parse(actual))))
    )
  if (typeof expected !== 'object' || !expected) return actual === expected
  const keys = Object.keys(expected)
  return (
    Object.keys(Object(actual)).sort().join() === keys.sort().join() &&
    keys.every((key) => isLike((actual as never)[key], expected[key as never]))
  )
}

test('each block of each page has a handling; reasons and other runs name a file', () => {
  expect(Object.keys(pages).filter((path) => !paths.includes(path))).toEqual([])
  for (const path of paths)
    for (const handling of findHandlings(readBlocks(path), pages[path] ?? {}).values()) {
      if (typeof handling === 'string') continue
      if ('by' in handling)
        expect(existsSync(repository + handling.by), handling.by).toBe(true)
      if ('runBy' in handling)
        expect(readFileSync(repository + handling.runBy, 'utf8')).toContain(
          basename(path),
        )
    }
  const block = { place: 'page.md:1', language: 'json', text: '{}' }
  expect(() => findHandlings([block], {})).toThrow('page.md:1')
  expect(() => findHandlings([block], { blocks: { other: '' } })).toThrow(
    '0 blocks contain other',
  )
})

test('compares printed parts', () => {
  const block = {
    place: '',
    language: 'json',
    text: '{"id": "a_…", "n": 1, "is": false}',
  }
  expect(isPrinted('{"is": false, "id": "a_1", "n": 2}', block)).toBe(true)
  for (const other of ['{"is": true, "id": "a_1", "n": 2}', '{"is": false, "id": "a_1"}'])
    expect(isPrinted(other, block)).toBe(false)
  expect(
    isPrinted('x\na 7 ms\ny', { ...block, language: 'text', text: 'a 1 ms\n' }),
  ).toBe(true)
})

describe('each page', () => {
  let server: RunningServer
  let other: RunningServer | undefined
  let models: ModelProvider
  let bucket: FakeS3
  const databases: TestDatabase[] = []
  beforeAll(async () => {
    if (noTerminal) return
    models = await openModelProvider(({ raw, body }) => {
      const tokens = { inputTokens: 400, outputTokens: 20 }
      if (raw.includes('When is breakfast served?')) {
        const isChoice = raw.includes('a question about the hotel')
        const answer = { answer: 'Breakfast is served from 7 to 10 [1].' }
        return { ...tokens, text: [JSON.stringify(isChoice ? { choice: 2 } : answer)] }
      }
      if (!raw.includes('100 g of Assam')) return tokens
      const isAnswered = body.messages.at(-1).role === 'tool'
      const call = { id: 'call_1', name: 'price', input: '{"grams":100}' }
      return isAnswered
        ? { ...tokens, text: ['100 g cost 8 euros. Shall I order?'] }
        : { ...tokens, toolCalls: [call] }
    })
    bucket = await openFakeS3()
    server = await runServer({
      BOTSTEAD_MODEL_URL: `${models.url}/v1`,
      BOTSTEAD_MODEL: 'llama3.2',
    })
  }, 200_000)
  afterAll(async () => {
    await server?.remove()
    await other?.remove()
    await models?.close()
    await bucket?.close()
    for (const database of databases) await database.drop()
  }, 60_000)

  /** The environment of page-shell.sh. */
  function environment(): NodeJS.ProcessEnv {
    const { url, token, botId, workspaceId, chatUrl, chatEncryptionKey } =
      server.credentials
    const pidFile = join(server.dataFolder, 'pid')
    writeFileSync(pidFile, String(server.pid()))
    return {
      TOKEN: token,
      BOT: botId,
      SERVER_URL: url,
      SERVER_PORT: new URL(url).port,
      SERVER_WORKSPACE: workspaceId,
      SERVER_CHAT: chatUrl,
      SERVER_CHAT_KEY: chatEncryptionKey,
      SERVER_PID_FILE: pidFile,
      MODEL_URL: `${models.url}/v1`,
      DATABASE_URL: toUrl(server.database),
      SUPPORT: support,
      ...bucketSettings(bucket),
      // Those of the person who runs the test.
      npm_config_cache: join(homedir(), '.npm'),
      npm_config_userconfig: join(homedir(), '.npmrc'),
    }
  }

  const bucketSettings = ({ settings }: FakeS3): NodeJS.ProcessEnv => ({
    BUCKET: settings.bucket,
    BUCKET_URL: settings.endpoint,
    BUCKET_REGION: settings.region,
    BUCKET_KEY_ID: settings.accessKeyId,
    BUCKET_SECRET: settings.secretAccessKey,
  })

  async function otherServer({ other: isNeeded }: Page): Promise<NodeJS.ProcessEnv> {
    if (!isNeeded) return {}
    other ??= await runServer()
    const { url, token, botId } = other.credentials
    return { OTHER_URL: url, OTHER_TOKEN: token, OTHER_BOT: botId }
  }

  /** The databases of other installations, if a page has their data folder. */
  async function otherDatabases(blocks: Block[]): Promise<NodeJS.ProcessEnv> {
    const has = (part: string) => blocks.some(({ text }) => text.includes(part))
    const open = async (create: () => Promise<TestDatabase>) => {
      const database = await create()
      databases.push(database)
      return toUrl(database.settings)
    }
    return {
      ...(has('/srv/') && {
        OTHER_DATABASE: await open(emptyDatabase),
        MIGRATED_DATABASE: await open(cloneDatabase),
      }),
      ...(has('--plan') && {
        OLD_DATABASE: await open(() => openVersionDatabase('0.1.0')),
      }),
    }
  }

  /** Commands of a page may have stopped the server. */
  async function startAgain() {
    const isRunning = await fetch(`${server.credentials.url}/readyz`).then(
      () => true,
      () => false,
    )
    if (!isRunning) await server.start()
  }

  test.for(paths)('%s works as it says', { timeout: 620_000 }, async (path, { skip }) => {
    skip(noTerminal !== '', noTerminal)
    const blocks = readBlocks(path)
    const page = pages[path] ?? {}
    const handlings = findHandlings(blocks, page)
    const steps = toSteps(handlings)
    if (steps.length === 0) return
    await startAgain()
    const { url, token, botId } = server.credentials
    const { outputs, failure } = await followPage(steps, {
      dataFolder: server.dataFolder,
      deadlineMs: 600_000,
      before: `. '${shell}'\n${page.before ?? ''}`,
      env: {
        ...environment(),
        ...(await otherDatabases(blocks)),
        ...(await otherServer(page)),
      },
      values: {
        ...page.values,
        'http://127.0.0.1:4000': url,
        'https://bots.example.org': url,
        'http://127.0.0.1:11434': models.url,
        'BOTSTEAD_PORT=8080': `BOTSTEAD_PORT=${new URL(url).port}`,
        '/srv/': '../srv/',
        'bot_…': botId,
        'bp_pat_…': token,
        // In this order, longer texts are replaced first.
        ...page.values,
      },
    })
    expect(failure).toBeUndefined()
    for (const [i, block] of blocks.entries()) {
      const handling = handlings.get(block)!
      if (typeof handling === 'string' || !('prints' in handling)) continue
      const output = outputs.get(handling.prints ? block : blocks[i - 1]!)!
      if (!isPrinted(output, block)) expect(output, block.place).toBe(block.text.trim())
    }
  })
})
