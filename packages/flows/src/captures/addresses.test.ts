import { expect, test } from 'vitest'
import { emailIn, urlIn } from './addresses.ts'
import { phoneIn } from './phones.ts'

test.each([
  ['Email:ana@example.com', 'ana@example.com'],
  ['email=ana@example.com', 'ana@example.com'],
  ['mailto:ana@example.com?subject=Hi', 'ana@example.com'],
  ['ana@example.com\u200b', 'ana@example.com'],
  ['\ufeffana@exam\u00adple.com', 'ana@example.com'],
  ['ana@example.com...', 'ana@example.com'],
  ['"ana@example.com"', 'ana@example.com'],
  ['**ana@example.com**', 'ana@example.com'],
  ['[ana@example.com](mailto:ana@example.com)', 'ana@example.com'],
  ['メールはana@example.comです', 'ana@example.com'],
  ['ana@example.com입니다', 'ana@example.com'],
  ['อีเมลana@example.comครับ', 'ana@example.com'],
  ['メール：ana＠example．com。', 'ana@example.com'],
  ['jörg@münchen.example', 'jörg@münchen.example'],
  ['jo\u0308rg@mu\u0308nchen.example', 'jörg@münchen.example'],
  ['इ@उदाहरण.भारत', 'इ@उदाहरण.भारत'],
  ['ana@xn--mnchen-3ya.example', 'ana@xn--mnchen-3ya.example'],
  ["o'brien+x@example.co.uk", "o'brien+x@example.co.uk"],
  ['почтаana@example.com', undefined],
  ['ana@example.comи', undefined],
  ['ana@exаmple.com', undefined],
  ['.ana@example.com', undefined],
  ['ana@example..com', undefined],
  ['ana@example,com', undefined],
  ['ana..b@example.com', undefined],
  ['ana@example.c0m', undefined],
  ['ana@example.com-foo', undefined],
  ['ana@example.com@foo.org', undefined],
  ['"a b"@example.com', undefined],
  ['ana/bob@example.com', undefined],
  ['https://ana@example.com', undefined],
  ['ana@192.168.1.1', undefined],
  ['ana@example.com, bob@example.com', undefined],
  ['ana @ example.com', undefined],
  ['ana-\nbob@example.com', undefined],
  ['ana=bob@example.com', undefined],
  ['email=ana@example.com', 'ana@example.com'],
  ['not ana@example.com', undefined],
  ['no, ana@example.com', 'ana@example.com'],
  // Addresses with a space, and addresses that the user takes back.
  ['john. doe@example.com', undefined],
  ['my mail is john. doe@example.com', undefined],
  ['john.d.\ndoe@example.com', undefined],
  ['john _doe@example.com', undefined],
  ['john,doe@example.com', undefined],
  ['john;doe@example.com', undefined],
  ['doe@example.co .uk', undefined],
  ['doe@example.co. uk', undefined],
  ['doe@example.com is wrong', undefined],
  ['doe@example.com ist falsch', undefined],
  ['doe@example.com? no', undefined],
  ['Hi. doe@example.com', 'doe@example.com'],
  ['Sure... doe@example.com', 'doe@example.com'],
  ['I have a new one. doe@example.com', 'doe@example.com'],
  ['doe@example.com. Thanks', 'doe@example.com'],
])('reads the e-mail address in %j as %j', (text, address) => {
  expect(emailIn(text)).toBe(address)
})

test.each([
  [
    'https://en.wikipedia.org/wiki/Mercury_(planet)',
    'https://en.wikipedia.org/wiki/Mercury_(planet)',
  ],
  ['(see https://example.com/a_(b)).', 'https://example.com/a_(b)'],
  ['see (https://example.com/a)', 'https://example.com/a'],
  ['https://example.com/a[1]', 'https://example.com/a[1]'],
  ['[https://example.com/a]', 'https://example.com/a'],
  ['[text](https://example.com/a)', 'https://example.com/a'],
  ['[https://example.com/a](https://example.com/a)', 'https://example.com/a'],
  ['<a href="https://example.com/a">', 'https://example.com/a'],
  ['**https://example.com/a**', 'https://example.com/a'],
  ['「https://example.com/a」', 'https://example.com/a'],
  ['（https://example.com/a）。', 'https://example.com/a'],
  ['“https://example.com/a”…', 'https://example.com/a'],
  ['https://example.com/a؟', 'https://example.com/a'],
  ['リンクはhttps://example.com/a です', 'https://example.com/a'],
  ['https://example.comです', 'https://example.com/'],
  ['https://exam\u200bple.com/a', 'https://example.com/a'],
  ['URL:https://example.com', 'https://example.com/'],
  ['https://münchen.example/a', 'https://xn--mnchen-3ya.example/a'],
  ['https://example.com/~ana', 'https://example.com/~ana'],
  [
    'https://web.archive.org/web/https://example.com/',
    'https://web.archive.org/web/https://example.com/',
  ],
  ['https://example.com/aです', undefined],
  ['https://a.com/x,https://b.com/y', undefined],
  ['https://a.com,https://b.com', undefined],
  ['見てexample.com', undefined],
  ['a.com,b.com', undefined],
  ['https://.com', undefined],
  ['https://example..com', undefined],
  ['not https://example.com', undefined],
  ['http://[2001:db8::1]/a', 'http://[2001:db8::1]/a'],
  ['https://a.com https://b.com', undefined],
  ['ana@example.com', undefined],
  ['见https://example.com/a，谢谢', 'https://example.com/a'],
  ['https://example.com/a？はい', 'https://example.com/a'],
  ['https：／／example．com／a', 'https://example.com/a'],
  ['https://example. com', undefined],
  ['http://http://example.com', undefined],
  ['www.example', undefined],
  ['http://1.2.3', undefined],
  ['http://0x7f.1', undefined],
  ['http://192.0.2.1:80/a', 'http://192.0.2.1/a'],
  ['https://-a.com', undefined],
  ['https://example.com/a\\b', undefined],
  ['https://example.com is wrong', undefined],
  // Sentences without a space between them.
  ...[
    'ok.thanks',
    'done.next',
    'yes.it works',
    'ok.so',
    'fine.me too',
    'hello.world',
    'a.b',
  ].map((text) => [text, undefined] as const),
  ...['foo.bar1', 'report.docx', 'Node.js', 'e.g', 'finished.thanks'].map(
    (text) => [text, undefined] as const,
  ),
  ['google.it', 'https://google.it/'],
  ['example.museum', 'https://example.museum/'],
  ['ok.com', 'https://ok.com/'],
  ['пример.рф', 'https://xn--e1afmkfd.xn--p1ai/'],
  ['done.next/a', 'https://done.next/a'],
  ['www.intranet.lan', 'https://www.intranet.lan/'],
  ['http://intranet.lan', 'http://intranet.lan/'],
  ['ok.thanks, example.com', 'https://example.com/'],
])('reads the web address in %j as %j', (text, address) => {
  expect(urlIn(text)).toBe(address)
})

