// Cuts large work of the main thread into slices of some milliseconds. One slice runs per iteration of
// the event loop, so small requests run in between, however many large ones there are. Tenants alternate.
import { FairTurns } from './fair-turns.ts'

const turns = new FairTurns({ capacity: 1 })

/** Whether work on so many characters or bytes needs a slice. */
export const isLong = (length: number) => length > 65_536

/** Resolves when the next slice may run. `tenant` has its own queue. */
export async function nextSlice(tenant = ''): Promise<void> {
  const { admitted, leave } = turns.take(tenant)
  await (admitted ?? nextIteration())
  setImmediate(leave)
}

const nextIteration = () => new Promise<void>((resolve) => void setImmediate(resolve))
