import { afterAll, expect, test } from 'vitest'
import { compileScript } from './compile.ts'
import { openVrl, type VrlFailed } from './vrl.ts'

const vrl = openVrl({ timeoutMs: 10_000 })
/** A time limit that no script here reaches, even on a busy machine. */
const hasty = openVrl({ threads: 1, timeoutMs: 700, memoryMb: 64 })
afterAll(async () => void (await Promise.all([vrl.close(), hasty.close()])))

const getResult = async (script: string, data: object = {}, tenant = 'a') =>
  (await vrl.run(tenant, script, data)).result
const getReason = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: VrlFailed) => error.reason,
  )

const meta = `metaId = null
query_string, err = to_string(.query)
if length(query_string) > 0 {
  result = ""
  for_each(split(query_string, "&")) -> |_index, value| {
    pair = split(value, "=")
    if pair[0] == "state" { result = pair[1] }
  }
  metaId = result
} else {
  body = parse_json!(.body)
  if body.object == "account" { metaId = body.entry[0].id }
}
metaId`
const handshake = `q = parse_query_string!(.query)
response = { "status": 403, "body": "no" }
if q."hub.mode" == "subscribe" && q."hub.verify_token" == .secrets.TOKEN {
  response = { "status": 200, "headers": { "content-type": "text/plain" }, "body": q."hub.challenge" }
}
response`
const signed = `expected = split(to_string!(.headers."x-hub-signature-256"), "=")[1]
actual = encode_base16(hmac(to_string!(.body), to_string!(.secrets.KEY)))
if actual != expected { null } else { parse_json!(.body).from }`

// Scripts in the style of published integrations.
test.each<[string, string, object, unknown]>([
  [
    'a field of JSON',
    'parse_json!(.body).organizationId',
    { body: '{"organizationId":"o1"}' },
    'o1',
  ],
  [
    'a number as text',
    'to_string!(parse_json!(.body).installation.id)',
    { body: '{"installation":{"id":12345678}}' },
    '12345678',
  ],
  [
    'what stands in a form',
    'parse_json!(replace(decode_percent!(.body), "payload=", "")).team_id',
    { body: 'payload=%7B%22team_id%22%3A%22T1%22%7D' },
    'T1',
  ],
  [
    'base64 within',
    'parse_json!(decode_base64!(parse_json!(.body).data)).mail',
    { body: '{"data":"eyJtYWlsIjoiYUBiIn0="}' },
    'a@b',
  ],
  [
    'the first of many',
    'body = parse_json!(.body)\nto_string!(body[0].portalId)',
    { body: '[{"portalId":7}]' },
    '7',
  ],
  [
    'in place of all',
    '. = parse_json!(.body)\nid = null\nif .object == "page" { id = .entry[0].id }\nid',
    { body: '{"object":"page","entry":[{"id":"p"}]}' },
    'p',
  ],
  ['state of a query', meta, { query: 'a=b&state=S', body: '' }, 'S'],
  [
    'or of a body',
    meta,
    { query: '', body: '{"object":"account","entry":[{"id":"e"}]}' },
    'e',
  ],
  ['nobody', meta, { query: '', body: '{"object":"other"}' }, null],
  [
    'a challenge',
    handshake,
    {
      query: 'hub.mode=subscribe&hub.verify_token=t&hub.challenge=c',
      secrets: { TOKEN: 't' },
    },
    expect.objectContaining({ status: 200, body: 'c' }),
  ],
  [
    'a wrong challenge',
    handshake,
    { query: 'hub.mode=subscribe&hub.verify_token=x', secrets: { TOKEN: 't' } },
    { status: 403, body: 'no' },
  ],
  [
    'a wrong signature',
    signed,
    {
      body: '{"from":"f"}',
      headers: { 'x-hub-signature-256': 'sha256=00' },
      secrets: { KEY: 'k' },
    },
    null,
  ],
  [
    'an address',
    'id = to_string!(.webhookId)\n"https://x.test/?state={{ id }}"',
    { webhookId: 'w' },
    'https://x.test/?state=w',
  ],
])('%s', async (_, script, data, result) =>
  expect(await getResult(script, data)).toEqual(result),
)

test('returns the changed event with the result', async () => {
  expect(await vrl.run('a', '.b = upcase!(.a)\ndel(.a)\n1.5', { a: 'x' })).toEqual({
    data: { b: 'X' },
    result: 1.5,
  })
})

test.each([
  ['an invalid script', '.a = ', 'compile'],
  ['what may fail and does not say what then', 'parse_json(.a)', 'compile'],
  ['a function that there is not', 'http_get!("http://127.0.0.1")', 'compile'],
  ['an end on purpose', 'abort', 'ended'],
  ['what fails', 'parse_json!("no")', 'ended'],
  ['the name of the machine', 'get_hostname!()', 'ended'],
  ['its environment', 'get_env_var!("PATH")', 'ended'],
  ['the network', 'dns_lookup!("localhost")', 'ended'],
  ['more script than there may be', `"${'x'.repeat(70_000)}"`, 'compile'],
  [
    'an answer too large',
    `s = "0123456789abcdef"\n${'s = s + s\n'.repeat(21)}[s, s]`,
    'ended',
  ],
])('rejects %s', async (_, script, reason) =>
  expect(await getReason(getResult(script))).toBe(reason),
)

