// Decodes windows-1252, the character set of files that are not UTF-8, usually. Node 20's TextDecoder
// takes it for ISO 8859-1, which has control characters in place of these 27.
const firstByte = 0x80
const characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

export const decodeWindows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll(
      /[\x80-\x9f]/g,
      (control) => characters[control.charCodeAt(0) - firstByte]!,
    )
