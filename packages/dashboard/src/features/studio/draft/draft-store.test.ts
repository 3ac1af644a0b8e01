// The draft in the browser: edits apply at once, reach the server, survive its absence and merge with those
// of others.
import { RequestError } from '@botstead/client'
import { mergeTexts } from '@botstead/flows/document-edits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { documentTools } from './document-tools.ts'
import {
  type Draft,
  DraftConflict,
  type DraftServer,
  type Overwritten,
} from './draft-server.ts'
import { DraftStore } from './draft-store.ts'
import type { Edit } from './edits.ts'
import { type KeyStorage, keptEdits, leaseMs } from './kept-edits.ts'

const text = `{
  "greeting": "Hello",
  "cards": [
    { "text": "one" },
    { "text": "two" }
  ]
}
`

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A server that merges as the real one does. */
class FakeServer implements DraftServer {
  texts = [text]
  isReachable = true
  saves = 0
  rejection: Error | null = null

  get draft(): Draft {
    const revision = this.texts.length
    return {
      text: this.texts.at(-1)!,
      format: 'JSON',
      revision,
      hasChanges: revision > 1,
    }
  }
  #check() {
    if (!this.isReachable)
      throw new RequestError(new Response(null, { status: 503 }), { message: 'away' })
    if (this.rejection) throw this.rejection
  }
  reads = 0
  async read() {
    this.reads++
    if (!this.isReachable) this.#check()
    return this.draft
  }
  /** Revisions before this one are deleted. */
  first = 1
  async readRevision(revision: number) {
    return revision < this.first ? null : this.texts[revision - 1]!
  }
  async save(baseRevision: number, mine: string) {
    this.#check()
    this.saves++
    if (baseRevision < this.first) throw new DraftConflict(this.draft)
    const toVersion = (each: string) => ({ text: each, format: 'JSON' as const })
    const [base, theirs] = [this.texts[baseRevision - 1]!, this.texts.at(-1)!]
    const merged = mergeTexts({
      base: toVersion(base),
      mine: toVersion(mine),
      theirs: toVersion(theirs),
    })
    if (merged.text !== theirs) this.texts.push(merged.text)
    return { draft: this.draft, overwritten: merged.overwritten }
  }
  /** Another member changes the draft. */
  change(edits: Edit[]) {
    this.texts.push(documentTools.edit(this.draft, edits))
  }
}

function memoryStorage(): KeyStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}

let pages = 0
async function open(server = new FakeServer(), storage = memoryStorage()) {
  const lost: { reason: string; edits: Edit[] }[] = []
  const overwritten: Overwritten[] = []
  const store = await DraftStore.open({
    server,
    tools: documentTools,
    kept: keptEdits(storage, 'bot', `page${++pages}`),
    events: {
      onLost: (reason, edits) => lost.push({ reason, edits }),
      onOverwritten: (parts) => overwritten.push(...parts),
    },
  })
  return { store, server, storage, lost, overwritten }
}

const set = (pointer: string, value: unknown): Edit => ({ op: 'set', pointer, value })
const pass = (ms = 500) => vi.advanceTimersByTimeAsync(ms)

test('applies an edit at once, and stores it within half a second', async () => {
  const { store, server } = await open()
  store.edit([set('/greeting', 'Hi')])
  expect(store.getSnapshot()).toMatchObject({
    value: { greeting: 'Hi' },
    state: 'saving',
    unsaved: 1,
  })
  expect(server.saves).toBe(0)
  await pass()
  expect(server.draft.text).toBe(text.replace('Hello', 'Hi'))
  expect(store.getSnapshot()).toMatchObject({ state: 'saved', unsaved: 0 })
})

test('saves nothing without an edit', async () => {
  const { store, server } = await open()
  await store.flush()
  await store.close()
  expect(server.texts).toEqual([text])
})

test('undoes and redoes steps; typing in one field is one step', async () => {
  const { store, server } = await open()
  for (const typed of ['H', 'He', 'Hey']) store.edit([set('/greeting', typed)])
  await pass(2_000)
  store.edit([{ op: 'remove', pointer: '/cards/0' }])
  store.undo()
  expect(store.getSnapshot().value).toMatchObject({
    cards: [{ text: 'one' }, { text: 'two' }],
  })
  store.undo()
  expect(store.getSnapshot()).toMatchObject({
    value: { greeting: 'Hello' },
    canUndo: false,
  })
  store.redo()
  expect(store.getSnapshot().value).toMatchObject({ greeting: 'Hey' })
  store.undo()
  await pass()
  expect(server.draft.text).toBe(text)
})

