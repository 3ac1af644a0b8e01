// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { Tables } from './rules.ts'

export interface TableRuleServices {
  tableRules: Tables
}

export const bindings = { tableRules: 'unchanged' } satisfies Bindings<TableRuleServices>
