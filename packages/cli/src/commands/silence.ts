// Says why a bot has not answered a message in the terminal.
import { openAdmin } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'
import { toPrintable } from '../terminal/printable.ts'

/** In ms after a message without an answer: a failure is shown soon, the way to the log at last. */
const looksMs = [2_000, 5_000, 10_000]

interface Silence {
  /** Undefined if it is not known, as with `--chat-url`: then failures cannot be read. */
  botId: string | undefined
  conversationId: string
  connecting: Connecting
  /** The command that shows the log of the bot. */
  logs: string
}

/** The clock of the server may be behind. */
const toleranceMs = 1_000

/** Returns a function that returns why the bot has failed since a time, or null. */
export function createFailureReader({
  botId,
  conversationId,
  connecting,
  logs,
}: Silence) {
  return async (since: Date): Promise<string | null> => {
    if (botId === undefined) return null
    try {
      const afterDate = new Date(since.getTime() - toleranceMs).toISOString()
      const query = { conversationId, afterDate }
      const { failures } = await openAdmin(connecting)
        .as(botId)
        .platform.listFailures({ query })
      const [failure] = failures
      if (!failure) return null
      const repeated = failure.isRetried ? 'the server tries again' : 'the server gave up'
      return `the bot failed: ${toPrintable(failure.reason, 'line')}; ${repeated}; see ${logs}`
    } catch {
      return null // Without a token, or while the server restarts.
    }
  }
}

/** Returns functions to call after a message and after an answer. `say` shows a line. */
export function watchSilence(silence: Silence, say: (text: string) => void) {
  const read = createFailureReader(silence)
  let timers: NodeJS.Timeout[] = []
  const stop = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  const look = async (since: Date, isLast: boolean) => {
    const begun = timers
    const failure = await read(since)
    if (timers !== begun) return // answered meanwhile, or a further message
    if (failure === null && !isLast) return
    say(`(${failure ?? `no answer yet; see ${silence.logs}`})`)
    stop()
  }
  return {
    begin() {
      stop()
      const since = new Date()
      timers = looksMs.map((ms) =>
        setTimeout(() => void look(since, ms === looksMs.at(-1)), ms),
      )
    },
    stop,
  }
}
