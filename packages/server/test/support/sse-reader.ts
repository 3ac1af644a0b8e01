// A listener that reads the stream's bytes, can disconnect at any byte, and continues after the
// last complete id.
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http'

export interface SseFrame {
  /** Null for signals that are not stored. */
  id: string | null
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests read single fields of signals
  data: any
}

export interface SseReader {
  /** In the order received, over all connections. */
  frames: SseFrame[]
  pings: number
  comments: number
  /** The id of the last complete frame; empty before the first. */
  lastId: string
  connections: number
  /** Closes the connection. */
  cut(): void
  /** Opens a connection after `lastId`. Resolves with the status when the headers arrive. */
  open(): Promise<number>
  /** Resolves when the connection ends, on either side. */
  ended(): Promise<void>
  /** Pauses and resumes reading. */
  hold(): void
  release(): void
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

/** `credentials` is a user key, or the headers of another API. */
export function openSseReader(
  url: () => string,
  credentials: string | Record<string, string>,
  lastId = '',
): SseReader {
  let request: ClientRequest | null = null
  let response: IncomingMessage | null = null
  let ended: Promise<void> = Promise.resolve()

  const reader: SseReader = {
    frames: [],
    pings: 0,
    comments: 0,
    lastId,
    connections: 0,
    cut: () => request?.destroy(),
    ended: () => ended,
    hold: () => void response?.pause(),
    release: () => void response?.resume(),
    open() {
      reader.connections++
      let rest = ''
      let hasEnded = () => {}
      ended = new Promise((resolve) => {
        hasEnded = resolve
      })
      return new Promise((resolve, reject) => {
        const headers = {
          ...(typeof credentials === 'string'
            ? { 'x-user-key': credentials }
            : credentials),
          ...(reader.lastId && { 'last-event-id': reader.lastId }),
        }
        request = get(url(), { headers, agent }, (got) => {
          response = got
          got.setEncoding('utf8')
          got.on('data', (chunk: string) => {
            const parts = (rest + chunk).split('\n\n')
            rest = parts.pop()!
            for (const part of parts) take(reader, part)
          })
          got.on('error', hasEnded)
          got.on('close', hasEnded)
          resolve(got.statusCode ?? 0)
        })
        request.on('error', (error) => {
          hasEnded()
          reject(error)
        })
      })
    },
  }
  return reader
}

function take(reader: SseReader, text: string) {
  if (text.startsWith(':')) {
    reader.comments++
    return
  }
  const fields = new Map(
    text
      .split('\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
  const data = fields.get('data') ?? ''
  if (data === 'ping') {
    reader.pings++
    return
  }
  const id = fields.get('id') ?? null
  reader.frames.push({ id, ...JSON.parse(data) })
  if (id !== null) reader.lastId = id
}
