import {
  ApiError,
  type tables as contract,
  type Handlers,
  type Row,
} from '@botstead/contract'
import type { Caller, Contexts, Services } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { quotas } from '../../../usage/index.ts'
import { type Condition, parseFilter } from '../../rows/filter.ts'
import { explainQueryErrors, queryTimeouts } from '../../rows/query-timeouts.ts'
import { findRows, orderBy, type RowWindow } from '../../rows/row-finder.ts'
import { findGroups, groupOrder, parseGroup } from '../../rows/row-groups.ts'
import {
  findKeyColumn,
  isComputed,
  type ParsedRows,
  parseRows,
  type RowInput,
  shortened,
} from '../../rows/row-input.ts'
import { searchRows } from '../../rows/row-search.ts'
import {
  parseSelection,
  rowSerializer,
  toRow,
  wholeRow,
} from '../../rows/row-serializers.ts'
import type { RowKey } from '../../rows/row-writing.ts'
import { deleteRows, findRow, type WrittenRows, writeRows } from '../../rows/rows.ts'
import type { TableServices } from '../../services.ts'
import { checkUnchanged } from '../../table-cache.ts'
import { type FoundTable, findTable, type TableRow } from '../../tables.ts'
import { toTableViewer } from './viewer.ts'

type Own = RealtimeServices & TableServices

type Finding = Parameters<(typeof rows)['findTableRows']>[1]['body']

export const rows: Handlers<(typeof contract)['rows'], Contexts<Own>> = {
  getTableRow: ({ services: { database, tableCache }, caller }, { params, query }) =>
    tableCache.use(toTableViewer(caller), params.table, async (table) => ({
      row: toRow(table, await findRow(database.finds, table, query.id)),
    })),

  async findTableRows({ services: { database, tableCache }, caller }, { params, body }) {
    const { limit = 100, offset = 0 } = body
    const page = { limit, offset: Math.min(offset, maxOffset) }
    const find = body.group ? groupsFound : rowsFound
    const { shown, warnings } = await tableCache.use(
      toTableViewer(caller),
      params.table,
      (table) =>
        explainQueryErrors(queryTimeouts.find, () =>
          find(database.finds, table, body, page),
        ),
    )
    return {
      rows: shown.slice(0, limit),
      hasMore: shown.length > limit,
      offset,
      limit,
      ...(warnings.length > 0 && { warnings }),
    }
  },

  async createTableRows({ services, caller }, { params, body }) {
    const table = await tableToWrite(services, caller, params.table, body)
    const read = parseRows(table, body.rows)
    const written = await addRows(services, table, read.rows, null)
    noteRows(services, table)
    return {
      rows: shownAll(table, await computed(services, table, written.inserted, body)),
      ...remarks(read, written),
    }
  },

  async updateTableRows({ services, caller }, { params, body }) {
    const table = await tableToWrite(services, caller, params.table, body)
    const read = parseRows(table, body.rows)
    const written = await writeRows(services.db, table, read.rows, {
      by: 'id',
      adds: false,
    })
    noteRows(services, table)
    return {
      rows: shownAll(table, await computed(services, table, written.updated, body)),
      ...remarks(read, written),
    }
  },

  async upsertTableRows({ services, caller }, { params, body }) {
    const table = await tableToWrite(services, caller, params.table, body)
    const read = parseRows(table, body.rows)
    const written = await addRows(
      services,
      table,
      read.rows,
      findKeyColumn(table, body.keyColumn ?? 'id'),
    )
    noteRows(services, table)
    const inserted = await computed(services, table, written.inserted, body)
    const updated = await computed(services, table, written.updated, body)
    return {
      inserted: shownAll(table, inserted),
      updated: shownAll(table, updated),
      ...remarks(read, written),
    }
  },

  async deleteTableRows({ services, caller }, { params, body }) {
    const table = await findTable(services.db, toTableViewer(caller), params.table)
    const which = chosen(table, body)
    const deletedRows = await deleteRows(services.db, table, which)
    noteRows(services, table)
    return { deletedRows }
  },
}

const noteRows = (
  { changeFeed }: Services & Own,
  { bot_id: botId, bot_table_id: id }: TableRow,
) => changeFeed.publish({ topic: 'tableRows', botId, id })

type Db = Parameters<typeof findTable>[0]
/** Maximum offset: larger than any table, and within PostgreSQL's integers. */
const maxOffset = 1e15

