// A dry run is a broadcast in a transaction that is rolled back: the same statements resolve the audience,
// the same code writes the messages, and nothing is stored.
import type { BroadcastPreview } from '@botstead/contract'
import { FairTurns, nextSlice } from '@botstead/lib'
import type { Db } from '../../core/db/index.ts'
import { explainQueryErrors } from '../../core/tables/index.ts'
import type { CheckedBroadcast } from './broadcast-input.ts'
import { type BroadcastRow, insertBroadcast } from './broadcasts.ts'
import { readMessage } from './personal-message.ts'
import { listWaiting, pageTimeoutMs, storeNextRecipients } from './recipients.ts'
import { reportBroadcast } from './report.ts'
import { writePersonal } from './steps.ts'

const maxMs = 20_000
const shownMessages = 5
const pageSize = 500

/** Each holds a connection. */
const turns = new FairTurns({ capacity: 2, maxPerKey: 1 })

class Undone extends Error {}

/** Dry runs wait for each other. Throws OperationTimeout. */
export async function previewBroadcast(
  db: Db,
  botId: string,
  checked: CheckedBroadcast,
): Promise<BroadcastPreview> {
  const turn = turns.take(botId)
  try {
    await turn.admitted
    return await explainQueryErrors(pageTimeoutMs, () => undoing(db, botId, checked))
  } finally {
    turn.leave()
  }
}

async function undoing(
  db: Db,
  botId: string,
  checked: CheckedBroadcast,
): Promise<BroadcastPreview> {
  let preview: BroadcastPreview | undefined
  try {
    await db.transaction().execute(async (trx) => {
      preview = await rehearse(trx, botId, checked)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return preview!
}

async function rehearse(
  db: Db,
  botId: string,
  checked: CheckedBroadcast,
): Promise<BroadcastPreview> {
  const until = performance.now() + maxMs
  const created = { name: 'dry run', perMinute: 1, startAt: undefined, createdBy: null }
  const row = await insertBroadcast(db, botId, { ...checked, ...created })
  const unknownRows = await resolveAll(db, row, until)
  const written = await writeAll(db, row, until)
  const { total, skipped, skipReasons } = await reportBroadcast(db, {
    ...row,
    unknown_rows: '0',
  })
  const missed = Object.values(written.skipReasons).reduce((sum, count) => sum + count, 0)
  return {
    total,
    recipients: total - skipped - missed,
    skipped: skipped + missed,
    skipReasons: { ...skipReasons, ...written.skipReasons },
    unknownRows,
    hasMore: performance.now() >= until,
    messages: written.messages,
  }
}

async function resolveAll(db: Db, row: BroadcastRow, until: number): Promise<number> {
  const { variables } = readMessage(row.message)
  let unknown = 0
  for (
    let position: string | null = '';
    position !== null && performance.now() < until;
  ) {
    const page = await storeNextRecipients(db, { ...row, position }, variables)
    unknown += page.unknownRows
    position = page.position
  }
  return unknown
}

/** People who are skipped before are not among those who wait. */
async function writeAll(db: Db, row: BroadcastRow, until: number) {
  const message = readMessage(row.message)
  const messages: BroadcastPreview['messages'] = []
  const skipReasons: Record<string, number> = {}
  for (let after = ''; performance.now() < until; ) {
    await nextSlice(row.bot_id)
    const page = await listWaiting(db, row, after, pageSize)
    for (const person of page) {
      const { user_id: userId, conversation_id: conversationId, conversation } = person
      const written = conversation
        ? writePersonal(message, person, conversation)
        : { skip: 'deleted' as const }
      if ('skip' in written)
        skipReasons[written.skip] = (skipReasons[written.skip] ?? 0) + 1
      else if (messages.length < shownMessages)
        messages.push({
          userId,
          conversationId,
          type: message.type,
          payload: written.payload,
        })
    }
    if (page.length < pageSize) break
    after = page.at(-1)!.user_id
  }
  return { messages, skipReasons }
}
