// Receives the signals of one conversation over server-sent events. Reconnects with the id of the
// last signal.
import { setTimeout as pause } from 'node:timers/promises'
import { CliError } from './failure.ts'

interface ListenOptions {
  url: string
  userKey: string
  onSignal: (signal: { type: string; data: Record<string, unknown> }) => void
  onState: (state: ConnectionState) => void
}

/** `ended`: the conversation was deleted or access was revoked; the listener does not retry. */
export type ConnectionState = 'online' | 'offline' | 'ended'

/**
 * Resolves when the first stream is open; throws Failure if the server rejects it. Reconnects after
 * interruptions.
 */
export async function listen({
  url,
  userKey,
  onSignal,
  onState,
}: ListenOptions): Promise<{ close: () => void }> {
  const ended = new AbortController()
  let lastEventId = ''
  let body = await open()

  async function open() {
    const headers = {
      accept: 'text/event-stream',
      'x-user-key': userKey,
      ...(lastEventId && { 'last-event-id': lastEventId }),
    }
    const response = await fetch(url, { headers, signal: ended.signal })
    if (!response.ok || !response.body)
      throw Object.assign(
        new CliError(`the server rejected the event stream with status ${response.status}`),
        {
          status: response.status,
        },
      )
    return response.body
  }

  async function read() {
    let frame = { id: lastEventId, data: '' }
    for await (const line of linesOf(body)) {
      if (line.startsWith('id:')) frame.id = line.slice(3).trim()
      else if (line.startsWith('data:')) frame.data += line.slice(5).trim()
      else if (line === '') {
        lastEventId = frame.id
        if (frame.data.startsWith('{')) onSignal(JSON.parse(frame.data))
        frame = { id: lastEventId, data: '' }
      }
    }
  }

  async function follow() {
    while (!ended.signal.aborted) {
      await read().catch(() => {})
      if (ended.signal.aborted) return
      onState('offline')
      await reopen()
    }
  }

  async function reopen() {
    for (let attempt = 0; !ended.signal.aborted; attempt++) {
      await pause(Math.min(5_000, 300 * 2 ** attempt), undefined, { signal: ended.signal }).catch(
        () => {},
      )
      const stream = await open().catch((error: { status?: number }) => error)
      if (stream instanceof ReadableStream) {
        body = stream
        return onState('online')
      }
      if ([401, 403, 404].includes(stream.status ?? 0)) {
        onState('ended')
        return ended.abort()
      }
    }
  }

  void follow()
  return { close: () => ended.abort() }
}

async function* linesOf(body: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield line.replace(/\r$/, '')
  }
}
