import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { typeByContent } from './signature.ts'

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const book = (level: 0 | 6) =>
  zipSync({
    mimetype: [strToU8('application/epub+zip'), { level }],
    'a.xhtml': strToU8('<p>'),
  })

test.each<[Uint8Array, string | null]>([
  [latin1('%PDF-1.7'), 'application/pdf'],
  [latin1('{\\rtf1'), 'application/rtf'],
  [latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'application/x-ole-storage'],
  [latin1('\x89PNG\r\n'), 'image/png'],
  [latin1('RIFF\0\0\0\0WEBP'), 'image/webp'],
  [latin1('\0\0\0\x18ftypmp42'), 'video/mp4'],
  [zipSync({ 'word/document.xml': strToU8('a') }), 'application/zip'],
  [book(0), 'application/epub+zip'],
  [strToU8('text'), null],
  [new Uint8Array(), null],
])('recognizes content %#', (content, type) => expect(typeByContent(content)).toBe(type))
