import type { Limits } from '../config/index.ts'
import type { Database, Db } from '../db/index.ts'
import { openLimitedCalls } from './limited-calls.ts'
import { openRates, type RatesOptions } from './rates.ts'
import { bindings } from './services.ts'
import { removeOldWindows } from './store.ts'
import { tables } from './table-rules.ts'

export const ratesModule = {
  name: 'rates',
  tables,
  bindings,
  open: async ({ database, limits, ...options }: Deps) => ({
    services: {
      rates: await openRates(database, limits, options),
      limitedCalls: openLimitedCalls(),
    },
  }),
  tasks: ({ db }: { db: Db }) => [{ everyMs: 60_000, run: () => removeOldWindows(db) }],
}

interface Deps extends RatesOptions {
  database: Database
  limits: Limits
}

export type { LimitedCalls } from './limited-calls.ts'
export type { RateStatus } from './rate.ts'
export type { RateServices } from './services.ts'
