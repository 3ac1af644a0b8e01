// The kinds of usage that the page shows, with their units, and the months to choose from.
import type { UsageType } from '@botstead/contract'
import { toBytes } from '../../parts/files/bytes.ts'
import { toCount, toDollars } from '../../parts/texts/amounts.ts'
import { language } from '../../texts/in-language.ts'
import { texts } from '../../texts/texts.ts'

/** Counted day by day; other kinds are current amounts without a history. */
const countedKinds = ['invocation_calls', 'ai_spend'] as const
const presentKinds = [
  'bot_count',
  'workspace_member_count',
  'integrations_owned_count',
  'storage_count',
  'table_row_count',
  'indexed_file_count',
  'knowledgebase_vector_storage',
] as const
export type Kind = (typeof countedKinds)[number] | (typeof presentKinds)[number]

/** Kinds with an amount for each bot. */
export const kindsOfBots: Kind[] = [...countedKinds, 'storage_count', 'table_row_count']

export const toKinds = (month: string): Kind[] =>
  month === monthNow() ? [...countedKinds, ...presentKinds] : [...countedKinds]

export const isCounted = (kind: Kind) => (countedKinds as readonly Kind[]).includes(kind)
export const isKind = (type: UsageType): type is Kind => type in texts.usage.kinds

const bytes: Kind[] = ['storage_count', 'knowledgebase_vector_storage']

export const hasLimit = (quota: number) => quota < Number.MAX_SAFE_INTEGER

/** With the unit of the kind. */
export function toAmount(kind: Kind, value: number): string {
  if (kind === 'ai_spend') return toDollars(value)
  return bytes.includes(kind) && value > 0 ? toBytes(value) : toCount(value)
}

/** In UTC, as the server counts: `2026-11`. */
export const monthNow = () => new Date().toISOString().slice(0, 7)

const name = new Intl.DateTimeFormat(language, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
export const monthName = (month: string) => name.format(new Date(`${month}-01T00:00:00Z`))

/** This month and the eleven before it: the server keeps counts for 400 days. */
export function listMonths(): string[] {
  const now = new Date(`${monthNow()}-01T00:00:00Z`)
  return Array.from({ length: 12 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
      .toISOString()
      .slice(0, 7),
  )
}

/** The first moment of the month, and that of the next one. */
export function toBounds(month: string): { from: string; until: string } {
  const from = new Date(`${month}-01T00:00:00Z`)
  const until = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1))
  return { from: from.toISOString(), until: until.toISOString() }
}

/** The server writes counts every few seconds; its notes of messages would come too often. */
export const refetchMs = 15_000
