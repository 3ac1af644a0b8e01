import { sql } from 'kysely'
import { and, isOfBot, type Tables } from '../table-rules/index.ts'
import {
  hasDeclaredColumns,
  isDeclaredCell,
  isOldRow,
  removeOldRows,
  removePersonsRows,
} from './rows/person-rows.ts'

export const tables = {
  bot_table: { owner: 'derived' },
  table_counter: { owner: 'derived' },
  table_job: { owner: 'derived' },
  table_row: {
    owner: 'derived',
    person: {
      kind: 'tableRows',
      step: 220,
      belongs: (person) =>
        and(
          isOfBot(person),
          sql`t.bot_table_id in (${hasDeclaredColumns(person)})`,
          isDeclaredCell(person),
        ),
      remove: removePersonsRows,
    },
    retention: { kind: 'tableRows', step: 140, old: isOldRow, remove: removeOldRows },
  },
  table_row_terms: { owner: 'derived', person: { none: 'is deleted with its row' } },
  table_row_text: {
    owner: { leftOut: 'is derived from rows by the database' },
    person: { none: 'is deleted with its row' },
  },
  table_terms_refill: {
    owner: { leftOut: 'describes the progress of a background task' },
  },
  table_text_column: { owner: { leftOut: 'is derived from columns by the database' } },
} satisfies Tables
