// Finds the option of an answer: by value, label, synonym, its number in the list, or words that
// only one option has.
import { plain } from './words.ts'

export interface Option {
  label: string
  value: string
  synonyms?: string[]
}

/** Normalizes the options of a card or an expression: `['a', 'b']` or `[{ label, value }]`. */
export function optionsOf(given: unknown): Option[] {
  return (Array.isArray(given) ? given : []).flatMap((one) => {
    if (typeof one === 'string' || typeof one === 'number')
      return [{ label: String(one), value: String(one) }]
    if (typeof one !== 'object' || one === null) return []
    const { label, value, synonyms } = one as Record<string, unknown>
    const name = label ?? value
    if (name === undefined || name === null) return []
    return [
      {
        label: String(name),
        value: String(value ?? label),
        ...(Array.isArray(synonyms) && { synonyms: synonyms.map(String) }),
      },
    ]
  })
}

const wordsOf = ({ value, label, synonyms = [] }: Option) =>
  [value, label, ...synonyms].map(plain).filter((word) => word !== '')

const namedBy = (text: string, options: Option[]) =>
  options.find(({ value }) => value === text.trim()) ??
  options.find((option) => wordsOf(option).includes(plain(text)))

export function choiceIn(text: string, options: Option[]): Option | undefined {
  const exact = namedBy(text, options)
  const answer = plain(text)
  if (exact || answer === '') return exact
  const names = options.map((option) => ({ option, words: wordsOf(option) }))
  const isNumber = /^(?:number |option )?(\d{1,4})$/.exec(answer)
  if (isNumber) return options[Number(isNumber[1]) - 1]
  const inside = names.filter(({ words }) =>
    words.some((word) => ` ${answer} `.includes(` ${word} `)),
  )
  const around = inside.length
    ? inside
    : names.filter(({ words }) => words.some((word) => ` ${word} `.includes(` ${answer} `)))
  return around.length === 1 ? around[0]!.option : undefined
}

/**
 * Returns the options of a list such as "a, b and c". Returns undefined if a part matches no
 * option.
 */
export function choicesIn(text: string, options: Option[]): Option[] | undefined {
  const whole = namedBy(text, options)
  if (whole) return [whole]
  const parts = text
    .split(/[,;\n&+]|\band\b|\by\b|\bund\b|\bet\b/iu)
    .filter((part) => part.trim() !== '')
  const found = parts.map((part) => choiceIn(part, options))
  return parts.length > 0 && found.every((one) => one !== undefined)
    ? [...new Set(found)]
    : undefined
}
