// Real ONNX models in their real process.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withoutNetwork } from '@botstead/sandbox'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { writeSentenceModel } from '../../../../../../bench/src/onnx-models.ts'
import {
  newFolder,
  slow,
  small,
  writeModels,
} from '../../../../test/support/local-models.ts'
import {
  killModelProcess,
  modelProcesses,
} from '../../../../test/support/model-processes.ts'
import { built } from '../../../../test/support/processes.ts'
import { type LocalModels, openLocalModels, packages } from './local-models.ts'

const log = pino({ level: 'silent' })
let opened: LocalModels | null = null
const folders: string[] = []
afterEach(async () => {
  await opened?.close()
  opened = null
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const kept = (folder: string) => {
  folders.push(folder)
  return folder
}
async function open(folder = writeModels(), options = {}) {
  opened = await openLocalModels({
    folder: kept(folder),
    memoryMb: 2_048,
    timeoutMs: 60_000,
    log,
    ...options,
  })
  const local = opened.models[0]!.provider.local!
  return {
    embed: async (values: string[], name = 'sentences') =>
      (await local.embedding(name).doEmbed({ values })).embeddings,
    rank: async (query: string, values: string[]) =>
      (
        await local
          .reranking('pairs')
          .doRerank({ query, documents: { type: 'text', values } })
      ).ranking,
  }
}

const product = (one: number[], two: number[]) =>
  one.reduce((sum, value, at) => sum + value * two[at]!, 0)

function writeSlowModel(): string {
  const folder = newFolder()
  writeSentenceModel(join(folder, 'sentences'), slow)
  return folder
}
const longTexts = Array.from({ length: 16 }, () => 'parcel money rain oven '.repeat(200))

test('embeds texts with one meaning near each other', async () => {
  const { embed } = await open()
  const [money, refund, oven] = await embed(['my money', 'a refund', 'the oven'])
  expect(product(money!, money!)).toBeCloseTo(1)
  expect(product(money!, refund!)).toBeGreaterThan(product(money!, oven!) + 0.05)
})

test('gives each of many concurrent texts its own vector, whatever their lengths', async () => {
  const { embed } = await open()
  const texts = Array.from(
    { length: 40 },
    (_, at) => 'parcel money rain '.repeat(1 + (at % 13)) + 'oven '.repeat(at),
  )
  const alone: number[][] = []
  for (const text of texts) alone.push((await embed([text]))[0]!)
  const [together, ...batches] = await Promise.all([
    embed(texts),
    ...[0, 10, 20, 30].map((from) => embed(texts.slice(from, from + 10))),
  ])
  for (const [at, vector] of alone.entries()) {
    expect(product(vector, together![at]!)).toBeGreaterThan(0.9999)
    expect(product(vector, batches.flat()[at]!)).toBeGreaterThan(0.9999)
  }
})

test('cuts texts that are longer than the model reads', async () => {
  const { embed } = await open()
  const text = 'parcel '.repeat(1_000)
  const [long, longer] = await embed([`${text} money`, text + 'x'.repeat(1_000_000)])
  expect(product(long!, longer!)).toBeGreaterThan(0.9999)
})

test('ranks passages for a question', async () => {
  const { rank } = await open()
  const ranking = await rank('repay my money', [
    'bake a cake',
    'reimburse refund',
    'rain and sun',
  ])
  expect(ranking[0]).toMatchObject({ index: 1 })
  expect(ranking.every(({ relevanceScore: score }) => score >= 0 && score <= 1)).toBe(
    true,
  )
})

test('fails only the current batch when the process is killed', {
  timeout: 60_000,
}, async () => {
  const { embed } = await open(writeSlowModel())
  const current = embed(longTexts)
  const waiting = embed(['money'])
  await killModelProcess()
  await expect(current).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('its process ended'),
  })
  expect(await waiting).toHaveLength(1)
})

test('ends a batch that takes too long', { timeout: 60_000 }, async () => {
  const { embed } = await open(writeSlowModel(), { timeoutMs: 200 })
  await expect(embed(longTexts)).rejects.toMatchObject({
    kind: 'timeout',
    message: expect.stringContaining('BOTSTEAD_LOCAL_MODEL_SECONDS'),
  })
})

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1_024

test('ends a batch that needs too much memory', { timeout: 60_000 }, async () => {
  const folder = newFolder()
  // Scores of attention: 8 texts of 512 tokens with 32 heads take 256 MB.
  writeSentenceModel(join(folder, 'sentences'), { ...small, heads: 32, maxTokens: 512 })
  await open(folder)
  const loaded = residentMb(modelProcesses().at(-1)!)
  await opened!.close()
  folders.length = 0
  const { embed } = await open(folder, { memoryMb: Math.ceil(loaded) + 64 })
  await expect(embed(longTexts)).rejects.toMatchObject({
    kind: 'rejected',
    message: expect.stringContaining('BOTSTEAD_LOCAL_MODEL_MEMORY_MB'),
  })
  expect(await embed(['money'])).toHaveLength(1)
})