const forever =
  `a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n${'for_each(a) -> |_i, _v| { '.repeat(12)}.x = ` +
  `1${' }'.repeat(12)}\n1`

test.each([
  ['runs on', forever, 'timeout'],
  [
    'takes all memory',
    `s = "0123456789abcdef"\n${'s = s + s\n'.repeat(26)}length(s)`,
    'broken',
  ],
  ['nests too deep', `${'('.repeat(5_000)}1${')'.repeat(5_000)}`, 'broken'],
])('stops a script that %s, and runs the next', async (_, script, reason) => {
  const patient = reason === 'timeout' ? hasty : vrl
  expect(await getReason(patient.run('a', script, {}))).toBe(reason)
  expect(await getResult('.a', { a: 1 })).toBe(1)
})

test('survives values that cannot be text', async () => {
  expect(await getReason(getResult('.a', { a: '\ud800' }))).toBe('broken')
  expect(await getResult('.a', { a: '\u0000😀' })).toBe('\u0000😀')
})

test('alternates between tenants', async () => {
  const order: string[] = []
  const run = (tenant: string) =>
    hasty.run(tenant, '.a', { a: 1 }).then(() => order.push(tenant))
  await Promise.all([
    ...Array.from({ length: 6 }, () => run('much')),
    run('little'),
    run('other'),
  ])
  expect(order.slice(0, 4).toSorted()).toEqual(['little', 'much', 'much', 'other'])
  expect(order).toHaveLength(8)
})

test('rejects calls over the queue limit', async () => {
  const attempts = Array.from({ length: 60 }, () =>
    getReason(getResult('.a', { a: 1 }, 'many')),
  )
  const reasons = await Promise.all(attempts)
  expect(new Set(reasons)).toEqual(new Set([null, 'busy']))
  expect(await getResult('.a', { a: 2 }, 'many')).toBe(2)
})

test.each<[string, object, unknown]>([
  ['.body ?? "x"', { body: 'a' }, 'a'],
  ['.body ?? "x"', {}, null],
  ['(.a) ?? (1 + 2)', { a: 5 }, 5],
  ['.b ?? parse_json!("{}") ?? 3', { b: 1 }, 1],
  ['.b ??\n "x"', { b: 1 }, 1],
  ['x = if true { .a ?? "é" } else { "b" }\nx', { a: 'ü' }, 'ü'],
  ['"é" + to_string!(.a ?? "c")', { a: 'd' }, 'éd'],
  ['.a ?? { y = 1\n y }', { a: 2 }, 2],
  ['length([.a ?? "x"]) ?? 0', { a: 1 }, 1],
  ['# a ?? b\n.body ?? "x ?? y"', { body: 'a' }, 'a'],
  ['b = parse_json(to_string!(.body ?? "x")) ?? {}\nb', { body: '{"c":1}' }, { c: 1 }],
  ['b = parse_json(to_string!(.body ?? "x")) ?? {}\nb', { body: 'no' }, {}],
])('accepts unnecessary error coalescing in %s', async (script, data, result) =>
  expect(await getResult(script, data)).toEqual(result),
)

const toWarnings = async (script: string) => {
  const { error, warnings } = await compileScript(vrl, 'a', script)
  expect(error).toBeNull()
  return warnings
}

test.each([
  ['.a', []],
  [
    'x = "é"\n.c = upcase!("é")\n.b ?? "x" ?? "y"',
    [
      "line 3, column 1: unnecessary error coalescing operation (this expression can't fail)",
      "line 3, column 1: unnecessary error coalescing operation (this expression can't fail)",
      "line 2, column 6: can't abort infallible function (this function can't fail)",
      'line 1, column 1: unused variable `x` (help: use the result of this expression or remove it)',
    ],
  ],
  [
    '"é"\n.a = 1',
    [
      'line 1, column 1: unused literal `"é"` (help: use the result of this expression or remove it)',
    ],
  ],
])('returns warnings with positions for %j', async (script, expected) =>
  expect((await toWarnings(script)).toSorted()).toEqual(expected.toSorted()),
)

test('checks a script without running it', async () => {
  expect(await toWarnings('abort')).toEqual([])
  expect(await toWarnings(forever)).toEqual([])
})

test('returns the first error of a script with its position', async () => {
  const { error } = await compileScript(
    vrl,
    'a',
    '"é"\nx = .a ?? 1\ny = parse_json(.a)\ny',
  )
  expect(error).toMatch(/^line 3, column \d+: /)
  const nested = `${'('.repeat(5_000)}1${')'.repeat(5_000)}`
  expect((await compileScript(vrl, 'a', nested)).error).toMatch(/memory or nesting/)
})

test('names the expected token: VRL has no computed indexes', async () => {
  const { error } = await compileScript(vrl, 'a', 'x = [1]\nx[length(x) - 1]')
  expect(error).toMatch(
    /^line 2, column 3: syntax error \(.*expected one of: "integer literal"\)$/,
  )
  expect((await compileScript(vrl, 'a', 'x = [1]\nx[-1]')).error).toBeNull()
})

test('still rejects other mistakes beside it', async () => {
  expect(await getReason(getResult('x = .a ?? 1\nunknown_variable'))).toBe('compile')
})
