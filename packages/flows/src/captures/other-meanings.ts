// Words beside the name of an option, with which an answer means another one, or none.
import { isBound } from './bounds.ts'
import { isNegated } from './negations.ts'
import { findNamedNumber } from './numbers/number-names.ts'
import { hasNumberWord } from './numbers/number-words.ts'
import { oneOf } from './patterns.ts'
import { plain } from './words.ts'

interface Answer {
  text: string
  /** Normalized words of the answer, with a dot in place of each name. */
  rest: string
  /** Normalized names in the answer, and all names. */
  found: string[]
  all: string[]
  /** Number of the first found option in the list, from 1. */
  position: number
  locale?: string | undefined
}

/** Returns whether an answer with the name of an option does not choose it. */
export const isOtherMeaning = (answer: Answer): boolean => {
  const { text, rest, found, all, locale } = answer
  return (
    isNegated(rest.trim()) ||
    foreignSigns.test(rest) ||
    isPrefixed(rest, locale) ||
    isAttached(text, found) ||
    isOtherNumber(answer) ||
    isQuestion(text) ||
    (isContinued(found, all) && !isAlone(rest))
  )
}

/** Signs and parts of words that belong to another name: "C ++" is not C, nor "fe male" male. */
const prefixes = oneOf(`
  anti dis fe half hyper mis non pre pseudo re semi sub ultra
`)
const foreignSigns = new RegExp(
  `(?:^| )[-+#%‰<>=*/]+(?= |$)|\u00b7 (?:free|less|frei|los)(?= )| ${prefixes} (?=\u00b7)`,
)

/** "un subscribe" is another word, and "un café" is not. */
const article = /^(?:ca|es|fr|gl|it|ro)\b/
const isPrefixed = (rest: string, locale = '') =>
  / un (?=\u00b7)/.test(rest) && !article.test(locale)

/** "Is red sold out?" chooses nothing, and "Can I have red?" does. */
const questionWords = oneOf(`
  is are do does did was what why which how when where who ist sind warum wieso wie welche[rs]? hat
  gibt est-ce pourquoi quel(?:le)?s? combien que qué por_qué cuál cuánto hay perché quanto c'è
  waarom hoe czy почему сколько есть_ли
`)
const question = new RegExp(
  `^\\P{L}*${questionWords}(?![\\p{L}\\p{M}]).*[?？؟]\\s*$`,
  'isu',
)
const isQuestion = (text: string) => question.test(text)

/** "10:00 pm" is not 10:00. */
const laterHalf =
  / (?:pm|p m|evening|night|tonight|abends?|nachts|nachmittags?|soir|tarde|noche|noite|sera) /

/**
 * Returns whether the rest has another number, or words that change the number of the name. The
 * position of the option in the list may stand before it: "2. Tea".
 */
function isOtherNumber({ found, rest, position }: Answer) {
  const [before = '', after = ''] = [rest.split('\u00b7')[0], rest.split('\u00b7').at(-1)]
  const isNumber = found.some((name) => /\d/.test(name))
  if (isNumber && (isBound(before, after) || laterHalf.test(rest))) return true
  if (isNumber) return /\d/.test(rest) || hasNumberWord(rest, undefined)
  return rest.split(' ').some((word, at) => {
    const count = /^x?\d/.test(word)
      ? Number.parseFloat(word.replace('x', ''))
      : findNamedNumber(word)
    return count !== undefined && count !== 1 && !(count === position && at < 3)
  })
}

/** "infra-red" and "Berlin-Mitte" are not "red" and "Berlin". */
function isAttached(text: string, found: string[]): boolean {
  const parts = ` ${plain(text.replace(/(?<=\p{L})[-\u2010\u2011](?=\p{L})/gu, ' \u00b1 '))} `
  return found.some(
    (name) => parts.includes(`\u00b1 ${name} `) || parts.includes(` ${name} \u00b1`),
  )
}

const courtesies =
  /(?<= )(?:the|option|answer|please|thanks|thank you|bitte|danke|por favor|merci|gracias|grazie|obrigad[oa])(?= )/g

export const withoutCourtesies = (rest: string) => rest.replace(courtesies, '')

export const isAlone = (rest: string) => /^(?: |\u00b7)+$/.test(withoutCourtesies(rest))

/** Words may stand for the signs of another option: "10 percent" is 10%, and "C sharp" is C#. */
const isContinued = (found: string[], all: string[]) =>
  found.some((name) =>
    all.some(
      (other) =>
        other.startsWith(name) && /^[^\p{L}\p{M}\p{N}\s]/u.test(other.slice(name.length)),
    ),
  )
