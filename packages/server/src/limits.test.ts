import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { jsonBytes, limitNames, settingOf } from './limits.ts'

test('relaxed unless asked for; strict has the values of the original', () => {
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

test('each can be set alone; 0 is none', () => {
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
  const [strict, relaxed] = [readConfig({ BOTSTEAD_LIMITS: 'strict' }).limits, readConfig({}).limits]
  expect(limitNames.filter((name) => strict[name] > relaxed[name])).toEqual([])
})

test.each([
  { BOTSTEAD_LIMITS: 'lax' },
  { BOTSTEAD_LIMIT_MESSAGE_BYTES: '128kb' },
  { BOTSTEAD_LIMIT_MESSAGE_BYTES: '-1' },
  { BOTSTEAD_LIMIT_MESSAGE_BYTES: '1.5' },
  { BOTSTEAD_TRUST_PROXY: 'yes' },
])('%o is no setting', (env) => expect(() => readConfig(env)).toThrow(ConfigError))

test('names of settings', () =>
  expect(settingOf('queuedBytesPerBot')).toBe('BOTSTEAD_LIMIT_QUEUED_BYTES_PER_BOT'))

test('bytes, not characters', () =>
  expect([jsonBytes({ a: 'é' }), jsonBytes('😀'), jsonBytes(undefined)]).toEqual([10, 6, 0]))
