// `npm run lab -- channels`: people write to a bot in Telegram, whose stand-in runs in this process, while
// SIGKILL ends one of two servers every 20 seconds. Prints one line of JSON, like the other experiments.
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deployBot } from '../botstead-server.ts'
import { atRate, installTelegram } from '../channels/channels.ts'
import { type ChatMessage, Telegram } from '../channels/telegram.ts'
import { auditChannel, type Kill } from './audits/channel-audit.ts'
import type { Cluster } from './cluster.ts'
import { Faults } from './faults.ts'
import { createRandom, type Random } from './random.ts'
import { comeToRest, countDeadLetters, type Plan } from './run.ts'
import type { LabServer } from './servers.ts'
import { openPair } from './two-servers.ts'

const token = '1:lab'
const chats = 50
const usualRate = 60
/** From one kill to the next, about 20 seconds with the start of the server. */
const pauseMs: [number, number] = [14_000, 18_000]
/** A killed server begins again after so long at most. */
const awayMs = 2_000
const firstPollMs = 10_000

interface Scene {
  telegram: Telegram
  cluster: Cluster
  servers: LabServer[]
  kills: Kill[]
}

/** Returns whether every promise was kept. */
export async function runChannels(folder: string, plan: Plan): Promise<boolean> {
  const telegram = new Telegram()
  await telegram.open()
  const { cluster, servers, close } = await openPair(folder)
  try {
    const scene = { telegram, cluster, servers, kills: [] }
    const botId = await installBot(scene)
    const faults = new Faults(createRandom(plan.seed), plan.minutes * 60_000)
    const written = await underLoad(scene, plan, faults)
    const waiting = await comeToRest(scene, () => telegram.sent.length)
    return await report(scene, { plan, botId, faults, written, waiting })
  } finally {
    await telegram.close()
    await close()
  }
}

/** Deploys the bot, and waits until a server receives for it. */
async function installBot({ telegram, servers }: Scene): Promise<string> {
  const file = fileURLToPath(new URL('../../bots/naming-bot.cjs', import.meta.url))
  const { running } = servers[0]!
  const { botId } = await deployBot(running, 'in Telegram', await readFile(file, 'utf8'))
  await installTelegram(running, botId, telegram, token)
  for (
    const until = performance.now() + firstPollMs;
    performance.now() < until;
    await pause(50)
  )
    if (telegram.polledAt.length > 0) return botId
  throw new Error(`No server asked Telegram for messages within ${firstPollMs / 1000} s`)
}

async function underLoad(
  scene: Scene,
  { seed, minutes, rate = usualRate }: Plan,
  faults: Faults,
): Promise<ChatMessage[]> {
  const chance = createRandom(seed + 1)
  const written: ChatMessage[] = []
  const write = () =>
    void written.push(
      scene.telegram.write(token, 1 + Math.floor(chance.between(0, chats))),
    )
  const kinds = {
    'kill receiving server': {
      outage: true,
      run: () => kill(scene, true, faults.chance),
    },
    'kill other server': { outage: true, run: () => kill(scene, false, faults.chance) },
  }
  await Promise.all([atRate(rate, minutes * 60, write), faults.inject(kinds, pauseMs)])
  return written
}

/** Kills the server that has the connection to Telegram, or the other one, and starts it again. */
async function kill(
  { cluster, servers, kills }: Scene,
  isReceiving: boolean,
  chance: Random,
) {
  const query = 'select w.pid from connector c join worker w on w.id = c.worker'
  const [receiver] = (await cluster.query(query, 'botstead')) as { pid: number }[]
  const victim =
    servers.find(({ pid }) => (pid === receiver?.pid) === isReceiving) ?? servers[0]!
  const from = performance.now()
  await victim.end('SIGKILL')
  kills.push({ from, to: performance.now() })
  await pause(chance.between(0, awayMs))
  await victim.start()
}

interface Outcome {
  plan: Plan
  botId: string
  faults: Faults
  written: ChatMessage[]
  waiting: number
}

async function report(scene: Scene, { plan, botId, faults, written, waiting }: Outcome) {
  const { telegram, kills } = scene
  const { sent, polledAt, conflicts } = telegram
  const found = auditChannel({ written, sent, polledAt, kills })
  const promises = {
    ...found.promises,
    conflicts,
    waiting,
    deadLetters: await countDeadLetters(scene, [{ botId }]),
  }
  // A run without messages or kills shows nothing.
  const isKept =
    written.length > 0 &&
    kills.length > 0 &&
    Object.values(promises).every((n) => n === 0)
  const { name: experiment, seed, minutes } = plan
  const counts = { messages: written.length, faults: kills.length, ...faults.counts }
  const line = {
    experiment,
    seed,
    minutes,
    isKept,
    ...counts,
    ...promises,
    ...found.measurements,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return isKept
}
