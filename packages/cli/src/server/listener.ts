// Receives the signals of one conversation, or notes of changes in a workspace, over server-sent
// events. Reconnects with the id of the last one.
import { setTimeout as pause } from 'node:timers/promises'
import { type CallOptions, RequestError, readEvents } from '@botstead/client'

interface ListenOptions<Signal> {
  open: (options: CallOptions) => Promise<Response>
  onSignal: (signal: Signal) => void
  onState: (state: ConnectionState) => void
}

/** `ended`: the object was deleted or access was revoked; the listener does not retry. */
export type ConnectionState = 'online' | 'offline' | 'ended'

/**
 * Resolves when the first stream is open; rejects as the client does. Reconnects after
 * interruptions.
 */
export async function listen<Signal = { type: string; data: Record<string, unknown> }>({
  open,
  onSignal,
  onState,
}: ListenOptions<Signal>): Promise<{ close: () => void }> {
  const ended = new AbortController()
  let lastEventId = ''
  const connect = () =>
    open({
      signal: ended.signal,
      headers: lastEventId === '' ? {} : { 'last-event-id': lastEventId },
    })
  let response = await connect()

  async function read() {
    for await (const { id, data } of readEvents(response)) {
      lastEventId = id || lastEventId
      if (data.startsWith('{')) onSignal(JSON.parse(data))
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
      await pause(Math.min(5_000, 300 * 2 ** attempt), undefined, {
        signal: ended.signal,
      }).catch(() => {})
      try {
        response = await connect()
        return onState('online')
      } catch (error) {
        if (!(error instanceof RequestError) || ![401, 403, 404].includes(error.status))
          continue
        onState('ended')
        return ended.abort()
      }
    }
  }

  void follow()
  return { close: () => ended.abort() }
}
