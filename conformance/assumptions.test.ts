import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { behaviourAssumptions, errorAssumptions } from './assumptions.ts'

const root = new URL('../', import.meta.url)

test.each([...errorAssumptions, ...behaviourAssumptions].map((one) => [`${one.who}: ${one.situation}`, one]))(
  '%s: names a test that exists',
  (_, { test: [file, name] }) => expect(readFileSync(new URL(file, root), 'utf8')).toContain(`'${name}`),
)
