// `npm run lab -- <experiment>`: breaks real servers while people talk to bots, and checks what
// docs/reliability-lab.md promises. Prints one line of JSON. Exit codes: 0 every promise was kept,
// 1 one was broken or the run failed, 2 a program is missing or the command line is wrong.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { progress } from '../report.ts'
import { runChannels } from './channels.ts'
import { openDisk } from './disk.ts'
import { openFailover } from './failover.ts'
import { closeConnections } from './http.ts'
import { openKills } from './kills.ts'
import { openPatroni } from './patroni.ts'
import { Missing } from './programs.ts'
import { createRandom } from './random.ts'
import { type Plan, runExperiment } from './run.ts'
import type { OpenStage } from './stage.ts'
import { openSteady } from './steady.ts'
import { openClock, openPause, openRolling } from './two-servers.ts'

const stages: Record<string, OpenStage> = {
  kills: openKills,
  pause: openPause,
  disk: openDisk,
  clock: openClock,
  rolling: openRolling,
  failover: openFailover,
  patroni: openPatroni,
  steady: openSteady,
}
const experiments = [...Object.keys(stages), 'channels']

const usage = `npm run lab -- ${experiments.join(' | ')} [options]
  --seed <number>     repeats the order and the pauses of a run
  --minutes <number>  how long the experiment lasts; default 1
  --rate <number>     messages per second; default 80 for each core; channels: 60
  --from <folder>     rolling: upgrades from the version in this folder
  --data <folder>     rolling: begins with the recorded installation in this folder
`

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string' },
    from: { type: 'string' },
    data: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const [name = '', ...rest] = positionals
const numbers = [options.seed ?? '1', options.minutes, options.rate ?? '1'].map(Number)
const isUsable =
  experiments.includes(name) &&
  rest.length === 0 &&
  numbers.every((n) => n > 0) &&
  ((options.from ?? options.data) === undefined || name === 'rolling')

if (options.help) process.stdout.write(usage)
else if (isUsable) await main()
else {
  process.stderr.write(usage)
  process.exitCode = 2
}

async function main() {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 1_000_000))
  const folder = await mkdtemp(join(tmpdir(), 'botstead-lab-'))
  // PostgreSQL's user needs to reach its folder.
  await chmod(folder, 0o711)
  progress(`${name}, seed ${seed}`)
  try {
    const kept = await run(folder, {
      name,
      seed,
      minutes: Number(options.minutes),
      ...(options.rate && { rate: Number(options.rate) }),
    })
    if (!kept) process.exitCode = 1
  } catch (error) {
    process.exitCode = error instanceof Missing ? 2 : 1
    progress(error instanceof Missing ? error.message : String((error as Error).stack))
  } finally {
    await closeConnections()
    if (process.exitCode === 1) progress(`The logs of the servers are in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

/** Returns whether every promise was kept. */
async function run(folder: string, plan: Plan): Promise<boolean> {
  const openStage = stages[plan.name]
  if (!openStage) return runChannels(folder, plan)
  const stage = await openStage(folder, createRandom(plan.seed + 1_000), options)
  return runExperiment(stage, plan).finally(() => stage.close())
}
