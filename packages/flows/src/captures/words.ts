// Compares words without case, accents, punctuation and the appearance of emoji.
import { foldLetters, withAsciiDigits } from '../folding.ts'
import { withoutInvisible } from './characters.ts'

const maxLength = 2_000

/** Replaces letters that searches keep, because their index has them. */
const alsoUnmarked: Record<string, string> = {
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ə: 'e',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ɛ: 'e',
  ɔ: 'o',
  ё: 'е',
  ي: 'ی',
  ى: 'ی',
  ك: 'ک',
}

/** Vowel signs that writers of Arabic and Hebrew usually omit, and the Arabic stretching sign. */
const optionalMarks =
  /[\u064b-\u0652\u0670\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g

const emoji =
  /\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*/gu

/** Signs that change the meaning of what they stand beside: "C#", "5%", "1.5", "-5", "5*", "A-". */
const meaningful =
  '(?!(?<=\\d)[.,:/](?=\\d))(?!(?<![\\p{L}\\p{N}])-(?=\\d))(?!(?<=[\\p{L}\\p{N}])-(?=\\s|$))' +
  '(?!(?<=[\\p{L}\\p{N}])#)(?!(?<=\\d ?)[%‰*])'
const punctuation = new RegExp(`${meaningful}[^\\p{L}\\p{M}\\p{N}\\p{S}@+\\u200d]`, 'gu')

/**
 * Returns lower-case words, separated by one space, without punctuation and without the marks of
 * letters that people omit. Each emoji is a word.
 */
export const plain = (text: string) =>
  withAsciiDigits(foldLetters(withoutInvisible(text.slice(0, maxLength))).toLowerCase())
    .replace(/[ħŧŋəɓɗƙƴɛɔёيىك]/g, (letter) => alsoUnmarked[letter]!)
    .replace(optionalMarks, '')
    .replace(emoji, ' $& ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(punctuation, ' ')
    .replace(/`/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d) (?=[%‰*\p{Sc}])|(?<=\p{Sc}) (?=\d)/gu, '')
    .trim()

/** Case, width and invisible characters do not distinguish words; marks and punctuation do. */
export const withoutCase = (text: string) =>
  withoutInvisible(text.slice(0, maxLength))
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()

const expansions: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ة: 'ه',
}

/**
 * Returns the words in another common spelling: "Mueller" for "Müller", "5kg" for "5 kg", and Arabic
 * letters without their signs.
 */
export const expanded = (text: string) =>
  plain(
    text
      .slice(0, maxLength)
      .normalize('NFC')
      .toLowerCase()
      .replace(/[äöüåøأإآة]/g, (letter) => expansions[letter]!),
  ).replace(/(?<=\d) (?=\p{L})/gu, '')
