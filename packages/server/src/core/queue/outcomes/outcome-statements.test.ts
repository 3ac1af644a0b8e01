import { expect, test } from 'vitest'
import type { Settled } from '../deliveries.ts'
import { isDeadLetter } from './outcome-statements.ts'

test.each([
  ['retry', 'event', true],
  ['retry', 'message', true],
  ['failed', 'message', true],
  ['failed', 'change', true],
  // The event keeps its failure itself.
  ['failed', 'event', false],
  ['done', 'message', false],
  ['ignored', 'event', false],
] as const)(
  'the outcome %s of a delivery of the kind %s: dead letter %s',
  (result, kind, isDead) => {
    const settled = {
      delivery: { kind },
      outcome: { result },
    } as Partial<Settled> as Settled
    expect(isDeadLetter(settled)).toBe(isDead)
  },
)
