// How services behave inside of a transaction.

import { DeferredSteps } from '@botstead/lib'
import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import type { Bindings, Database } from '../db/index.ts'
import {
  CodeCallAnnounced,
  createBind,
  type TransactionServices,
} from './request-transaction.ts'

interface Own {
  feed: { publish(note: string): void; flush(): Promise<void>; size(): number }
  remind: (note: string) => void
  writer: { database: Database; feed: Own['feed'] }
  keys: object
}
type All = Own & TransactionServices<All>

const bindings: Bindings<Own> = {
  feed: { publish: 'deferred', flush: 'immediate' },
  remind: 'deferred',
  writer: ({ database, services }) => ({ database, feed: services.feed }),
  keys: 'unchanged',
}
const outer = {} as Database
const inner = { db: {} } as Database

function open() {
  const notes: string[] = []
  const feed = {
    publish: (note: string) => void notes.push(note),
    flush: async () => void notes.push('flushed'),
    size: () => notes.length,
  }
  const services: All = {
    log: {} as Logger,
    db: outer.db,
    database: outer,
    feed,
    remind: (note) => void notes.push(`reminder: ${note}`),
    writer: { database: outer, feed },
    keys: {},
    afterCommit: (step) => step(services),
    announceCodeCall: () => {},
    inTransaction: (work) => work(services),
  }
  const afterwards = new DeferredSteps()
  return {
    notes,
    services,
    afterwards,
    inside: createBind<All>(bindings)(services, inner, afterwards),
  }
}

test('defers effects until after the commit, and keeps reads', async () => {
  const { notes, inside, afterwards } = open()
  inside.feed.publish('a')
  inside.writer.feed.publish('b')
  inside.remind('c')
  expect([notes, inside.feed.size()]).toEqual([[], 0])
  await afterwards.run()
  expect(notes).toEqual(['a', 'b', 'reminder: c'])
})

test('has effects at once where the binding says so', async () => {
  const { notes, inside } = open()
  await inside.feed.flush()
  expect(notes).toEqual(['flushed'])
})

test('makes services on the database of the transaction, and keeps the others', () => {
  const { services, inside } = open()
  expect(inside.writer.database).toBe(inner)
  expect([inside.database, inside.db]).toEqual([inner, inner.db])
  expect(inside.keys).toBe(services.keys)
  expect(services.writer.database).toBe(outer)
})

test('works in the same transaction, and calls code after it', async () => {
  const { services, inside, afterwards } = open()
  expect(await inside.inTransaction(async (nested) => nested === inside)).toBe(true)
  expect(() => inside.announceCodeCall()).toThrow(CodeCallAnnounced)
  const seen: All[] = []
  await inside.afterCommit(async (later) => void seen.push(later))
  expect(seen).toEqual([])
  await afterwards.run()
  expect(seen[0]).toBe(services)
})

test('does not compile without a binding of each service', () => {
  const { feed, remind, writer } = bindings
  // @ts-expect-error: `keys` is missing
  const incomplete: Bindings<Own> = { feed, remind, writer }
  expect(Object.keys(incomplete)).not.toContain('keys')
})

test('does not compile with effects that are not stated', () => {
  const both = { publish: 'deferred', flush: 'immediate' } as const
  const wrong: Bindings<Own>[] = [
    // @ts-expect-error: the feed has methods without a result
    { ...bindings, feed: 'unchanged' },
    // @ts-expect-error: `flush` is missing
    { ...bindings, feed: { publish: 'deferred' } },
    // @ts-expect-error: `write` is no method of the feed
    { ...bindings, feed: { ...both, write: 'deferred' } },
    // @ts-expect-error: `size` returns a value, which is not known before the commit
    { ...bindings, feed: { ...both, size: 'deferred' } },
    // @ts-expect-error: `remind` has no result
    { ...bindings, remind: 'unchanged' },
    // @ts-expect-error: `keys` has no methods
    { ...bindings, keys: 'deferred' },
  ]
  expect(wrong).toHaveLength(6)
})
