// Vitest, with timeouts that BOTSTEAD_TEST_PATIENCE multiplies.
import * as vitest from 'vitest'
import { withPatience } from './patience.ts'

export * from 'vitest'

export const test = withPatience(vitest.test)
export const it = withPatience(vitest.it)
export const describe = withPatience(vitest.describe)
export const beforeAll = withPatience(vitest.beforeAll)
export const beforeEach = withPatience(vitest.beforeEach)
export const afterAll = withPatience(vitest.afterAll)
export const afterEach = withPatience(vitest.afterEach)
export const onTestFinished = withPatience(vitest.onTestFinished)
