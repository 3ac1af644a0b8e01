import { expect, test } from 'vitest'
import { listPersonSteps } from '../features/privacy/person-data.ts'
import { listRetentionSteps } from '../features/privacy/retention-steps.ts'
import { tableRules } from './tables.ts'

const toTables = (steps: { table: string }[]) => steps.map(({ table }) => table)

test('each step of erasures and of retention has its own place', () => {
  for (const steps of [listPersonSteps(tableRules), listRetentionSteps(tableRules)])
    expect(new Set(steps.map(({ step }) => step)).size).toBe(steps.length)
})

test('erasures delete rows that are found by events, deliveries or conversations before those', () => {
  const order = toTables(listPersonSteps(tableRules))
  const finders = ['delivery', 'event', 'message', 'conversation', 'user']
  expect(order.filter((table) => finders.includes(table))).toEqual(finders)
  for (const table of [
    'event_trace',
    'action_run',
    'bot_log',
    'observation',
    'model_call',
  ])
    expect(order.indexOf(table), table).toBeLessThan(order.indexOf('event'))
  expect(order.indexOf('delivery_attempt')).toBeLessThan(order.indexOf('delivery'))
  expect(order.indexOf('issue_event')).toBeLessThan(order.indexOf('issue'))
})

test('keeps the order of retention, into which sweeps of earlier versions store an index', () => {
  expect(toTables(listRetentionSteps(tableRules)).slice(0, 14)).toEqual([
    'conversation',
    'message',
    'event',
    'user',
    'file',
    'bot_log',
    'integration_log',
    'observation',
    'event_trace',
    'action_run',
    'issue',
    'delivery',
    'webhook_request',
    'table_row',
  ])
})
