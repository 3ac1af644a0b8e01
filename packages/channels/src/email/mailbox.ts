// Receives by IMAP with IDLE. The position is UIDVALIDITY:UID, with the time of the e-mail in milliseconds: a
// mailbox that was built again gives other UIDs, and then the time says from where to read, as at the
// beginning.
import type { ImapFlow } from 'imapflow'
import { type Batch, ChannelError, type Context } from '../channel.ts'
import { mailQuery, toArrivals } from './mail.ts'
import { openImap } from './servers.ts'

interface Position {
  validity: string
  uid: number
  time: number
}

const dayMs = 86_400_000
/** Clocks of mail servers differ, and the first e-mail may arrive before the first connection. */
const toleranceMs = 300_000
/** Servers end a connection that is silent for half an hour. */
const maxWaitMs = 600_000

export async function* receiveMail(
  context: Context,
  cursor: string | null,
): AsyncIterable<Batch> {
  const client = await openImap(context)
  try {
    yield* follow(context, client, cursor)
  } finally {
    client.close()
  }
}

async function* follow(
  context: Context,
  client: ImapFlow,
  cursor: string | null,
): AsyncIterable<Batch> {
  const news = watch(client)
  // Read-only: people who share the mailbox see unread e-mails as unread.
  const { uidValidity } = await client.mailboxOpen('INBOX', { readOnly: true })
  const validity = String(uidValidity)
  let position = readPosition(cursor) ?? { validity: '0', uid: 0, time: Date.now() }
  yield { arrivals: [], cursor: writePosition(position) }
  while (client.usable) {
    news.reset()
    const from = position
    for (const uid of await listNew(client, validity, from)) {
      const mail = await client.fetchOne(String(uid), mailQuery, { uid: true })
      const time = mail ? Number(new Date(mail.internalDate ?? 0)) : 0
      const isOld = from.validity !== validity && time < from.time - toleranceMs
      const arrivals = mail && !isOld ? await toArrivals(context, client, mail) : []
      position = { validity, uid, time: Math.max(time, position.time) }
      yield { arrivals, cursor: writePosition(position) }
    }
    yield { arrivals: [], cursor: null }
    await news.wait()
  }
  throw new ChannelError('unavailable', 'The IMAP server has ended the connection')
}

/** Notes what the server announces, also while a command runs. */
function watch(client: ImapFlow) {
  let hasNews = false
  let wake = () => {}
  const notice = () => {
    hasNews = true
    wake()
  }
  client.on('exists', notice)
  client.on('close', notice)
  return {
    reset: () => {
      hasNews = false
    },
    async wait() {
      if (hasNews || !client.usable) return
      const arrived = new Promise<void>((resolve) => {
        wake = resolve
      })
      const timer = setTimeout(wake, maxWaitMs)
      // The next command ends it.
      client.idle().catch(() => {})
      await arrived
      clearTimeout(timer)
    },
  }
}

async function listNew(
  client: ImapFlow,
  validity: string,
  { uid, time, ...from }: Position,
) {
  const isSame = from.validity === validity
  const query = isSame ? { uid: `${uid + 1}:*` } : { since: new Date(time - dayMs) }
  const found = (await client.search(query, { uid: true })) || []
  // "7:*" finds the last e-mail also if its UID is lower.
  return found.filter((one) => !isSame || one > uid).sort((a, b) => a - b)
}

const writePosition = ({ validity, uid, time }: Position) => `${validity}:${uid}:${time}`

function readPosition(cursor: string | null): Position | null {
  const [, validity, uid, time] = /^(\d+):(\d+):(\d+)$/.exec(cursor ?? '') ?? []
  return validity === undefined
    ? null
    : { validity, uid: Number(uid), time: Number(time) }
}
