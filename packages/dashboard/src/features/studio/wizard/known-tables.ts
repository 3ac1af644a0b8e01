// The tables of the bot on the server, as the wizards need them.
import type { Table } from '@botstead/contract'
import type { KnownTable } from '@botstead/flows/wizards'

/** Leaves out computed columns, and tables whose columns cannot change. */
export const toKnownTables = (tables: Table[]): KnownTable[] =>
  tables
    .filter(({ frozen }) => frozen !== true)
    .map(({ name, keyColumn, schema }) => ({
      name,
      ...(keyColumn && { keyColumn }),
      columns: Object.fromEntries(
        Object.entries(schema.properties)
          .filter(([, { 'x-zui': notes }]) => notes.computed === undefined)
          .map(([column, { type, format }]) => [
            column,
            { type, ...(format && { format }) },
          ]),
      ),
    }))
