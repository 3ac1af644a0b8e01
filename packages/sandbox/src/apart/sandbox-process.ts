// The sandbox of `npm run dev`: in a separate process, so that the processes of hosted code survive the
// servers that follow each other there (scripts/dev/). One server at a time uses it, through
// remote-sandbox.ts; its code, environment and API are asked of that one. Ends with its parent.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { parseReach, Stoppable } from '@botstead/lib'
import { Pieces } from '../invocation/pieces.ts'
import { createSandbox } from '../runner/pool.ts'
import type { HandlerRequest } from '../sandbox.ts'
import { RemoteCalls } from './remote-calls.ts'
import type { SandboxFunctions, SentRequest, ServerFunctions } from './remote-sandbox.ts'

const statsMs = 250

const folder = mkdtempSync(join(tmpdir(), 'botstead-dev-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// A terminal sends SIGINT to all processes. The server stops first.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())

/** Of the current server. */
let apiUrls: string[] = []
/** Where the current server accepts connections of hosted code to its API. */
let socketPath = ''
let servers = 0
const running = new Map<string, { key: string; stop: Stoppable }>()

/** The server reports wrong settings, and ends. */
const reach = parseReach(process.env.BOTSTEAD_BOT_NETWORK || 'public') ?? process.exit()
const minTier = process.env.BOTSTEAD_SANDBOX_MIN_TIER === '2' ? 2 : 1
const opening = createSandbox({
  onLog: (key, line) => server.notify('onLog', key, line),
  onTrouble: (key, how, message) => server.notify('onTrouble', key, how, message),
  minTier,
  isTuned: process.env.BOTSTEAD_BOT_TUNING !== 'off',
  egress: { apiUrls: () => apiUrls, serve: passOn, reach },
})

const functions: SandboxFunctions = {
  async open() {
    const sandbox = await opening
    await endInvocations()
    servers += 1
    socketPath = join(folder, String(servers))
    return { stats: sandbox.stats(), socketPath }
  },
  async invoke({ id, unit: { environment, ...unit }, request, options, ...sent }) {
    const sandbox = await opening
    const stop = new Stoppable()
    apiUrls = sent.apiUrls
    running.set(id, { key: unit.key, stop })
    const load = () => server.call('load', id)
    try {
      return await sandbox.invoke(
        { ...unit, load, environment: async () => environment },
        toRequest(request),
        { ...options, stop },
      )
    } finally {
      running.delete(id)
    }
  },
  endInvocations,
  cancel: (id) => running.get(id)?.stop.stop(),
  tryOut: async (trial) => (await opening).tryOut(trial),
  stop: async (key) => (await opening).stop(key),
  async listKeys() {
    const keys: string[] = []
    const note = (key: string) => keys.push(key) === 0
    await (await opening).stopAll(note)
    return keys
  },
}

async function endInvocations(): Promise<void> {
  const sandbox = await opening
  server.rejectAll(new Error('The server has ended'))
  for (const { key } of running.values()) void sandbox.stop(key, 0)
}

const server = new RemoteCalls<ServerFunctions>(
  {
    send: (message) => process.connected && process.send!(message, () => {}),
    onMessage: (receive) => process.on('message', receive),
  },
  functions,
)
server.notify('onStarted')
let lastStats = ''
setInterval(async () => {
  const stats = (await opening).stats()
  if (JSON.stringify(stats) === lastStats) return
  lastStats = JSON.stringify(stats)
  server.notify('onStats', stats)
}, statsMs).unref()

function toRequest({ pieces, ...request }: SentRequest): HandlerRequest {
  return pieces
    ? { ...request, pieces: new Pieces(0, () => pieces.map(toBuffer)) }
    : request
}

const toBuffer = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Passes a connection of hosted code on to the server, which first confirms the name of the process. */
function passOn(socket: Socket, processName: string): void {
  socket.pause()
  const there = connect({ path: socketPath, allowHalfOpen: true })
  there.on('error', () => socket.destroy())
  socket.on('close', () => there.destroy())
  there.write(`${processName}\n`)
  there.once('data', () => {
    pipeline(socket, there, () => {})
    pipeline(there, socket, () => {})
  })
}
