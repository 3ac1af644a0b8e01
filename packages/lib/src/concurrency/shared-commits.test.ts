import { expect, test } from 'vitest'
import { shareCommits } from './shared-commits.ts'

/** Statements that end on request of the test. */
function openStatements() {
  const running: { ids: number[]; end: () => void; refuse: (code: string) => void }[] = []
  const commits = shareCommits<number, number>(
    (ids) =>
      new Promise((resolve, reject) => {
        running.push({
          ids,
          end: () => resolve(ids),
          refuse: (code) => reject(Object.assign(new Error('refused'), { code })),
        })
      }),
  )
  const ids = () => running.map((one) => one.ids)
  return { running, ids, write: commits.write }
}

const turnOfLoop = () =>
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('combines work that arrives during a statement into the next', async () => {
  const { write, running, ids } = openStatements()
  const first = [write(1), write(2)]
  await turnOfLoop()
  const second = [write(3), write(4), write(5)]
  await turnOfLoop()
  expect(ids()).toEqual([[1, 2]])
  running[0]!.end()
  await expect(Promise.all(first)).resolves.toEqual([1, 2])
  await turnOfLoop()
  expect(ids()).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  running[1]!.end()
  await expect(Promise.all(second)).resolves.toEqual([3, 4, 5])
})

test('fails only the work that the database rejects', async () => {
  const { write, running, ids } = openStatements()
  const both = Promise.allSettled([write(1), write(2)])
  await turnOfLoop()
  running[0]!.refuse('23505')
  await turnOfLoop()
  running[1]!.refuse('23505')
  await turnOfLoop()
  running[2]!.end()
  expect(await both).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled', value: 2 },
  ])
  expect(ids()).toEqual([[1, 2], [1], [2]])
})
