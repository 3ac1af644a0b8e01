// A log in memory that tests can search, at the lowest level.
import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

export function captureLog(): { log: Logger; text: () => string } {
  let text = ''
  const lines = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { log: pino({ level: 'trace' }, lines), text: () => text }
}
