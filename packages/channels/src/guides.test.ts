// Guides are complete: each field of the form has a step, and checks admit what the documentation of the
// provider shows.
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { channels } from './channels.ts'
import { isAtProvider } from './guide.ts'

const find = (name: string) => channels.find((one) => one.name === name)!

describe.each(channels.map((entry) => [entry.name, entry] as const))('%s', (_, entry) => {
  const { guide, definition } = entry
  const schema = definition.configuration.schema as {
    properties: Record<string, unknown>
    required: string[]
  }

  test('has a step for each required setting, and names no unknown ones', () => {
    const named = guide.steps.flatMap(({ settings = [], folded = [] }) => [
      ...settings,
      ...folded,
    ])
    expect(named).toEqual(expect.arrayContaining(schema.required))
    expect(new Set(named).size).toBe(named.length)
    const known = Object.keys(schema.properties)
    const { checks, invented = [], unproved = [], presets = [] } = guide
    const values = presets.flatMap((one) => [one.setting, ...Object.keys(one.values)])
    const others = [
      ...checks.map(({ setting }) => setting),
      ...invented,
      ...unproved,
      ...values,
    ]
    for (const setting of [...named, ...others]) expect(known).toContain(setting)
  })

  test('copies only known values', () => {
    const steps = [...guide.steps, ...(guide.laterSteps ?? [])]
    const values = steps.flatMap(({ copies = [] }) => copies.map(({ value }) => value))
    const names = values.flatMap((value) =>
      [...value.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
    for (const name of names)
      expect(['webhookUrl', ...Object.keys(schema.properties)]).toContain(name)
  })

  test('explains the five most frequent problems, and has links with HTTPS', async () => {
    expect(guide.problems).toHaveLength(5)
    const steps = [...guide.steps, ...(guide.laterSteps ?? [])]
    for (const { url } of steps.flatMap(({ links = [] }) => links))
      expect(new URL(url).protocol).toBe('https:')
    const channel = await entry.load()
    expect(guide.recipient === undefined).toBe(channel.toConversation === undefined)
  })
})

test.each([
  [undefined, true],
  ['https://graph.facebook.com', true],
  ['https://93.184.216.34/v1', true],
  ['http://127.0.0.1:4000', false],
  ['http://localhost:81/x', false],
  ['http://[::1]:4000', false],
  ['http://192.168.1.4', false],
])('an API at %s needs a public address: %s', (apiUrl, expected) => {
  expect(isAtProvider({ apiUrl })).toBe(expected)
})

/** As the page finds them. */
const findProblem = (name: string, setting: string, value: string) =>
  find(name).guide.checks.find(
    ({ right, wrong, ...one }) =>
      one.setting === setting &&
      (right === undefined
        ? new RegExp(wrong!).test(value)
        : !new RegExp(right).test(value)),
  )?.problem

const hex = 'a1'.repeat(16)
const uuid = '11111111-2222-3333-4444-555555555555'

test.each([
  ['telegram', 'botToken', '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'],
  ['slack', 'botToken', 'xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy'],
  ['slack', 'appToken', `xapp-1-A0123456-7004-${hex}`],
  ['discord', 'botToken', 'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs'],
  ['line', 'channelSecret', hex],
  ['line', 'channelAccessToken', `${'aB3+/'.repeat(34)}ab=`],
  ['twilio', 'accountSID', `AC${hex}`],
  ['twilio', 'sender', '+40 712 345 678'],
  ['teams', 'appPassword', 'A1b8Q~abcdefghijklmnopqrstuvwxyz012345'],
  ['teams', 'appId', uuid],
  ['googlechat', 'audience', '123456789012'],
  ['googlechat', 'serviceAccountKey', '{"type":"service_account","private_key":"x"}'],
  ['email', 'imapHost', 'imap.gmail.com'],
  ['matrix', 'homeserver', 'https://matrix-client.matrix.org'],
  ['whatsapp', 'defaultBotPhoneNumberId', '106540352242922'],
  ['whatsapp', 'clientSecret', hex],
  ['api', 'signingSecret', Buffer.alloc(32, 7).toString('base64')],
  ['api', 'appUrl', 'http://127.0.0.1:8090/bot'],
])('%s: admits a right %s', (name, setting, value) => {
  expect(findProblem(name, setting, value)).toBeUndefined()
})

test.each([
  ['telegram', 'botToken', '110201543:AAHdqTcvCH1vGWJxfSeof SAs0K5PALDsaw', 'space'],
  ['telegram', 'botToken', 'xoxb-stand-in-bot', 'A token is a number'],
  [
    'telegram',
    'botToken',
    'AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1',
    'first part is missing',
  ],
  ['telegram', 'botToken', '@shop_bot', 'the username'],
  ['telegram', 'botToken', '110201543', 'a number, a colon'],
  ['slack', 'botToken', 'xapp-1-A1-2-3', 'app-level token'],
  ['slack', 'botToken', 'xoxp-1234567890-1', 'a user token'],
  ['slack', 'appToken', 'xoxb-1', 'This is the bot token'],
  ['discord', 'botToken', hex + hex, 'the public key'],
  ['discord', 'botToken', '198622483471925248', 'the application ID'],
  ['line', 'channelAccessToken', hex, 'the channel secret'],
  ['line', 'channelSecret', '1234567890', 'the channel ID'],
  ['twilio', 'accountSID', `SK${hex}`, 'an API key'],
  ['teams', 'appPassword', uuid, 'the "Secret ID"'],
  ['googlechat', 'audience', 'my-project', 'only digits'],
  ['googlechat', 'serviceAccountKey', '{"installed":{}}', 'an OAuth client'],
  ['email', 'smtpHost', 'ana@example.org', 'an e-mail address'],
  ['whatsapp', 'defaultBotPhoneNumberId', '+40712345678', 'the phone number'],
  ['matrix', 'homeserver', '@bot:example.org', 'the id of an account'],
])('%s: recognizes a wrong %s', (name, setting, value, words) => {
  expect(findProblem(name, setting, value)).toContain(words)
})

test('the app for Teams is a ZIP of the manifest with the app ID, and of two pictures', () => {
  const file = find('teams').guide.laterSteps!.flatMap(({ file }) =>
    file ? [file] : [],
  )[0]!
  const configuration = { appId: uuid }
  const bytes = Buffer.from(file.make({ botName: 'Häuser\u0000 GmbH', configuration }))
  const files = readZip(bytes)
  expect([...files.keys()]).toEqual(['manifest.json', 'color.png', 'outline.png'])
  const manifest = JSON.parse(files.get('manifest.json')!.toString())
  expect(manifest).toMatchObject({ id: uuid, name: { short: 'Häuser GmbH' } })
  for (const [name, size] of [
    ['color.png', 192],
    ['outline.png', 32],
  ] as const) {
    const picture = files.get(name)!
    expect(picture.readUInt32BE(16)).toBe(size)
    const length = picture.readUInt32BE(33)
    expect(inflateSync(picture.subarray(41, 41 + length))).toHaveLength(
      size * (size * 4 + 1),
    )
  }
})

/** Reads the files that the directory at the end lists. */
function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - 22
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50)
  let at = bytes.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50)
    const [size, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const offset = bytes.readUInt32LE(at + 42)
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString()
    expect(bytes.readUInt32LE(offset)).toBe(0x04034b50)
    files.set(
      name,
      bytes.subarray(offset + 30 + nameLength, offset + 30 + nameLength + size),
    )
    at += 46 + nameLength
  }
  return files
}
