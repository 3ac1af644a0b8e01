import type { Db } from '../db/index.ts'
import { bindings } from './services.ts'
import { removeOldWindows } from './store.ts'
import { tables } from './table-rules.ts'

export const ratesModule = {
  name: 'rates',
  tables,
  bindings,
  tasks: ({ db }: { db: Db }) => [{ everyMs: 60_000, run: () => removeOldWindows(db) }],
}
export { type LimitedCalls, openLimitedCalls } from './limited-calls.ts'
export type { RateStatus } from './rate.ts'
export { openRates, type Rates, type RatesNote } from './rates.ts'
export type { RateServices } from './services.ts'
