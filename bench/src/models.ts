// The model gateway: `node bench/dist/models.js [--portkey <folder>] [--streams <count>] [--ends]`.
// Measures the latency and CPU that the gateway adds to a call, beside a direct call and
// @portkey-ai/gateway in the same run, and the memory of the server with many streams. A separate
// process stands in for the provider.

import { setMaxListeners } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Agent, type Dispatcher } from 'undici'
import { installForRun } from './baselines/installed.ts'
import { firstBot, type RunningServer, startServer } from './botstead-server.ts'
import {
  cpuMs,
  listDescendants,
  type RunningProgram,
  residentKb,
  startProgram,
} from './processes.ts'
import {
  digits,
  median,
  note,
  printTable,
  progress,
  quantile,
  shuffled,
} from './report.ts'

const { values: options } = parseArgs({
  options: {
    'stand-in': { type: 'boolean', default: false },
    portkey: { type: 'string' },
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '200' },
    /** Measures only how soon a request of the provider ends after its client has disconnected. */
    ends: { type: 'boolean', default: false },
  },
})

const toChunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stand-in',
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  })}\n\n`

const usage = { prompt_tokens: 20, completion_tokens: 12, total_tokens: 32 }
const completion = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'stand-in',
  usage,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'An answer of some length, as models write them.',
      },
      finish_reason: 'stop',
    },
  ],
})

/** In milliseconds, for all processes of this machine. */
const now = () => performance.timeOrigin + performance.now()

/**
 * Streams send a word twice per second for as long as the client reads. GET returns when the last
 * one ended.
 */
function standIn() {
  let endedAt = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(String(endedAt))
    let text = ''
    for await (const part of request) text += part
    if (!JSON.parse(text).stream)
      return void response.setHeader('content-type', 'application/json').end(completion)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write(toChunk({ content: 'word ' })), 500)
    response.on('close', () => {
      endedAt = now()
      clearInterval(timer)
    })
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    process.stdout.write(`http://127.0.0.1:${port}\n`)
  })
}

const streamSeconds = 120

interface Way {
  name: string
  /** The measured process; null for a direct call. */
  pid: number | null
  call: () => Promise<unknown>
}

const agent = new Agent({ connections: 2_000 })
const messages = [{ role: 'user', content: 'Write one sentence about rain in Graz.' }]

async function post(url: string, headers: Record<string, string>, body: object) {
  const { origin, pathname } = new URL(url)
  const answer = await agent.request({
    origin,
    path: pathname,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  } as Dispatcher.RequestOptions)
  const text = await answer.body.text()
  if (answer.statusCode !== 200)
    throw new Error(`${url} answered ${answer.statusCode}: ${text}`)
  return text
}

function listWays(
  upstream: string,
  server: RunningServer,
  portkey: RunningProgram | null,
): Way[] {
  const { url, token } = server.credentials
  const asBot = { authorization: `Bearer ${token}`, 'x-bot-id': firstBot(server).botId }
  const request = { model: 'local:stand-in', messages }
  const { pid } = server.program
  return [
    {
      name: 'direct',
      pid: null,
      call: () => post(`${upstream}/v1/chat/completions`, {}, request),
    },
    {
      name: 'Botstead, /v2/cognitive',
      pid,
      call: () => post(`${url}/v2/cognitive/generate-text`, asBot, request),
    },
    {
      name: 'Botstead, /v1/openai',
      pid,
      call: () => post(`${url}/v1/openai/chat/completions`, asBot, request),
    },
    ...(portkey
      ? [
          {
            name: '@portkey-ai/gateway',
            pid: portkey.pid,
            call: () =>
              post(
                `http://127.0.0.1:${portkeyPort}/v1/chat/completions`,
                portkeyHeaders(upstream),
                {
                  ...request,
                  model: 'stand-in',
                },
              ),
          },
        ]
      : []),
  ]
}

const portkeyPort = 8787
const portkeyHeaders = (upstream: string) => ({
  authorization: 'Bearer none',
  'x-portkey-provider': 'openai',
  'x-portkey-custom-host': `${upstream}/v1`,
})

async function startPortkey(folder: string): Promise<RunningProgram> {
  const script = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const program = await startProgram(
    'portkey',
    [script, `--port=${portkeyPort}`, '--headless'],
    {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost',
      },
      readyLine: false,
    },
  )
  for (let i = 0; i < 100; i++) {
    if (await fetch(`http://127.0.0.1:${portkeyPort}/`).catch(() => null)) return program
    await pause(100)
  }
  throw new Error('portkey did not start')
}

interface Round {
  p50: number
  p99: number
  /** Of the process, and with its children: the server's database. */
  cpu: number
  allCpu: number
}

async function roundOf({ pid, call }: Way, calls: number): Promise<Round> {
  const children = pid === null ? [] : listDescendants(pid).filter((one) => one !== pid)
  const read = () => ({ cpu: cpuMs([pid!], children), allCpu: cpuMs([pid!]) })
  const before = pid === null ? null : read()
  const times: number[] = []
  for (let i = 0; i < calls; i++) {
    const begun = performance.now()
    await call()
    times.push(performance.now() - begun)
  }
  const after = before && read()
  const perCall = (part: 'cpu' | 'allCpu') =>
    before && after ? (after[part] - before[part]) / calls : Number.NaN
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: perCall('cpu'),
    allCpu: perCall('allCpu'),
  }
}