test('keeps edits while the server is away, and stores them when it returns', async () => {
  const { store, server } = await open()
  server.isReachable = false
  store.edit([set('/greeting', 'Hi')])
  await pass()
  expect(store.getSnapshot()).toMatchObject({ state: 'offline', unsaved: 1 })
  server.isReachable = true
  await pass(2_000)
  expect(store.getSnapshot()).toMatchObject({ state: 'saved', unsaved: 0 })
  expect(server.draft.text).toContain('Hi')
})

test('stores the edits of a page that was closed before they were stored', async () => {
  const { store, server, storage } = await open()
  server.isReachable = false
  store.edit([set('/greeting', 'Hi')])
  await store.close()
  server.isReachable = true
  server.change([set('/cards/1/text', 'theirs')])
  const next = await open(server, storage)
  expect(next.store.getSnapshot().value).toEqual({
    greeting: 'Hi',
    cards: [{ text: 'one' }, { text: 'theirs' }],
  })
  expect(storage.length).toBe(0)
})

test('leaves the edits of another open page to it', async () => {
  const { store, server, storage } = await open()
  server.isReachable = false
  store.edit([set('/greeting', 'Hi')])
  await pass()
  server.isReachable = true
  const other = await open(server, storage)
  expect(other.store.getSnapshot().value).toMatchObject({ greeting: 'Hello' })
  // The page has crashed: it no longer renews its lease.
  vi.clearAllTimers()
  vi.setSystemTime(Date.now() + leaseMs + 1)
  const later = await open(server, storage)
  expect(later.store.getSnapshot().value).toMatchObject({ greeting: 'Hi' })
})

test('merges the changes of others, and does not undo them', async () => {
  const { store, server } = await open()
  store.edit([set('/cards/1/text', 'mine')])
  await pass()
  server.change([{ op: 'insert', pointer: '/cards/0', value: { text: 'theirs' } }])
  await store.refresh()
  const cards = (...texts: string[]) => texts.map((each) => ({ text: each }))
  expect(store.getSnapshot().value.cards).toEqual(cards('theirs', 'one', 'mine'))
  store.undo()
  expect(store.getSnapshot().value.cards).toEqual(cards('theirs', 'one', 'two'))
})

test('reads the draft after a note only if that names a newer revision, or none', async () => {
  const { store, server } = await open()
  store.edit([set('/greeting', 'Hi')])
  await pass()
  const { revision } = store.getSnapshot().draft
  server.reads = 0
  await store.refresh(revision)
  expect(server.reads).toBe(0)
  server.change([set('/greeting', 'Hey')])
  await store.refresh(revision + 1)
  expect(store.getSnapshot().value).toMatchObject({ greeting: 'Hey' })
  await store.refresh()
  expect(server.reads).toBe(2)
})

test('does not undo a value that others have set since', async () => {
  const { store, server, lost } = await open()
  store.edit([set('/greeting', 'mine')])
  await pass()
  server.change([set('/greeting', 'theirs')])
  await store.refresh()
  store.undo()
  expect(store.getSnapshot().value).toMatchObject({ greeting: 'theirs' })
  expect(lost).toMatchObject([{ reason: 'missing' }])
})

test('moves an edit that was made during a save to the place that others left', async () => {
  const { store, server } = await open()
  server.change([{ op: 'insert', pointer: '/cards/0', value: { text: 'theirs' } }])
  store.edit([set('/greeting', 'Hi')])
  const saving = store.flush()
  store.edit([set('/cards/1/text', 'mine')])
  await saving
  expect(JSON.parse(server.draft.text)).toEqual({
    greeting: 'Hi',
    cards: [{ text: 'theirs' }, { text: 'one' }, { text: 'mine' }],
  })
})

test('reports a part that it overwrote', async () => {
  const { store, server, overwritten } = await open()
  server.change([set('/greeting', 'theirs')])
  store.edit([set('/greeting', 'mine')])
  await pass()
  expect(overwritten).toEqual([{ pointer: '/greeting', theirs: 'theirs' }])
})

test('reports edits that the server rejects, and shows the stored draft', async () => {
  const { store, server, lost } = await open()
  server.rejection = new RequestError(new Response(null, { status: 400 }), {
    message: 'No',
  })
  store.edit([set('/greeting', 'Hi')])
  await pass()
  expect(lost).toEqual([{ reason: 'rejected', edits: [set('/greeting', 'Hi')] }])
  expect(store.getSnapshot()).toMatchObject({
    value: { greeting: 'Hello' },
    state: 'saved',
  })
})

test('moves edits to the current draft if the server no longer has their base', async () => {
  const { store, server, lost } = await open()
  server.change([{ op: 'insert', pointer: '/cards/0', value: { text: 'theirs' } }])
  server.first = 2
  store.edit([set('/cards/1/text', 'mine')])
  await pass()
  expect(JSON.parse(server.draft.text).cards).toEqual([
    { text: 'theirs' },
    { text: 'one' },
    { text: 'mine' },
  ])
  expect(lost).toEqual([])
})
