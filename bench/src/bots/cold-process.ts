// Cost of isolation in each tier of this machine: start of a process with an SDK bot, and its
// memory while idle.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { descendants } from '@botstead/lib'
import {
  availableIsolations,
  getTier,
  type Tier,
} from '../../../packages/sandbox/dist/isolation.js'
import {
  type FoundLauncher,
  findLauncher,
  type LaunchOptions,
} from '../../../packages/sandbox/dist/launch.js'
import { createSandbox } from '../../../packages/sandbox/dist/runner/pool.js'
import { digits, median, printTable, progress, spread } from '../report.ts'

const megabyte = 1_048_576
const call = { method: 'POST', path: '/', query: '', body: '{}' }
const ping = {
  'x-bot-id': 'bot',
  'x-bp-operation': 'ping',
  'x-bp-type': 'ping',
  'x-bp-configuration': 'e30=',
}

export async function measureColdProcess(rounds: number) {
  progress('cold processes')
  const code = await readFile(
    fileURLToPath(new URL('../../../examples/echo-bot/dist/bot.cjs', import.meta.url)),
    'utf8',
  )
  const tiers = [...new Set(availableIsolations().map(getTier))].sort()
  const measured = []
  for (const tier of tiers)
    measured.push({ tier, ...(await measureTier(tier, code, rounds)) })
  printTable(
    'Process of an SDK bot',
    [
      '',
      'first answer, ms, median (range)',
      'target',
      'MB each, idle',
      'target',
      'API request of the bot, ms',
    ],
    measured.map(({ tier, starts, idleBytes, callMs }) => [
      `tier ${tier}`,
      spread(starts),
      '≤ 200',
      digits(idleBytes / megabyte),
      '≤ 40',
      digits(callMs),
    ]),
    [
      'The server keeps a spare process, so the first answer only loads the code of the bot.',
    ],
  )
}

async function measureTier(tier: Tier, code: string, rounds: number) {
  const others = new Set(descendants(process.pid))
  const api = createServer((_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const sandbox = await createSandbox({
    onLog: () => {},
    find: (options: LaunchOptions): Promise<FoundLauncher> =>
      findLauncher({ ...options, minTier: tier, maxTier: tier }),
    egress: {
      apiUrls: () => [apiUrl],
      serve: (socket) => api.emit('connection', socket),
      reach: () => false,
    },
  })
  const ask = (key: string, text: string, headers: Record<string, string> = {}) => {
    const unit = {
      key,
      version: '1',
      load: async () => Buffer.from(text),
      environment: async () => ({ BP_API_URL: apiUrl }),
      memoryMb: 256,
    }
    return sandbox.invoke(unit, { ...call, headers }, { timeoutMs: 30_000, cause: null })
  }
  const { body } = await ask('caller', callingBack)
  const starts: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await pause(500)
    const from = performance.now()
    await ask(`bot_${round}`, code, ping)
    starts.push(performance.now() - from)
  }
  const bytes = await Promise.all(
    descendants(process.pid)
      .filter((pid) => !others.has(pid))
      .map(ownBytes),
  )
  // Includes the spare process.
  const idleBytes =
    bytes.reduce((sum, one) => sum + one, 0) / (sandbox.stats().processes + 1)
  await sandbox.close(0)
  api.closeAllConnections()
  api.close()
  return { starts, idleBytes, callMs: median(JSON.parse(body) as number[]) }
}

/** Returns the proportional set size in bytes: private memory and a share of shared memory. */
async function ownBytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return 1024 * Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
}

const callingBack = `
  const http = require('http'), agent = new http.Agent({ keepAlive: true }), times = []
  const once = () => new Promise((yes, no) => {
    const request = http.request(process.env.BP_API_URL, { method: 'POST', agent })
    request.on('response', (reply) => reply.resume().on('end', yes)).on('error', no).end('{}')
  })
  exports.handler = async () => {
    for (let i = 0; i < 300; i++) {
      const from = performance.now()
      await once()
      times.push(performance.now() - from)
    }
    return { body: JSON.stringify(times) }
  }`
