// Runs in a worker thread (thread.ts): tenants take turns of some milliseconds, in which a job of
// theirs continues.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '@botstead/contract'
import { type TaskName, tasks } from './tasks.ts'
import { type JobMessage, type JobReply, progress } from './thread.ts'

const turnMs = 5

interface Running {
  id: number
  /** The result, or a generator that returns it. */
  work: unknown
}

const state = workerData as Int32Array
/** By tenant; the next turn is the first tenant's. */
const waiting = new Map<string, JobMessage[]>()
const started = new Map<string, Running>()
let isScheduled = false

// On Linux, the priority is that of this thread; elsewhere, it would be the process's. With nice 5, four
// threads take half of a core from the main thread; with 19, a person who publishes a bot waits for minutes
// while other programs use all cores.
if (process.platform === 'linux') lowerPriority()

function lowerPriority() {
  try {
    state[progress.thread] = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(10)
  } catch {
    // A sandbox may forbid it.
  }
}

type AnyTask = (input: unknown) => unknown
const loaded = new Map<TaskName, AnyTask>()

parentPort!.on('message', async (job: JobMessage) => {
  if (!loaded.has(job.name)) loaded.set(job.name, (await tasks[job.name]()) as AnyTask)
  const jobs = waiting.get(job.tenant)
  if (jobs) jobs.push(job)
  else waiting.set(job.tenant, [job])
  schedule()
})

function schedule() {
  if (isScheduled) return
  isScheduled = true
  setImmediate(takeTurn)
}

function takeTurn() {
  isScheduled = false
  const [first] = waiting
  const [tenant, jobs] = first!
  waiting.delete(tenant)
  state[progress.job] = jobs[0]!.id
  state[progress.turns]!++
  const reply = proceed(tenant, jobs[0]!)
  state[progress.job] = 0
  if (reply) {
    started.delete(tenant)
    jobs.shift()
    parentPort!.postMessage(reply)
  }
  if (jobs.length > 0) waiting.set(tenant, jobs)
  if (waiting.size > 0) schedule()
}

/** Returns null for a job that needs another turn. */
function proceed(tenant: string, job: JobMessage): JobReply | null {
  try {
    const running = started.get(tenant) ?? { id: job.id, work: begin(job) }
    started.set(tenant, running)
    const { work } = running
    if (!isIterator(work)) return { id: job.id, output: work }
    for (const until = performance.now() + turnMs; performance.now() < until; ) {
      const { done, value } = work.next()
      if (done) return { id: job.id, output: value }
    }
    return null
  } catch (error) {
    return { id: job.id, error: toError(error) }
  }
}

const begin = ({ name, input }: JobMessage) => loaded.get(name)!(input)

const isIterator = (work: unknown): work is Iterator<void, unknown> =>
  typeof work === 'object' && work !== null && 'next' in work

function toError(error: unknown) {
  if (error instanceof ApiError)
    return {
      type: error.type,
      message: error.message,
      ...(error.metadata && { metadata: error.metadata }),
    }
  return {
    type: null,
    message: error instanceof Error ? (error.stack ?? error.message) : '',
  }
}
