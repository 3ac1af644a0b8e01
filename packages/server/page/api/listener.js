// Receives one conversation's signals as server-sent events. Reconnects with the id of the last
// signal after the stream ends, falls silent or fails temporarily. Uses fetch, because EventSource
// cannot send the user key header.
import { Refusal, toFailure } from './chat-api.js'
import { openPauses } from './retry.js'

// The server writes to the stream every three seconds; silence means that the connection is lost.
// The page shows that within five seconds, also while a reconnection waits for an answer.
const SILENCE = 4_500
const STEADY = 5_000

/**
 * Calls `onOpen` each time a stream opens, `onSignal` for each signal, `onState` with 'connecting',
 * 'online' or 'offline', and `onRefused` once, after an error that a retry cannot fix.
 */
export function listen({ url, userKey, onOpen, onSignal, onState, onRefused }) {
  const pauses = openPauses()
  let isSilent = false
  let lastEventId = ''
  let closed = false
  let stream = new AbortController()
  // Counts from the last byte, whichever stream it came from.
  const silence = openWatchdog(SILENCE, () => {
    isSilent = true
    onState('offline')
  })

  async function follow() {
    stream = new AbortController()
    const watchdog = openWatchdog(SILENCE, () => stream.abort())
    const noteByte = () => {
      silence.feed()
      watchdog.feed()
    }
    let steady
    try {
      const response = await openStream({
        url,
        userKey,
        lastEventId,
        signal: stream.signal,
      })
      steady = setTimeout(() => pauses.reset(), STEADY)
      isSilent = false
      noteByte()
      onState('online')
      onOpen()
      await readFrames(response.body, noteByte, (frame) => {
        if (frame.id !== undefined) lastEventId = frame.id
        const signal = parseSignal(frame.data)
        if (signal && !closed) onSignal(signal)
      })
    } finally {
      clearTimeout(steady)
      watchdog.stop()
    }
  }

  /** Retries or reports errors instead of rejecting. */
  async function run() {
    while (!closed) {
      const failure = await follow().catch((error) => error)
      if (closed) return
      if (failure instanceof Refusal) {
        silence.stop()
        return onRefused(failure)
      }
      const isBrief = pauses.attempt === 0 && !isSilent && navigator.onLine
      onState(isBrief ? 'connecting' : 'offline')
      await pauses.next()
    }
  }

  // Else the stream would end only after a silence.
  const lose = () => stream.abort()
  addEventListener('offline', lose)
  onState('connecting')
  void run()
  return {
    tryNow: () => pauses.now(),
    close() {
      closed = true
      silence.stop()
      removeEventListener('offline', lose)
      stream.abort()
      pauses.now()
    },
  }
}

async function openStream({ url, userKey, lastEventId, signal }) {
  const headers = {
    accept: 'text/event-stream',
    'x-user-key': userKey,
    ...(lastEventId && { 'last-event-id': lastEventId }),
  }
  const response = await fetch(url, { headers, cache: 'no-store', signal })
  if (response.ok) return response
  throw toFailure(response.status, (await response.json().catch(() => null))?.message)
}

function openWatchdog(timeout, onTimeout) {
  let timer = setTimeout(onTimeout, timeout)
  return {
    feed() {
      clearTimeout(timer)
      timer = setTimeout(onTimeout, timeout)
    },
    stop: () => clearTimeout(timer),
  }
}

async function readFrames(body, onBytes, onFrame) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let frame = { data: [] }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const lines = (rest + value).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line
      if (text) readField(text, frame)
      else {
        if (frame.data.length > 0) onFrame({ ...frame, data: frame.data.join('\n') })
        frame = { data: [] }
      }
    }
  }
}

function readField(line, frame) {
  const colon = line.indexOf(':')
  const name = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
  if (name === 'data') frame.data.push(value)
  if (name === 'id' && !value.includes('\0')) frame.id = value
}

/** Returns null for keep-alive frames. */
function parseSignal(text) {
  try {
    const signal = JSON.parse(text)
    return typeof signal?.type === 'string' && signal.data ? signal : null
  } catch {
    return null
  }
}
