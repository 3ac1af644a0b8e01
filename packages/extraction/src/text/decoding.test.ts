import { expect, test } from 'vitest'
import { decodeText } from './decoding.ts'

const hex = (text: string) =>
  Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const utf16 = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'))
const swapped = (bytes: Uint8Array) => Uint8Array.from(Buffer.from(bytes).swap16())
const join = (...parts: (string | Uint8Array)[]) =>
  Uint8Array.from(Buffer.concat(parts.map((one) => Buffer.from(one))))

/** "Доставка" in windows-1251 and KOI8-R; "返品は可能です" in Shift_JIS, EUC-JP and ISO-2022-JP. */
const cp1251 = hex('c4 ee f1 f2 e0 e2 ea e0')
const koi8 = hex('e4 cf d3 d4 c1 d7 cb c1')
const shiftJis = hex('95d4 9569 82cd 89c2 945c 82c5 82b7')
const eucJp = hex('cad6 c9ca a4cf b2c4 c7bd a4c7 a4b9')
const iso2022 = hex('1b2442 4a56 494a 244f 3244 473d 2447 2439 1b2842')
const eucKr = hex(
  'bbf3 c7b0 c0ba 20 bbef bdca c0cf 20 c0cc b3bb bfa1 20 b9dd c7b0 c7d2 20 bcf6 20 c0d6 bdc0 b4cf b4d9',
)
const big5 = hex('b068 b366 b6b7 a662 a454 a451 a4d1 a4ba bfec b27a a143')
const gbk = hex('cdcb bbf5 d0eb d4da c8fd caae ccec c4da b0ec c0ed a1a3')

test.each<[string, Uint8Array, Parameters<typeof decodeText>[1], string]>([
  [
    'a byte order mark before the header',
    join('\ufeffGrüße'),
    { contentType: 'text/html; charset=ISO-8859-1' },
    'Grüße',
  ],
  ['UTF-16 with a mark', join(hex('fffe'), utf16('Aß')), {}, 'Aß'],
  [
    'UTF-16 with a mark, the other way round',
    join(hex('feff'), swapped(utf16('Aß'))),
    {},
    'Aß',
  ],
  ['UTF-16 without a mark', utf16('name,price\nTea,3'), {}, 'name,price\nTea,3'],
  [
    'UTF-16 without a mark, the other way round',
    swapped(utf16('Привет, мир')),
    {},
    'Привет, мир',
  ],
  [
    'the header before the document',
    join('<meta charset="utf-8">', cp1251),
    { contentType: 'text/html;charset="Windows-1251"', isMarkup: true },
    '<meta charset="utf-8">Доставка',
  ],
  [
    'a meta element',
    join('<meta charset=koi8-r>', koi8),
    { isMarkup: true },
    '<meta charset=koi8-r>Доставка',
  ],
  [
    'a meta element that stands for a header',
    join(
      '<meta http-equiv=Content-Type content="text/html; charset=shift-jis">',
      shiftJis,
    ),
    { isMarkup: true, contentType: 'text/html' },
    '<meta http-equiv=Content-Type content="text/html; charset=shift-jis">返品は可能です',
  ],
  [
    'no meta element in a comment',
    join('<!-- <meta charset=koi8-r> --><meta charset=cp1251>', cp1251),
    { isMarkup: true },
    '<!-- <meta charset=koi8-r> --><meta charset=cp1251>Доставка',
  ],
  [
    'the declaration of XML',
    join('<?xml version="1.0" encoding="windows-1251"?><a>', cp1251),
    { contentType: 'application/xml' },
    '<?xml version="1.0" encoding="windows-1251"?><a>Доставка',
  ],
  [
    'UTF-8 that a server declares as Latin',
    join('Größe'),
    { contentType: 'text/plain; charset=iso-8859-1' },
    'Größe',
  ],
  [
    'UTF-8 that a document declares as UTF-16',
    join('<meta charset="utf-16">ß'),
    { isMarkup: true },
    '<meta charset="utf-16">ß',
  ],
  [
    'another character set that a server declares as UTF-8',
    shiftJis,
    { contentType: 'text/plain; charset=utf-8' },
    '返品は可能です',
  ],
  [
    'an unknown name of UTF-8',
    join('ß'),
    { contentType: 'text/plain; charset=utf8mb4' },
    'ß',
  ],
  [
    'UTF-8 with a damaged character',
    join('Straße, Größe, Öl, Käse, Tür, Höhe: ', hex('fc')),
    {},
    'Straße, Größe, Öl, Käse, Tür, Höhe: \ufffd',
  ],
  ['windows-1252', hex('3520 80 20 93 61 94 20 fc'), {}, '5 € “a” ü'],
  [
    'windows-1252 by its name',
    hex('80'),
    { contentType: 'text/csv; charset=latin1' },
    '€',
  ],
  ['windows-1251', cp1251, {}, 'Доставка'],
  ['KOI8-R', koi8, {}, 'Доставка'],
  ['Shift_JIS', shiftJis, {}, '返品は可能です'],
  ['EUC-JP', eucJp, {}, '返品は可能です'],
  ['ISO-2022-JP', iso2022, {}, '返品は可能です'],
  ['EUC-KR', eucKr, {}, '상품은 삼십일 이내에 반품할 수 있습니다'],
  ['Big5', big5, {}, '退貨須在三十天內辦理。'],
  ['GBK', gbk, {}, '退货须在三十天内办理。'],
  [
    'GB2312 by its name',
    gbk,
    { contentType: 'text/plain; charset=gb2312' },
    '退货须在三十天内办理。',
  ],
])('decodes %s', (_, bytes, declared, expected) =>
  expect(decodeText(bytes, declared)).toBe(expected),
)

test.each<[string, Uint8Array, Parameters<typeof decodeText>[1], RegExp]>([
  ['UTF-32', hex('fffe0000 41000000'), {}, /UTF-32 is not supported/],
  [
    'UTF-7',
    join('+AOQ-'),
    { contentType: 'text/html; charset=utf-7' },
    /UTF-7 is not supported/,
  ],
  [
    'an unknown character set',
    hex('61 e4 62'),
    { contentType: 'text/plain; charset=ebcdic-x' },
    /"ebcdic-x" is not supported/,
  ],
  [
    'Korean in seven bits',
    hex('1b242943 0e 3b73 0f'),
    {},
    /ISO-2022-KR is not supported/,
  ],
  ['an image', join(hex('89504e470d0a1a0a'), new Uint8Array(200)), {}, /not text/],
])('rejects %s with a reason', (_, bytes, declared, reason) =>
  expect(() => decodeText(bytes, declared)).toThrow(reason),
)
