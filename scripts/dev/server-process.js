// Replaces the process of the server by one with newer code.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../build/files.js'
import { SandboxProcess } from './sandbox-process.js'

const script = join(root, 'scripts/dev/server.js')

export class ServerProcess {
  #child = null
  #viteUrl
  #documentation
  #isFirst = true
  #sandbox = new SandboxProcess((message) => this.#send({ sandbox: message }))

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
    const execArgv = ['--max-semi-space-size=32']
    const next = fork(script, { execArgv, env, serialization: 'advanced' })
    if (!(await isReported(next, 'loaded'))) return false
    await this.#kill()
    this.#child = next
    this.#sandbox.update()
    next.on('message', (/** @type {{ sandbox?: object }} */ { sandbox }) => {
      if (sandbox && this.#child === next) this.#sandbox.send(sandbox)
    })
    this.#send({ documentation: this.#documentation() })
    this.#send({ go: { viteUrl: this.#viteUrl, isFirst: this.#isFirst } })
    const isRunning = await isReported(next, 'running')
    if (isRunning) {
      this.#isFirst = false
      next.once('exit', (code) => this.#child === next && this.#end(code))
    } else this.#child = null
    return isRunning
  }

  /** The server has ended by itself. */
  #end(code) {
    this.#sandbox.endInvocations()
    this.onEnd(code)
  }

  get isRunning() {
    return this.#child !== null && this.#child.exitCode === null
  }

  /** Sends the current state of the documentation's build. */
  update() {
    this.#send({ documentation: this.#documentation() })
  }

  /** Stops the server as Ctrl+C does, then the hosted bots. */
  async stop() {
    await this.#stopServer()
    this.#sandbox.stop()
  }

  async #stopServer() {
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  #send(message) {
    if (this.#child?.connected) this.#child.send(message)
  }

  /** Leaves database and hosted bots running, which the next server takes over. */
  async #kill() {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    this.#sandbox.endInvocations()
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
