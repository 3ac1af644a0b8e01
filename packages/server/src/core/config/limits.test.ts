import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './environment.ts'
import { jsonBytes, limitNames, toSettingName } from './limits.ts'

test('the default profile is relaxed; strict has the values of the original', () => {
  expect(readConfig({}).limits).toMatchObject({
    messageBytes: 1_048_576,
    messagesPerMinute: Number.POSITIVE_INFINITY,
    failuresPerMinute: 20,
  })
  const { limits } = readConfig({ BOTSTEAD_LIMITS: 'strict' })
  expect(limits).toMatchObject({
    messageBytes: 131_072,
    eventBytes: 131_072,
    stateBytes: 131_072,
    requestsPerSecond: 100,
    messagesPerMinute: 600,
    invocationSeconds: 60,
  })
})

test('a setting overrides one limit; 0 means no limit', () => {
  const { limits } = readConfig({
    BOTSTEAD_LIMITS: 'strict',
    BOTSTEAD_LIMIT_MESSAGES_PER_MINUTE: '0',
    BOTSTEAD_LIMIT_MESSAGE_BYTES: '7',
  })
  expect(limits).toMatchObject({
    messagesPerMinute: Number.POSITIVE_INFINITY,
    messageBytes: 7,
    requestsPerSecond: 100,
  })
})

test('strict is never more generous than relaxed', () => {
  const [strict, relaxed] = [
    readConfig({ BOTSTEAD_LIMITS: 'strict' }).limits,
    readConfig({}).limits,
  ]
  expect(limitNames.filter((name) => strict[name] > relaxed[name])).toEqual([])
})

test.each([
  { BOTSTEAD_LIMITS: 'lax' },
  { BOTSTEAD_LIMIT_MESSAGE_BYTES: '128kb' },
  { BOTSTEAD_LIMIT_MESSAGE_BYTES: '-1' },
  { BOTSTEAD_LIMIT_MESSAGE_BYTES: '1.5' },
  { BOTSTEAD_TRUST_PROXY: 'yes' },
])('rejects %o', (env) => expect(() => readConfig(env)).toThrow(ConfigError))

test('converts a limit to the name of its setting', () =>
  expect(toSettingName('queuedBytesPerBot')).toBe('BOTSTEAD_LIMIT_QUEUED_BYTES_PER_BOT'))

test.each<[unknown, number]>([
  [{ a: 'é' }, 10],
  ['😀', 6],
  [undefined, 0],
])('counts bytes, not characters: %j has %i', (value, bytes) =>
  expect(jsonBytes(value)).toBe(bytes),
)
