// The numbers of list items as words of a script: letters, Roman numerals, other digits.

const listDigits = (system: string) => {
  const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
  return (number: number) => format.format(number)
}

/** After the last letter come two: `repeated` aa, bb as in Word, else aa, ab as in HTML. */
function toLetters(letters: string, number: number, repeated = true): string {
  const all = [...letters]
  const at = number - 1
  if (repeated)
    return all[at % all.length]!.repeat(Math.min(Math.floor(at / all.length) + 1, 10))
  const first =
    at >= all.length ? toLetters(letters, Math.floor(at / all.length), false) : ''
  return first + all[at % all.length]
}

const romans: [number, string][] = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
  ] as const),
  ...([
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
] as [number, string][]

function toRoman(number: number): string {
  let [text, rest] = ['', number]
  for (const [value, letters] of romans)
    for (; rest >= value; rest -= value) text += letters
  return text
}

function toHanCount(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10]
  const digits = '〇一二三四五六七八九'
  if (number > 99) return String(number)
  return (
    (tens > 1 ? digits[tens] : '') +
    (tens > 0 ? '十' : '') +
    (ones > 0 ? digits[ones] : '')
  )
}

const latin = 'abcdefghijklmnopqrstuvwxyz'
const writers = {
  lowerLetter: (number: number) => toLetters(latin, number),
  upperLetter: (number: number) => toLetters(latin, number).toUpperCase(),
  lowerAlpha: (number: number) => toLetters(latin, number, false),
  upperAlpha: (number: number) => toLetters(latin, number, false).toUpperCase(),
  lowerGreek: (number: number) => toLetters('αβγδεζηθικλμνξοπρστυφχψω', number, false),
  russianLower: (number: number) => toLetters('абвгдежзиклмнопрстуфхцчшщыэюя', number),
  russianUpper: (number: number) =>
    toLetters('абвгдежзиклмнопрстуфхцчшщыэюя', number).toUpperCase(),
  lowerRoman: toRoman,
  upperRoman: (number: number) => toRoman(number).toUpperCase(),
  decimalZero: (number: number) => String(number).padStart(2, '0'),
  circled: (number: number) =>
    number <= 20 ? String.fromCharCode(0x245f + number) : String(number),
  hanCount: toHanCount,
  han: listDigits('hanidec'),
  thai: listDigits('thai'),
  hindi: listDigits('deva'),
  arabicIndic: listDigits('arab'),
  fullWidth: listDigits('fullwide'),
}
export type NumberStyle = keyof typeof writers

const maxWritten = 3_999

/** Writes digits for other styles, and for numbers that a script cannot write. */
export const numberIn = (style: NumberStyle | undefined, number: number): string =>
  style !== undefined && number >= 1 && number <= maxWritten
    ? writers[style](number)
    : String(number)
