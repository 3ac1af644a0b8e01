// Tables of a bot.
import { type Command, Option } from 'commander'
import type { ExportOptions, QueryOptions } from '../commands/tables.ts'
import type { Context } from '../server/context.ts'
import { formatTime, printObject } from '../terminal/printing.ts'
import { choice } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addVerb } from './verbs.ts'

const filterOption = () =>
  new Option('--filter <json>', 'filter as in the API, such as {"age":{"$gt":30}}')

export function addTableVerbs(tables: Command): void {
  addOperationList(tables, 'list', {
    operation: 'tables.listTables',
    about: 'list the tables',
    examples: ['botstead tables', 'botstead tables --json'],
    columns: {
      id: ({ id }) => id,
      updated: ({ updatedAt }) => formatTime(updatedAt),
      name: ({ name }) => name,
      columns: ({ schema }) => Object.keys(schema.properties).join(', '),
    },
  })
  addVerb(tables, 'show <table>', {
    about: 'print the number of rows and the columns of a table (name or id)',
    examples: ['botstead tables show OrdersTable'],
    run: async ({ client, options }, table) => {
      const found = await client.tables.getTable({ params: { table: table! } })
      if (options.json) return printObject(found, options)
      const { id, name, schema, createdAt, updatedAt } = found.table
      const types = Object.entries(schema.properties).map(
        ([column, { type }]) => `${column} (${type})`,
      )
      const { rows } = found
      printObject(
        { id, name, rows, createdAt, updatedAt, columns: types.join(', ') },
        options,
      )
    },
  })
  addVerb(tables, 'query <table>', {
    about: 'print rows of a table',
    options: [
      filterOption(),
      new Option('--search <words>', 'only rows with these words'),
      new Option('--order <column[:desc]>', 'order of the rows'),
      new Option('--columns <list>', 'only these columns, separated by commas'),
      new Option(
        '--limit <number>',
        'maximum number of rows, by default 100 on a terminal',
      ),
    ],
    examples: [
      'botstead tables query OrdersTable --order total:desc --limit 10',
      `botstead tables query OrdersTable --filter '{"status":"open"}' --json`,
    ],
    run: async (context: Context<QueryOptions>, table: string) =>
      (await import('../commands/tables.ts')).query(context, table),
  })
  addVerb(tables, 'import <table> <file>', {
    about: 'add the rows of a CSV or JSON file, and missing columns; waits for the end',
    options: [new Option('--create', 'create the table if there is none')],
    examples: ['botstead tables import OrdersTable orders.csv --create'],
    run: async (context: Context<{ create?: boolean }>, table: string, file: string) =>
      (await import('../commands/tables.ts')).importRows(context, table, file),
  })
  addVerb(tables, 'export <table>', {
    about: 'write the rows of a table to a file or to standard output',
    options: [
      choice('--format <format>', 'csv or json', ['csv', 'json']).default('csv'),
      new Option(
        '--escape-formulas',
        'put an apostrophe before texts that a spreadsheet would run',
      ),
      filterOption(),
      new Option('-o, --output <file>', 'file, by default standard output'),
    ],
    examples: ['botstead tables export OrdersTable -o orders.csv'],
    run: async (context: Context<ExportOptions>, table: string) =>
      (await import('../commands/tables.ts')).exportRows(context, table),
  })
  addOperation(tables, 'delete <table>', {
    operation: 'tables.deleteTable',
    about: 'delete a table with its rows',
    deletes: { effect: (id) => `deletes the table ${id} with its rows`, isLarge: true },
    examples: ['botstead tables delete OrdersTable'],
  })
}
