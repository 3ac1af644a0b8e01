// Carries payloads by NATS core, which delivers at most once: it drops payloads when a connection
// breaks, inside a cluster, and for slow receivers (counted-channel.ts detects that). Connects in
// the background, and retries while NATS is unreachable. NATS may serve other programs as well, so
// payloads are encrypted and authenticated.

import { setTimeout as pause } from 'node:timers/promises'
import { decrypt, encrypt } from '@botstead/lib'
import {
  type ConnectionOptions,
  connect,
  type NatsConnection,
} from '@nats-io/transport-node'
import type { Logger } from 'pino'
import type { Channel, ChannelListeners } from './channel.ts'

interface NatsOptions {
  /** Servers of one cluster; the credentials of the first apply to all. */
  urls: string[]
  subject: string
  /** 32 bytes, shared by the servers of this installation. */
  key: Buffer
  log: Logger
}

const retryMs = 1_000
const closeMs = 1_000
const minPayloadBytes = 8_192
const defaultPort = '4222'

export class NatsChannel implements Channel {
  readonly #options: ConnectionOptions
  readonly #subject: string
  readonly #key: Buffer
  readonly #log: Logger
  #connection: NatsConnection | null = null
  #closed = false

  constructor({ urls, subject, key, log }: NatsOptions) {
    this.#options = toOptions(urls.map((url) => new URL(url)))
    this.#subject = subject
    this.#key = key
    this.#log = log
  }

  get isOpen(): boolean {
    return this.#connection !== null
  }

  async listen(listeners: ChannelListeners): Promise<void> {
    void this.#keepConnected(listeners)
  }

  async #keepConnected(listeners: ChannelListeners): Promise<void> {
    let wasReported = false
    while (!this.#closed) {
      try {
        this.#connection = await this.#connect(listeners)
        if (wasReported) this.#log.warn('connected to NATS')
        wasReported = false
        const error = await this.#connection.closed()
        if (error) throw error
      } catch (error) {
        const { message: reason } = error as Error
        if (!wasReported)
          this.#log.warn({ reason }, 'no connection to NATS: using PostgreSQL')
        wasReported = true
      }
      const wasOpen = this.#connection !== null
      this.#connection = null
      if (wasOpen && !this.#closed) listeners.onLost()
      await pause(retryMs, undefined, { ref: false })
    }
  }

  async #connect({ onPayload }: ChannelListeners): Promise<NatsConnection> {
    const connection = await connect(this.#options)
    try {
      if ((connection.info?.max_payload ?? 0) < minPayloadBytes)
        throw new Error(
          `max_payload of the NATS server must be at least ${minPayloadBytes}`,
        )
      void this.#logErrors(connection)
      connection.subscribe(this.#subject, {
        callback: (error, message) => {
          if (error)
            this.#log.warn({ reason: error.message }, 'the subscription to NATS failed')
          else this.#receive(message.data, onPayload)
        },
      })
      await connection.flush()
    } catch (error) {
      await connection.close()
      throw error
    }
    if (this.#closed) await connection.close()
    return connection
  }

  #receive(data: Uint8Array, onPayload: ChannelListeners['onPayload']): void {
    let payload: string
    try {
      payload = decrypt(this.#key, Buffer.from(data), this.#subject).toString()
    } catch {
      return // not from this installation
    }
    onPayload(payload)
  }

  async #logErrors(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status())
      if (status.type === 'error')
        this.#log.warn({ reason: status.error.message }, 'NATS reported an error')
  }

  async send(payloads: string[]): Promise<void> {
    if (!this.#connection) throw new Error('not connected to NATS')
    for (const payload of payloads)
      this.#connection.publish(
        this.#subject,
        encrypt(this.#key, Buffer.from(payload), this.#subject),
      )
  }

  /** Sends buffered payloads first. */
  async close(): Promise<void> {
    this.#closed = true
    const connection = this.#connection
    if (!connection) return
    await Promise.race([connection.drain(), pause(closeMs)]).catch(() => {})
    await connection.close()
  }
}

/** The client takes neither credentials nor TLS from a URL. */
function toOptions(urls: URL[]): ConnectionOptions {
  const { username, password } = urls[0]!
  const user = decodeURIComponent(username)
  const pass = decodeURIComponent(password)
  return {
    name: 'botstead',
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
    ...(pass ? { user, pass } : user && { token: user }),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    noEcho: true,
    timeout: 5_000,
    pingInterval: 5_000,
    // `#keepConnected` reconnects, also after errors that make the client give up.
    reconnect: false,
  }
}
