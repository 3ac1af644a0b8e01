// Recognizes the media type of a file by its first bytes, to explain why the file cannot be read.

/** Bytes that `typeByContent` needs. */
export const signatureLength = 4_096

const signatures: [start: string, type: string][] = [
  ['%PDF-', 'application/pdf'],
  ['{\\rtf', 'application/rtf'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
  ['PK\x03\x04', 'application/zip'],
  ['\x1f\x8b', 'application/gzip'],
  ["7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  ['Rar!', 'application/vnd.rar'],
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['ID3', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['SQLite format 3', 'application/vnd.sqlite3'],
  ['\x7fELF', 'application/x-executable'],
  ['MZ', 'application/x-executable'],
]

const riffTypes: Record<string, string> = {
  WEBP: 'image/webp',
  WAVE: 'audio/wav',
  'AVI ': 'video/x-msvideo',
}

/** Returns null for text, and for an unknown type. */
export function typeByContent(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, signatureLength)).toString('latin1')
  const riff = /^RIFF[\s\S]{4}(WEBP|WAVE|AVI )/.exec(start)?.[1]
  if (riff) return riffTypes[riff]!
  if (start.slice(4, 8) === 'ftyp') return 'video/mp4'
  // OpenDocument and EPUB begin with an entry that has their type.
  if (start.startsWith('PK') && start.startsWith('mimetype', 30)) {
    const inside = /^[\s\S]{0,64}?(application\/[\w.+-]+?)(?:PK|$)/.exec(
      start.slice(38, 200),
    )?.[1]
    if (inside) return inside
  }
  return signatures.find(([text]) => start.startsWith(text))?.[1] ?? null
}
