// A log that is kept, to be looked through: at the lowest level, so that nothing is left out.
import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

export function keepLog(): { log: Logger; text: () => string } {
  let text = ''
  const lines = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { log: pino({ level: 'trace' }, lines), text: () => text }
}
