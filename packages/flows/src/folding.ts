// Plain forms of letters, for searches and for answers: people type "kobenhavn" and "sao paulo".

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
  ё: 'е',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
}

/**
 * Removes the marks of Latin and Greek letters, the vowels of Arabic and Hebrew ones, and replaces letters
 * that have no decomposition. Keeps the marks of other scripts, because they are letters there. Also replaces compatibility
 * forms such as full-width letters (NFKC).
 */
export const foldLetters = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßøłđæœıðþёىیک]/giu, (letter) => unmarked[letter.toLowerCase()]!)
