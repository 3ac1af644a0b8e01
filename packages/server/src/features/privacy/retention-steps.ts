import type { AgeRule, Tables } from '../../core/table-rules/index.ts'

export interface RetentionStep extends AgeRule {
  table: string
}

/** Returns the tables with a limited age in the order of deletion. Sweeps store an index into it. */
export const listRetentionSteps = (tables: Tables): RetentionStep[] =>
  Object.entries(tables)
    .flatMap(([table, { retention }]) => (retention ? [{ ...retention, table }] : []))
    .sort((one, other) => one.step - other.step)

export const toCutoff = (days: number) => new Date(Date.now() - days * 86_400_000)
