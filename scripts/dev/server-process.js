// Replaces the process of the server by one with newer code.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../build/files.js'

const script = join(root, 'scripts/dev/server.js')

export class ServerProcess {
  #child = null
  #viteUrl
  #documentation
  #isFirst = true

  /** `onEnd` is called with the exit code when the server ends by itself. */
  constructor({ viteUrl, documentation, onEnd }) {
    this.#viteUrl = viteUrl
    this.#documentation = documentation
    this.onEnd = onEnd
  }

  /**
   * Starts a server with the present code and ends the previous one. Returns false if the code does not load,
   * which leaves the previous one running, or if the new one does not start. It has printed the error.
   */
  async replace() {
    // A response that breaks the contract fails, as in tests.
    const env = { BOTSTEAD_CHECK_ANSWERS: '1', ...process.env }
    const next = fork(script, { execArgv: ['--max-semi-space-size=32'], env })
    if (!(await isReported(next, 'loaded'))) return false
    await this.#kill()
    this.#child = next
    this.#send({ documentation: this.#documentation() })
    this.#send({ go: { viteUrl: this.#viteUrl, isFirst: this.#isFirst } })
    const isRunning = await isReported(next, 'running')
    if (isRunning) {
      this.#isFirst = false
      next.once('exit', (code) => this.#child === next && this.onEnd(code))
    } else this.#child = null
    return isRunning
  }

  get isRunning() {
    return this.#child !== null && this.#child.exitCode === null
  }

  /** Sends the current state of the documentation's build. */
  update() {
    this.#send({ documentation: this.#documentation() })
  }

  /** Stops the server as Ctrl+C does. */
  async stop(signal) {
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // A terminal sends SIGINT to all processes.
    if (signal !== 'SIGINT') child.kill('SIGTERM')
    await ended
  }

  #send(message) {
    if (this.#child?.connected) this.#child.send(message)
  }

  /** Leaves the database running, which the next server takes over: a stop of both takes seconds. */
  async #kill() {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}

/** Waits for the message; returns false if the process ends before. */
function isReported(child, expected) {
  return new Promise((resolve) => {
    child.on('message', (message) => message === expected && resolve(true))
    child.once('exit', () => resolve(false))
    child.once('error', () => resolve(false))
  })
}