test.each([
  '+49–170–1234567',
  '+49—170—1234567',
  '+49‑170‑1234567',
  '+49−170−1234567',
  '+49\u00a0170\u202f1234567',
  '+49·170·1234567',
  '+49.170.1234567',
  '+ 49 (0) 170 1234567',
  '＋４９（０）１７０－１２３４５６７',
  '+٤٩ ١٧٠ ١٢٣٤٥٦٧',
  '\u202a+49 170 1234567\u202c',
  'tel:+49-170-1234567',
  '[+49] 170 1234567',
  'Mobil: 0049 170 1234567.',
  '+49 170 / 1234567',
])('reads the phone number in %j', (text) => {
  expect(phoneIn(text)).toBe('+491701234567')
})

test.each([
  '+49 170 1234567 / +49 171 7654321',
  '044 123 45 67, 044 765 43 21',
  '555-1234 555-4321',
  '+1 555 123 4567 ext. 89',
  '+1 555 123 4567x89',
  '+1 555 123 4567 #89',
  '1-800-FLOWERS',
  '+1-800-555-CALL',
  'AB-1234567',
  '2026-03-05',
  '2026-03-05 14:30',
  '05.03.2026',
  '12345678,90',
  '+49~170~1234567',
  '+49\n170 1234567 and 0171 1234567',
  '+49, 170 1234567',
  '044 123|4567890',
  '+1 (555) 123-4567 (ext 5)',
  '+1 555 123 4567 доб. 5',
  '192.168.100.200',
  '€ 1234567',
  '1'.repeat(40),
  '+49 170 1234567_',
  'ana@1234567.com',
  '12345',
  '+1 415 555 2671 p123',
  '+1 415 555 2671 then 5',
  'not +49 170 1234567',
  '1234567 kg',
  'order no. 12345678',
  'Bestellnummer: 12345678',
  '#12345678',
  'IBAN 12345678',
  '+49 170 1234567 extension twelve',
  '+49 170 1234567 is wrong',
  '044 123 45 67 not 68',
])('rejects %j, of which a phone number would be a part', (text) => {
  expect(phoneIn(text)).toBeUndefined()
})

test('reads national phone numbers in the region of the locale', () => {
  expect(phoneIn('044 123 45 67', 'CH')).toBe('+41441234567')
  expect(phoneIn('(555) 123-4567', 'US')).toBe('+15551234567')
  expect(phoneIn('+49 170 1234567', 'CH')).toBe('+491701234567')
  expect(phoneIn('(0)44 123 45 67', 'CH')).toBe('+41441234567')
  expect(phoneIn('123 45 67', 'CH')).toBeUndefined()
  // These may be digits of Germany, or begin with its country code.
  expect(phoneIn('49 170 1234567', 'DE')).toBeUndefined()
  expect(phoneIn('1-415-555-2671', 'US')).toBe('+14155552671')
  expect(phoneIn('(555) 123-4567')).toBe('5551234567')
})

// A pattern that backtracks would exceed the time limit of a test.
test.each([
  'a@'.repeat(1000),
  'a.'.repeat(1000),
  `${'a.'.repeat(999)}@`,
  `${'a-'.repeat(999)}a`,
  ')'.repeat(2000),
  '1 '.repeat(1000),
])('reads no address in a long text (%#)', (text) => {
  expect([emailIn(text), urlIn(text), phoneIn(text.slice(0, 500))]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('removes any number of closing brackets', () => {
  const address = `https://example.com/${'('.repeat(900)}`
  expect(urlIn(`${address}${')'.repeat(1000)}`)).toBe(`${address}${')'.repeat(900)}`)
})