test('does not start with a memory limit that is too small', {
  timeout: 60_000,
}, async () => {
  await expect(open(writeSlowModel(), { memoryMb: 40 })).rejects.toThrow(
    /^BOTSTEAD_LOCAL_MODELS: cannot load the models: it needs more memory than 40 MB/,
  )
})

type Damage = (folder: string) => void
const damages: [string, Damage, RegExp][] = [
  ['missing', (folder) => rmSync(folder, { recursive: true }), /cannot read/],
  [
    'empty',
    (folder) => rmSync(join(folder, 'sentences'), { recursive: true }),
    /no folder/,
  ],
  [
    'without a tokenizer',
    (folder) => rmSync(at(folder, 'tokenizer.json')),
    /tokenizer\.json/,
  ],
  [
    'with bad JSON',
    (folder) => writeFileSync(at(folder, 'config.json'), '{'),
    /config\.json/,
  ],
  [
    'without a model',
    (folder) => rmSync(at(folder, 'onnx/model.onnx')),
    /none of the files/,
  ],
  [
    'cut off',
    (folder) => truncateSync(at(folder, 'onnx/model.onnx'), 9_000),
    /cannot be loaded/,
  ],
  ['of a classifier', (folder) => classify(folder), /classifies texts by 3 labels/],
]
const at = (folder: string, file: string) => join(folder, 'sentences', file)
function classify(folder: string): void {
  const config = { architectures: ['BertForSequenceClassification'], num_labels: 3 }
  writeFileSync(at(folder, 'config.json'), JSON.stringify(config))
}

test.each(damages)(
  'does not start with a folder that is %s',
  async (_, damage, reason) => {
    const folder = newFolder()
    writeSentenceModel(join(folder, 'sentences'), small)
    damage(folder)
    const opening = openLocalModels({ folder, memoryMb: 2_048, timeoutMs: 60_000, log })
    await expect(opening).rejects.toThrow(reason)
    await expect(opening).rejects.toThrow(/^BOTSTEAD_LOCAL_MODELS/)
    await vi.waitFor(() => expect(modelProcesses()).toEqual([]))
  },
)

const run = promisify(execFile)
const isolates = await run('bwrap', [
  '--unshare-all',
  '--ro-bind',
  '/',
  '/',
  'true',
]).then(
  () => true,
  () => false,
)

test.runIf(isolates)('runs the process in a namespace without network', async () => {
  await open()
  const routes = readFileSync(`/proc/${modelProcesses().at(-1)}/net/route`, 'latin1')
  expect(routes.trim().split('\n')).toHaveLength(1)
  const { port, end } = await listen()
  const script = `const socket = require('node:net').connect(${port}, '127.0.0.1')
    socket.on('error', ({ code }) => console.log(code))`
  const [program, ...parameters] = withoutNetwork([process.execPath, '-e', script], [])!
  expect((await run(program!, parameters)).stdout).toMatch(/^E/)
  expect(end()).toBe(0)
})

test('denies connections in the process itself', async () => {
  const { port, end } = await listen()
  const attempt = `setTimeout(async () => {
    const attempts = [
      async () => fetch('http://127.0.0.1:${port}'),
      async () => process.getBuiltinModule('node:net').connect(${port}, '127.0.0.1'),
    ]
    const results = await Promise.all(
      attempts.map((one) => one().then(() => 'open', ({ message }) => message)),
    )
    console.log(JSON.stringify(results))
    process.exit()
  }, 500)`
  const preload = `data:text/javascript,${encodeURIComponent(attempt)}`
  const child = built('workers/model-child.js').slice('file://'.length)
  const { stdout } = await run(process.execPath, [
    '--import',
    preload,
    child,
    '1000000000',
  ])
  expect(JSON.parse(stdout)).toEqual(
    Array(2).fill('The process of local models has no network'),
  )
  expect(end()).toBe(0)
})

/** `end` closes the server and returns the number of its connections. */
async function listen() {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = () => {
    server.close()
    return connections
  }
  return { port: (server.address() as AddressInfo).port, end }
}

test('the error of a missing package names the versions that are tested', () => {
  const { dependencies } = JSON.parse(
    readFileSync(
      new URL('../../../../../../tools/models/package.json', import.meta.url),
      'utf8',
    ),
  )
  const names = ['onnxruntime-node', '@huggingface/tokenizers']
  expect(packages).toEqual(names.map((name) => `${name}@${dependencies[name]}`))
})
