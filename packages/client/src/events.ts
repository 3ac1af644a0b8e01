// Reads Server-Sent Events from a response, so that requests can have headers, which the browser's
// EventSource cannot send.

export interface ServerEvent {
  /** The last id that the server sent; resume with it as `last-event-id`. */
  id: string
  type: string
  data: string
}

/** Yields events until the stream ends or its request is aborted. Comments are skipped. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  let event: ServerEvent = { id: '', type: 'message', data: '' }
  for await (const line of readLines(response)) {
    if (line !== '') addField(event, line)
    else {
      if (event.data !== '') yield { ...event, data: event.data.slice(0, -1) }
      event = { id: event.id, type: 'message', data: '' }
    }
  }
}

function addField(event: ServerEvent, line: string) {
  const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)!
  if (name === 'data') event.data += `${value}\n`
  else if (name === 'event') event.type = value!
  else if (name === 'id') event.id = value!
}

async function* readLines(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
