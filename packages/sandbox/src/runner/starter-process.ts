// The small process that starts others (starter.ts).
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { killGroup, startProcess } from './start-process.ts'
import type { StarterReply, StarterRequest } from './starter.ts'

type Start = Extract<StarterRequest, { type: 'start' }>

const waiting: Start[] = []
const connections: Socket[] = []
const started = new Map<number, ChildProcess>()
/** Killed before they started. */
const cancelled = new Map<number, NodeJS.Signals>()
const path = process.argv[2]!

process.on('disconnect', () => process.exit())
process.on('exit', () => rmSync(dirname(path), { recursive: true, force: true }))
process.on('message', (request: StarterRequest) => {
  if (request.type === 'start') {
    waiting.push(request)
    startNext()
    return
  }
  const pid = started.get(request.id)?.pid
  if (pid) killGroup(pid, request.signal)
  else if (waiting.some(({ id }) => id === request.id))
    cancelled.set(request.id, request.signal)
})

// Paused, because the started process reads from the connection.
createServer({ pauseOnConnect: true }, (connection) => {
  connection.on('error', () => {})
  connections.push(connection)
  startNext()
}).listen(path, () => send({ type: 'listening' }))

/** Ends if the server has ended, also before this process could listen. */
function send(reply: StarterReply): void {
  if (!process.connected) process.exit()
  process.send!(reply, (error: Error | null) => error && process.exit())
}

function startNext(): void {
  const [next] = waiting
  if (!next || connections.length < next.pipes) return
  waiting.shift()
  start(next, connections.splice(0, next.pipes))
  startNext()
}

function start({ id, ...request }: Start, pipes: Socket[]): void {
  try {
    follow(id, startProcess(request, pipes))
  } catch (error) {
    // Without memory, for example. The processes that run continue.
    send({ type: 'failed', id, message: (error as Error).message })
  }
  for (const pipe of pipes) pipe.destroy()
  cancelled.delete(id)
}

function follow(id: number, child: ChildProcess): void {
  if (child.pid) {
    started.set(id, child)
    send({ type: 'started', id, pid: child.pid })
    const signal = cancelled.get(id)
    if (signal) killGroup(child.pid, signal)
  }
  child.on('error', ({ message }) => {
    if (!child.pid) send({ type: 'failed', id, message })
  })
  child.on('exit', (exitCode, signal) => {
    started.delete(id)
    send({ type: 'exited', id, exitCode, signal })
  })
}
