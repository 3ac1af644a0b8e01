import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { behaviourAssumptions, errorAssumptions } from './assumptions.ts'

const root = new URL('../', import.meta.url)

test.each(
  [...errorAssumptions, ...behaviourAssumptions].map((one) => [
    `${one.software}: ${one.situation}`,
    one,
  ]),
)('%s: refers to an existing test', (_, { test: [file, name] }) =>
  expect(readFileSync(new URL(file, root), 'utf8')).toContain(`'${name}`),
)
