// Runs the code of hosted bots in a process beside the server, so that it survives the server's replacement.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/files.js'

const dist = join(root, 'packages/sandbox/dist')
const program = join(dist, 'development/sandbox-process.js')
const files = [program, join(dist, 'bot-host/bot-host.js')]

/** A process that ends earlier would end again. */
const soonMs = 5_000

export class SandboxProcess {
  #child = null
  #code = ''
  #receive

  /** `receive` is called with its messages to the server. */
  constructor(receive) {
    this.#receive = receive
  }

  /** Starts it, or replaces it if its code has changed: hosted bots then start again. */
  update() {
    const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    if (this.#child && code === this.#code) return
    this.#code = code
    this.stop()
    this.#start()
  }

  send(message) {
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  /** Must be called when the server has ended: ends the bots that work for it. The others keep running. */
  endInvocations() {
    this.send({ type: 'call', id: null, name: 'endInvocations', parameters: [] })
  }

  /** Ends it with all hosted bots. */
  stop() {
    const child = this.#child
    this.#child = null
    if (child?.connected) child.disconnect()
  }

  #start() {
    const child = fork(program, { execArgv: [], serialization: 'advanced' })
    const startedAt = performance.now()
    this.#child = child
    child.on('message', (message) => this.#child === child && this.#receive(message))
    child.on('error', () => {})
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return
      this.#child = null
      if (code === 0) return
      console.error(`The process of the hosted bots ended with ${code ?? signal}.`)
      if (performance.now() - startedAt > soonMs) this.#start()
    })
  }
}
