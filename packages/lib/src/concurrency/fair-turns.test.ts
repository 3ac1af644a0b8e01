import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type FairTurn, FairTurns, type FairTurnsOptions } from './fair-turns.ts'

/** `take` records the names of turns in the order in which they begin. */
function open(options: FairTurnsOptions) {
  const turns = new FairTurns(options)
  const begun: string[] = []
  const take = (name: string): FairTurn => {
    const turn = turns.take(name[0]!)
    if (turn.admitted) void turn.admitted.then(() => begun.push(name))
    else begun.push(name)
    return turn
  }
  return { turns, begun, take }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Releases turns in the given order, and returns those that began meanwhile. */
async function leaveAll(all: FairTurn[], begun: string[]) {
  begun.length = 0
  for (const turn of all) {
    turn.leave()
    await settle()
  }
  return begun
}

test('begins at once while there are turns', () => {
  const { begun, take, turns } = open({ capacity: 2 })
  expect([take('a1').admitted, take('a2').admitted]).toEqual([null, null])
  expect(take('b1').admitted).not.toBeNull()
  expect(begun).toEqual(['a1', 'a2'])
  expect(turns.stats).toEqual({ held: 2, waiting: 1 })
})

test('admits round robin between keys, and in order within a key', async () => {
  const { begun, take } = open({ capacity: 1 })
  const all = ['x', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(take)
  const order = [0, 1, 5, 7, 2, 6, 3, 4].map((i) => all[i]!)
  expect(await leaveAll(order, begun)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

test('admits the first turn of a key beyond the capacity with `admitsFirst`', async () => {
  const { begun, take, turns } = open({ capacity: 2, admitsFirst: true })
  const flood = ['a1', 'a2', 'a3', 'a4'].map(take)
  const first = take('b1')
  const second = take('b2')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  // The key without a turn comes first, though others hold as many as there are.
  first.leave()
  await settle()
  expect(begun.slice(3)).toEqual(['b2'])
  flood[0]!.leave()
  await settle()
  expect(turns.stats).toEqual({ held: 2, waiting: 2 })
  second.leave()
  await settle()
  expect(begun.slice(4)).toEqual(['a3'])
})

test('does not admit a caller that leaves while waiting', async () => {
  const { begun, take, turns } = open({ capacity: 1 })
  const [x, a1, a2, b1] = ['x', 'a1', 'a2', 'b1'].map(take) as [
    FairTurn,
    FairTurn,
    FairTurn,
    FairTurn,
  ]
  a1.leave()
  b1.leave()
  expect(await leaveAll([x, x, a1], begun)).toEqual(['a2'])
  expect(turns.stats).toEqual({ held: 1, waiting: 0 })
  a2.leave()
  a2.leave()
  expect(turns.stats).toEqual({ held: 0, waiting: 0 })
})

test('ends a turn over the time limit if another waits', async () => {
  const { begun, take, turns } = open({ capacity: 2, maxMs: 20 })
  const [old] = ['a1', 'a2'].map(take)
  await pause(40)
  expect(turns.stats.held).toBe(2)
  for (const name of ['b1', 'b2']) take(name)
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']))
  old!.leave()
  expect(turns.stats).toEqual({ held: 2, waiting: 0 })
})

test('limits the turns of one key while others take turns, and not while it is alone', async () => {
  const { begun, take, turns } = open({ capacity: 4, maxPerKey: 2, aloneMs: 50 })
  const [b1] = ['b1', 'a1', 'a2', 'a3', 'a4', 'b2'].map(take)
  // A key at its limit leaves the remaining turns to others.
  expect(begun).toEqual(['b1', 'a1', 'a2', 'b2'])
  await pause(60)
  b1!.leave()
  await settle()
  expect(begun.slice(4)).toEqual([])
  expect(turns.stats).toEqual({ held: 3, waiting: 2 })
})

test('a key at its limit takes more as soon as it is alone', async () => {
  const { begun, take, turns } = open({ capacity: 4, maxPerKey: 2, aloneMs: 50 })
  const [b1, a1] = ['b1', 'a1', 'a2', 'a3', 'a4', 'a5'].map(take)
  b1!.leave()
  await settle()
  expect(begun).toEqual(['b1', 'a1', 'a2'])
  await pause(60)
  a1!.leave()
  await settle()
  expect(begun.slice(3)).toEqual(['a3', 'a4', 'a5'])
  expect(turns.stats).toEqual({ held: 4, waiting: 0 })
})