async function measureCalls(ways: Way[]) {
  const calls = Number(options.calls)
  const rounds = new Map<Way, Round[]>(ways.map((way) => [way, []]))
  for (const way of ways) await roundOf(way, 3 * calls)
  for (let i = 0; i < Number(options.rounds); i++) {
    progress(`calls, round ${i + 1}`)
    for (const way of shuffled(ways)) rounds.get(way)!.push(await roundOf(way, calls))
  }
  const of = (way: Way, part: keyof Round) =>
    median(rounds.get(way)!.map((one) => one[part]))
  const [direct] = ways
  printTable(
    'Calls of a model, one after another',
    ['', 'p50 ms', 'added at p50', 'p99 ms', 'CPU ms per call', 'with database'],
    ways.map((way) => [
      way.name,
      digits(of(way, 'p50')),
      way === direct ? '–' : digits(of(way, 'p50') - of(direct!, 'p50')),
      digits(of(way, 'p99')),
      digits(of(way, 'cpu')),
      digits(of(way, 'allCpu')),
    ]),
    [`Medians of ${options.rounds} rounds with ${calls} calls each, in random order.`],
  )
}

/** Ends streams while the provider writes. */
async function measureEnds(upstream: string, server: RunningServer) {
  const { url, token } = server.credentials
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'x-bot-id': firstBot(server).botId,
  }
  const body = JSON.stringify({ model: 'local:stand-in', messages })
  const endOne = async () => {
    const ending = new AbortController()
    const { signal } = ending
    const options = { method: 'POST', headers, body, signal }
    const answer = await fetch(`${url}/v2/cognitive/generate-text-stream`, options)
    await answer.body!.getReader().read()
    const from = now()
    ending.abort()
    for (;;) {
      const endedAt = Number(await (await fetch(upstream)).text())
      if (endedAt > from) return endedAt - from
    }
  }
  const times: number[] = []
  for (let i = 0; i < Number(options.calls); i++) times.push(await endOne())
  printTable(
    'From the end of the client to the end of the request at the provider',
    ['p50 ms', 'p95 ms', 'max ms'],
    [[digits(median(times)), digits(quantile(times, 0.95)), digits(Math.max(...times))]],
    [`${times.length} streams.`],
  )
}

async function measureStreams(server: RunningServer) {
  const count = Number(options.streams)
  const { url, token } = server.credentials
  const { pid } = server.program
  const before = residentKb(pid)
  let received = 0
  const ending = new AbortController()
  const { origin, pathname } = new URL(`${url}/v2/cognitive/generate-text-stream`)
  // The server may have closed idle connections of the other agent.
  const fresh = new Agent()
  const open = async () => {
    const { body, statusCode } = await fresh.request({
      origin,
      path: pathname,
      method: 'POST',
      signal: ending.signal,
      bodyTimeout: 0,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-bot-id': firstBot(server).botId,
      },
      body: JSON.stringify({ model: 'local:stand-in', messages }),
    } as Dispatcher.RequestOptions)
    if (statusCode !== 200) throw new Error(`a stream answered ${statusCode}`)
    body.on('data', () => received++).on('error', () => {})
  }
  setMaxListeners(0, ending.signal)
  for (let opened = 0; opened < count; opened += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, open))
  const sizes: number[] = []
  const begun = { cpu: cpuMs([pid]), received }
  for (let second = 0; second <= streamSeconds; second += 10) {
    sizes.push(residentKb(pid) / 1_024)
    progress(`streams, ${second} s: ${digits(sizes.at(-1)!)} MB, ${received} parts`)
    await pause(10_000)
  }
  const cpuPerPart = (cpuMs([pid]) - begun.cpu) / (received - begun.received)
  ending.abort()
  await fresh.destroy()
  printTable(
    `${count} streams at the same time`,
    ['memory', 'MB'],
    [
      ['before', digits(before / 1_024)],
      ...sizes.map((size, i) => [`after ${i * 10} s`, digits(size)]),
    ],
    [`The streams received ${received} parts, each for ${digits(cpuPerPart)} ms of CPU.`],
  )
}

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-models-'))
  const script = fileURLToPath(import.meta.url)
  const upstream = await startProgram('the stand-in', [script, '--stand-in'], {
    env: process.env,
    readyLine: true,
  })
  const models = join(folder, 'models.json')
  const provider = {
    type: 'openai-compatible',
    url: `${upstream.line}/v1`,
    concurrency: 5_000,
  }
  await writeFile(
    models,
    JSON.stringify({ providers: { local: provider }, models: { 'local:stand-in': {} } }),
  )
  const server = await startServer(join(folder, 'data'), [], { BOTSTEAD_MODELS: models })
  try {
    note(`Node ${process.version}, ${availableParallelism()} cores.`)
    await measureEnds(upstream.line, server)
    if (!options.ends) await measureBeside(upstream.line, server)
  } finally {
    await agent.destroy()
    await server.close()
    await upstream.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureBeside(upstream: string, server: RunningServer) {
  const folder = options.portkey ?? (await installForRun(['@portkey-ai/gateway@1.15.2']))
  const portkey = await startPortkey(folder)
  try {
    await measureCalls(listWays(upstream, server, portkey))
    await measureStreams(server)
  } finally {
    await portkey.stop()
    if (!options.portkey) await rm(folder, { recursive: true, force: true })
  }
}

if (options['stand-in']) standIn()
else await main()