async function rowsFound(
  db: Db,
  table: FoundTable,
  { filter = {}, search, select, ...body }: Finding,
  { limit, offset }: RowWindow,
) {
  const { orderBy: by = 'id', orderDirection = 'asc' } = body
  const condition = parseFilter(filter, table.columns)
  const order = orderBy(by, orderDirection, table.columns)
  const { selection, warnings } = select
    ? parseSelection(select, table.columns)
    : { selection: wholeRow(table.columns), warnings: [] }
  if (search === undefined || search.trim() === '') {
    const found = await findRows(db, table, condition, [order], { limit, offset })
    return { shown: found.map(rowSerializer(table, selection)), warnings }
  }
  if (!table.columns.some(({ searchable }) => searchable)) {
    await checkUnchanged(db, table)
    return {
      shown: [],
      warnings: [
        ...warnings,
        'No column of this table is searchable, so the search returns no rows',
      ],
    }
  }
  if (body.orderBy !== undefined)
    warnings.push('`orderBy` is ignored: search results are sorted by similarity')
  const found = await searchRows(db, table, search, condition, offset + limit + 1)
  const page = found.slice(offset, offset + limit + 1)
  const serialize = rowSerializer(table, selection)
  return {
    shown: page.map((row): Row => ({ ...serialize(row), similarity: row.similarity })),
    warnings,
  }
}

async function groupsFound(
  db: Db,
  table: FoundTable,
  { filter = {}, group = {}, search, select, ...body }: Finding,
  { limit, offset }: RowWindow,
) {
  const { orderBy: by = 'id', orderDirection: direction = 'asc' } = body
  if (search !== undefined)
    throw new ApiError(
      'InvalidQuery',
      '`search` and `group` cannot be combined: use `filter` instead of `search`',
    )
  const results = parseGroup(group, table.columns)
  const condition = parseFilter(filter, table.columns)
  const order = { by: groupOrder(results, by), direction, limit, offset }
  const groups = await findGroups(db, table, condition, results, order)
  const shown = groups.map(
    ({ first, values }): Row => ({
      id: first,
      computed: {},
      ...Object.fromEntries(results.map(({ name }, i) => [name, values[i]])),
    }),
  )
  return {
    shown,
    warnings: select ? ['`select` is ignored: groups have all of their properties'] : [],
  }
}

/**
 * Finds the table. If the caller waits for computed columns, announces the call of code, which sees
 * only committed data.
 */
async function tableToWrite(
  services: Services & Own,
  caller: Caller<'bot'>,
  idOrName: string,
  { waitComputed = false }: { waitComputed?: boolean },
): Promise<TableRow> {
  const table = await findTable(services.db, toTableViewer(caller), idOrName)
  if (waitComputed && table.columns.some((column) => isComputed(table, column)))
    services.announceCodeCall()
  return table
}

/** Throws QuotaExceeded, and the errors of `writeRows`. */
const addRows = (
  services: Services & Own,
  table: TableRow,
  rows: RowInput[],
  by: RowKey,
) =>
  quotas.within(services, { botId: table.bot_id, type: 'table_row_count' }, ({ db }) =>
    writeRows(db, table, rows, { by, adds: true }),
  )

/**
 * Returns the rows with their computed values if the caller waits for them; otherwise schedules the
 * computation.
 */
async function computed(
  services: Services & Own,
  table: TableRow,
  rows: WrittenRows['inserted'],
  { waitComputed = false }: { waitComputed?: boolean },
): Promise<WrittenRows['inserted']> {
  if (!rows.some(({ stale }) => stale.length > 0)) return rows
  if (waitComputed) return services.computing.compute(table, rows)
  services.computing.soon()
  return rows
}

const shownAll = (table: TableRow, written: WrittenRows['inserted']) =>
  written.map((row) => toRow(table, row))

function remarks(read: ParsedRows, written: WrittenRows) {
  const errors = [...read.errors, ...written.errors]
  const warnings = [...read.warnings, ...written.warnings]
  return {
    ...(warnings.length > 0 && { warnings: shortened(warnings) }),
    ...(errors.length > 0 && { errors: shortened(errors) }),
  }
}

/** Requires exactly one way of selecting rows, so that none is silently ignored. */
function chosen(
  table: TableRow,
  { ids, filter, deleteAllRows }: Parameters<(typeof rows)['deleteTableRows']>[1]['body'],
): Condition | { ids: number[] } | 'all' {
  const isEmpty = filter !== undefined && Object.keys(filter).length === 0
  const ways = [ids !== undefined, filter !== undefined, deleteAllRows === true].filter(
    Boolean,
  )
  if (ways.length !== 1 || isEmpty)
    throw new ApiError(
      'InvalidPayload',
      'Specify exactly one of `ids`, a non-empty `filter`, or `deleteAllRows: true`',
    )
  if (ids) return { ids }
  return filter ? parseFilter(filter, table.columns) : 'all'
}
