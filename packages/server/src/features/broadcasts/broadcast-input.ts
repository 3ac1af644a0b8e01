// Checks the input of a broadcast: a mistake in it is an error, not a broadcast to no one.
import {
  ApiError,
  type BroadcastAudience,
  type BroadcastMessage,
  type QuietHours,
} from '@botstead/contract'
import { findDeclaration } from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'
import { findTable, parseFilter, wholeBot } from '../../core/tables/index.ts'
import { readMessage } from './personal-message.ts'
import { isTimezone } from './quiet-hours.ts'

interface BroadcastInput {
  audience: BroadcastAudience
  message: BroadcastMessage
  quietHours?: QuietHours
}

/** Input that `checkBroadcast` has accepted. */
export interface CheckedBroadcast {
  input: BroadcastInput
}

/** Throws InvalidPayload, ReferenceNotFound, InvalidQuery. */
export async function checkBroadcast(
  db: Db,
  botId: string,
  input: BroadcastInput,
): Promise<CheckedBroadcast> {
  const { audience, message, quietHours } = input
  await checkChannel(db, botId, audience)
  const columns = await findColumns(db, botId, audience)
  const { variables } = readMessage(message)
  for (const name of variables) {
    if (columns === null)
      throw invalid(
        `\`message.payload\` has the variable "row.${name}": \`audience.table\` is missing`,
      )
    if (!columns.includes(name))
      throw invalid(
        `\`message.payload\` has the variable "row.${name}", but the table no such column`,
      )
  }
  if (quietHours) checkQuietHours(quietHours)
  return { input }
}

async function checkChannel(
  db: Db,
  botId: string,
  { integration, channel }: BroadcastAudience,
): Promise<void> {
  const found = await findDeclaration(db, botId, integration, ['channels'])
  if (found?.alias !== integration)
    throw new ApiError(
      'ReferenceNotFound',
      `\`audience.integration\`: the bot has no integration with the alias "${integration}"`,
    )
  const channels = Object.keys((found.declared ?? {}) as object)
  if (channels.length > 0 && !channels.includes(channel))
    throw new ApiError(
      'ReferenceNotFound',
      `\`audience.channel\`: "${integration}" has no channel "${channel}", but ${channels
        .slice(0, 20)
        .map((name) => `"${name}"`)
        .join(', ')}`,
    )
}

/** Returns the names of the columns; null without a table. */
async function findColumns(
  db: Db,
  botId: string,
  { table: wanted }: BroadcastAudience,
): Promise<string[] | null> {
  if (!wanted) return null
  const table = await findTable(db, wholeBot(botId), wanted.table).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(
      'ReferenceNotFound',
      `\`audience.table.table\`: table "${wanted.table}" was not found`,
    )
  })
  if (!table.columns.some(({ name }) => name === wanted.column))
    throw new ApiError(
      'ReferenceNotFound',
      `\`audience.table.column\`: the table has no column "${wanted.column}"`,
    )
  parseFilter(wanted.filter ?? {}, table.columns)
  return table.columns.map(({ name }) => name)
}

function checkQuietHours({ from, to, timezone }: QuietHours): void {
  if (from === to) throw invalid('`quietHours.to` must differ from `quietHours.from`')
  if (!isTimezone(timezone))
    throw invalid(`\`quietHours.timezone\` "${timezone}" is not an IANA time zone`)
}

const invalid = (message: string) => new ApiError('InvalidPayload', message)
