import { expect, test, vi } from 'vitest'
import { runCode } from './code.ts'
import { hostGlobals, type TableCall } from './globals.ts'
import { loadLibraries } from './libraries.ts'

test('provides actions, tables, libraries and a console', async () => {
  const calls: [string, TableCall][] = []
  const lines: string[] = []
  const host = hostGlobals({
    libraries: {
      ...(await loadLibraries('axios _')),
      client: { getUser: async ({ id }: { id: string }) => ({ user: { id } }) },
    },
    ownActions: ['greet'],
    callAction: async (type, input) => ({ type, input }),
    tables: ['Orders', 'StockTable'],
    askTable: async (table, call) => {
      calls.push([table, call])
      return { rows: [{ id: 1 }], row: { id: 1 }, deletedRows: 2 }
    },
    log: (level, text) => lines.push(`${level} ${text}`),
  })
  const event = {
    botId: 'b',
    id: 'e',
    direction: 'incoming' as const,
    type: 't',
    payload: {},
    preview: '',
    createdOn: new Date(0),
    state: { session: {}, context: {} },
  }
  const scopes = {
    workflow: {},
    conversation: {},
    user: {},
    bot: {},
    session: {},
    turn: {},
    env: {},
  }
  const onCall = vi.fn()
  const code = `
    console.log('a', { b: [1] }); console.warn(event.createdOn)
    const rows = [
      await OrdersTable.createRecord({ a: 1 }),
      ...await OrdersTable.findRecords({ filter: { a: 1 } }),
      await OrdersTable.getRecord(1),
      await OrdersTable.updateRecord({ id: 1, a: 2 }),
      ...await StockTable.upsertRecords([{ a: 1 }], 'a'),
      await OrdersTable.deleteRecord(3),
      await OrdersTable.deleteRecords({ a: 1 }),
    ]
    const created = luxon.DateTime.fromJSDate(event.createdOn, { zone: 'utc' }).toISODate()
    return {
      rows,
      own: await actions.greet({ x: 1 }),
      theirs: await actions.chat.sendEvent({ y: 2 }),
      user: (await client.getUser({ id: 'u' })).user.id,
      libraries: [_.sum([1, 2]), created, typeof axios.get, axios.create().defaults.timeout],
    }`
  expect(
    await runCode({ code, file: 'f' }, { event, scopes, host, onCall }, 10_000),
  ).toEqual({
    rows: [{ id: 1 }, { id: 1 }, { id: 1 }, { id: 1 }, { id: 1 }, 2, 2],
    own: { type: 'greet', input: { x: 1 } },
    theirs: { type: 'chat:sendEvent', input: { y: 2 } },
    user: 'u',
    libraries: [3, '1970-01-01', 'function', 0],
  })
  expect(lines).toEqual(['info a { b: [ 1 ] }', 'warn 1970-01-01T00:00:00.000Z'])
  expect(calls).toEqual([
    ['Orders', { method: 'POST', path: '/rows', body: { rows: [{ a: 1 }] } }],
    ['Orders', { method: 'POST', path: '/rows/find', body: { filter: { a: 1 } } }],
    ['Orders', { method: 'GET', path: '/row?id=1' }],
    ['Orders', { method: 'PUT', path: '/rows', body: { rows: [{ id: 1, a: 2 }] } }],
    [
      'StockTable',
      {
        method: 'POST',
        path: '/rows/upsert',
        body: { rows: [{ a: 1 }], keyColumn: 'a' },
      },
    ],
    ['Orders', { method: 'POST', path: '/rows/delete', body: { ids: [3] } }],
    ['Orders', { method: 'POST', path: '/rows/delete', body: { filter: { a: 1 } } }],
  ])
  expect(onCall.mock.calls.map(([what]) => what)).toContain('OrdersTable.findRecords')
})
