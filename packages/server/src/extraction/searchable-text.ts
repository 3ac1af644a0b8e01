// The words of a text as they are indexed and looked for: the same on both sides, and of any language, before PostgreSQL takes them to their stems.

/** PostgreSQL keeps no more positions of a passage, and no lexemes past a megabyte. */
const mostCharacters = 100_000

/**
 * Words apart by one space. Accents of Latin and Greek letters are gone; names as programs have them (createMessage, file_id) are there whole and in
 * parts; where a language puts no spaces between words, each two characters are one.
 */
export function searchableText(text: string): string {
  return text
    .slice(0, mostCharacters)
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßøłđæœıðþ]/giu, (letter) => unmarked[letter.toLowerCase()]!)
    .replace(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu,
      pairs,
    )
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(
      /\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu,
      (name) => `${name} ${name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')}`,
    )
    .trim()
    .toLowerCase()
}

const unmarked: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
  þ: 'th',
}

function pairs(run: string): string {
  const letters = [...run]
  return ` ${
    letters.length === 1
      ? run
      : letters
          .slice(1)
          .map((letter, at) => letters[at] + letter)
          .join(' ')
  } `
}

export const wordsOf = (searchable: string) => (searchable === '' ? [] : searchable.split(' '))

/** Such as are misspelt. */
export const isSpelt = (word: string) => /^[\p{L}\p{M}]{4,40}$/u.test(word)
