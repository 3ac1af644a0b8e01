// A NATS server on loopback, for tests of several servers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer, connect as openSocket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface NatsServer {
  /** Without credentials. */
  url: string
  start(): Promise<void>
  /** Kills it, so that it loses what it has not sent. */
  kill(): Promise<void>
}

/** Debian's folder for it, which ordinary users may not have in their path. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
export const hasNats = !spawnSync('nats-server', ['--version'], { env, stdio: 'ignore' })
  .error
export const noNats = 'needs NATS: install the package nats-server'

/** Does not start it. `options` are those of the command line. */
export async function createNatsServer(options: string[] = []): Promise<NatsServer> {
  const port = await findFreePort()
  let child: ChildProcess | null = null
  return {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      const args = ['-a', '127.0.0.1', '-p', String(port), ...options]
      child = spawn('nats-server', args, { env, stdio: 'ignore' })
      const failed = new Promise<never>((_, reject) => {
        child!.once('error', reject)
        child!.once('exit', (code) =>
          reject(new Error(`nats-server exited with ${code}`)),
        )
      })
      failed.catch(() => {})
      await Promise.race([waitForPort(port), failed])
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null || !child.pid)
        return
      const ended = new Promise((resolve) => child!.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * Returns a port below those that systems give to outgoing connections: a connection of another
 * process could take one of these before the server listens.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

async function waitForPort(port: number) {
  for (let tries = 0; tries < 400; tries++) {
    if (await isOpen(port)) return
    await pause(25)
  }
  throw new Error('nats-server did not start')
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = openSocket(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
